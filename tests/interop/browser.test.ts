/** The same files must run without Node: in a browser, with other cryptography and no built-in module. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { document } from '@countersign/proof/test/arbitraries.ts'
import { anchored, policyText, witnesses } from '@countersign/proof/test/log.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { type ProofVerdict, verifyProof } from '@countersign/proof/verify-proof.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const proof = new URL('../../packages/proof/', import.meta.url)

/** Loads the verifier as the bundler of a browser resolves it, and refuses every module of Node. */
const program = `
import { registerHooks } from 'node:module'
import { json } from 'node:stream/consumers'
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '#sha256') return next('./sha256.web.ts', context)
    if (specifier === '#ed25519') return next('./ed25519.web.ts', context)
    if (specifier === '#passkey-signature') return next('./passkey-signature.web.ts', context)
    if (specifier === '#timestamp-authority') return next('./timestamp-authority.web.ts', context)
    if (context.parentURL?.startsWith('${proof}') && !/^\\.|^@noble|^@countersign\\/words\\//.test(specifier)) throw new Error('imports ' + specifier)
    return next(specifier, context)
  },
})
const out = process.stdout
const { documents, policyText } = await json(process.stdin)
for (const name of ['process', 'Buffer', 'require', 'global']) delete globalThis[name]
const { verifyExport } = await import('${proof}verify-export.ts')
const { chainVerifier } = await import('${proof}verify-chain.ts')
const { parseExactly } = await import('${proof}parse.ts')
const { parsePolicy } = await import('${proof}trust-policy.ts')
const { verifyProof } = await import('${proof}verify-proof.ts')
const policy = parsePolicy(policyText)
const verdicts = documents.map((text) => verifyExport(parseExactly(text)))
const proofs = documents.map((text) => verifyProof(parseExactly(text), policy))
out.write(JSON.stringify({ verdicts, proofs, chain: chainVerifier().result().valid }))
`

it('verifies proofs without a module of Node', async () => {
  const plain = fc.sample(document, { numRuns: 20, seed: 7 })
  const made = plain.flatMap((each, at) => [each, anchored(each, { cosigners: witnesses.slice(0, at % 4) })])
  const texts = made.map((each) => JSON.stringify(each)).filter((text) => !text.includes('__proto__'))
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  running.child.stdin?.end(JSON.stringify({ documents: texts, policyText }))
  const { stdout } = await running
  const { verdicts, proofs, chain } = JSON.parse(stdout)
  expect(verdicts).toEqual(texts.map((text) => verifyExport(JSON.parse(text))))
  expect(verdicts.every(({ valid }: { valid: boolean }) => valid)).toBe(true)
  expect(chain).toBe(true)
  const policy = parsePolicy(policyText)
  expect(proofs).toEqual(texts.map((text) => verifyProof(JSON.parse(text), policy)))
  const statuses = new Set((proofs as ProofVerdict[]).map(({ witnessed }) => witnessed.status))
  expect(statuses).toEqual(new Set(['yes', 'no', 'unknown']))
})
