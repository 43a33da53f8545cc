/** The same files must run where there is no Node: in a browser, with the other SHA-256 and no built-in module. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { document } from '@countersign/proof/test/arbitraries.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const proof = new URL('../../proof/', import.meta.url)

/** Loads the verifier as a browser's bundler would resolve it, and refuses everything that is Node's. */
const program = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '#sha256') return next('./sha256.web.ts', context)
    if (context.parentURL?.startsWith('${proof}') && !/^\\.|^@noble/.test(specifier)) throw new Error('imports ' + specifier)
    return next(specifier, context)
  },
})
const out = process.stdout
const documents = JSON.parse(process.argv[1])
for (const name of ['process', 'Buffer', 'require', 'global']) delete globalThis[name]
const { verifyExport } = await import('${proof}verify-export.ts')
const { chainVerifier } = await import('${proof}verify-chain.ts')
const { parseExactly } = await import('${proof}parse.ts')
const verdicts = documents.map((text) => verifyExport(parseExactly(text)))
out.write(JSON.stringify({ verdicts, chain: chainVerifier().result().valid }))
`

it('verifies proofs without anything of Node', async () => {
  const made = fc.sample(document, { numRuns: 20, seed: 7 })
  const texts = made.map((each) => JSON.stringify(each)).filter((text) => !text.includes('__proto__'))
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    program,
    JSON.stringify(texts),
  ])
  const { verdicts, chain } = JSON.parse(stdout)
  expect(verdicts).toEqual(texts.map((text) => verifyExport(JSON.parse(text))))
  expect(verdicts.every(({ valid }: { valid: boolean }) => valid)).toBe(true)
  expect(chain).toBe(true)
})
