/** A checker in another language, written only from the description of the format, must agree with the TypeScript one. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonical } from '@countersign/proof/canonical.ts'
import { parseExactly } from '@countersign/proof/parse.ts'
import { chain, document, json } from '@countersign/proof/test/arbitraries.ts'
import { anchored, passkeyPolicyText, witnesses } from '@countersign/proof/test/log.ts'
import { kinds } from '@countersign/proof/test/proof-kinds.ts'
import { ways } from '@countersign/proof/test/rewrites.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { chainVerifier } from '@countersign/proof/verify-chain.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askPython, runWithChecker } from './python.ts'

const seed = 20_261_115
const hundreds = { numRuns: 1000, seed }

it('recomputes a thousand exports with any text, any numbers and any nesting', { timeout: 120_000 }, async () => {
  const made = fc.sample(document, hundreds)
  const verdicts = await askPython(made.map((each) => JSON.stringify(each)))
  expect(verdicts).toHaveLength(1000)
  for (const [index, verdict] of verdicts.entries()) {
    const { hash, undisclosed } = verifyExport(made[index])
    expect(verdict).toMatchObject({ valid: true, problems: [], hash })
    expect(verdict.undisclosed.toSorted()).toEqual(undisclosed.toSorted())
  }
})

it('finds a change wherever the TypeScript verifier finds one', { timeout: 120_000 }, async () => {
  const changed = fc.sample(
    fc.tuple(document, fc.nat(), json).map(([made, which, other]) => {
      let count = 0
      // Replaces one value, counted over the whole document, or removes it.
      const walk = (value: unknown): unknown => {
        if (count++ === which % 60) return other
        if (Array.isArray(value)) return value.map(walk)
        if (typeof value !== 'object' || value === null) return value
        return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
      }
      return walk(made)
    }),
    hundreds,
  )
  const verdicts = await askPython(changed.map((each) => JSON.stringify(each)))
  expect(verdicts).toHaveLength(1000)
  const ours = changed.map((each) => verifyExport(JSON.parse(JSON.stringify(each))).valid)
  expect(verdicts.map(({ valid }) => valid)).toEqual(ours)
  expect(ours.filter((valid) => !valid).length).toBeGreaterThan(500)
})

describe('the statements of a log', () => {
  const policy = parsePolicy(passkeyPolicyText)
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'policy-'))
    await writeFile(join(folder, 'policy.txt'), passkeyPolicyText)
  })
  afterAll(() => rm(folder, { recursive: true }))
  const ask = (lines: readonly string[]) => askPython(lines, '--trust', join(folder, 'policy.txt'))

  it('agree about a passkey, whatever the holder of the log rewrites', { timeout: 240_000 }, async () => {
    const genuine = kinds()['a decision that a passkey approved']
    const forged = [...ways('first'), ...ways('present')].filter((_, at) => at % 18 === 4).map((made) => made())
    const made = [genuine, ...forged.map(({ document }) => document)]
    const verdicts = await ask(made.map((each) => JSON.stringify(each)))
    // Of an altered file nothing else is said.
    const said = (standing: string, statuses: unknown) => (standing === 'altered' ? [standing] : [standing, statuses])
    const ours = made.map((each) => {
      const { standing, facts } = verifyProof(JSON.parse(JSON.stringify(each)), policy)
      return said(
        standing,
        facts.decision?.approvals.map(({ passkey }) => passkey?.status ?? null),
      )
    })
    expect(verdicts.map(({ standing, passkeys }) => said(standing, passkeys))).toEqual(ours)
    expect(ours[0]).toEqual(['holds', ['holds']])
    expect(ours.filter(([standing]) => standing === 'altered').length).toBeGreaterThan(40)
  })

  it('get the verdict of the TypeScript verifier, with any witnesses', { timeout: 240_000 }, async () => {
    const some = fc.tuple(document, fc.subarray([...witnesses]), fc.nat({ max: 40 }))
    const made = fc
      .sample(some, { numRuns: 60, seed })
      .map(([each, cosigners, after]) => anchored(each, { cosigners, after }))
    const verdicts = await ask(made.map((each) => JSON.stringify(each)))
    for (const [index, { valid, inChain, signed, witnessed, standing }] of verdicts.entries()) {
      const ours = verifyProof(made[index], policy)
      expect({ valid, inChain, signed, witnessed, standing }).toEqual({
        valid: true,
        inChain: ours.inChain.status,
        signed: ours.signed.status,
        witnessed: ours.witnessed.status,
        standing: ours.standing,
      })
    }
    const counts = Object.groupBy(verdicts, ({ witnessed }) => witnessed)
    expect(counts.yes?.length).toBeGreaterThan(5)
    expect(counts.no?.length).toBeGreaterThan(5)
  })

  it('are refused wherever the TypeScript verifier refuses them', { timeout: 240_000 }, async () => {
    const lines = fc
      .sample(fc.tuple(document, fc.nat(), fc.integer({ min: 1, max: 255 })), { numRuns: 250, seed })
      .flatMap(([each, at, mask]) => {
        const made = anchored(each)
        const text = JSON.stringify(made)
        // Half of the changes affect the statements of the log; changes elsewhere mostly affect the record.
        const start = at % 2 === 0 ? text.indexOf('"tlogProof"') : 0
        const bytes = Buffer.from(text)
        const place = start + (at % (bytes.length - start))
        bytes[place] = (bytes[place] as number) ^ mask
        const changed = bytes.toString()
        return changed.includes('\n') || changed.includes('\ufffd') || changed.includes('__proto__') ? [] : [changed]
      })
    const verdicts = await ask(lines)
    const ours = lines.map((line) => {
      try {
        return verifyProof(parseExactly(line), policy).standing
      } catch {
        return 'not-a-proof'
      }
    })
    expect(verdicts.map(({ standing }) => standing)).toEqual(ours)
    expect(ours.filter((standing) => standing === 'altered').length).toBeGreaterThan(50)
  })
})

it('writes the same canonical form of any JSON', { timeout: 120_000 }, async () => {
  const values = fc.sample(json, { numRuns: 3000, seed })
  const lines = values.map((value) => JSON.stringify({ written: canonical(value), value }))
  const program = `
from check_exports import canonical, read_json
for line in sys.stdin.buffer:
    pair = read_json(line.decode())
    assert canonical(pair["value"]) == pair["written"], line
`
  await runWithChecker(program, lines)
})

it('gives the same verdict on a chain', async () => {
  for (const entries of fc.sample(chain, { numRuns: 4, seed })) {
    const verifier = chainVerifier()
    for (const entry of entries) verifier.add(entry)
    const lines = entries.map(({ index, id, hash, previousHash, sealedAt, content }) =>
      JSON.stringify({ index, id, hash, previousHash, sealedAt, content: JSON.parse(content) }),
    )
    const { headHash } = verifier.result()
    expect(await askPython(lines, '--chain')).toMatchObject([{ valid: true, brokenAt: null, headHash }])
    const broken = lines.with(-1, (lines.at(-1) as string).replace('"v":"dpu-chain-v1"', '"v":"dpu-chain-v2"'))
    expect(await askPython(broken, '--chain')).toMatchObject([{ valid: false, brokenAt: lines.length - 1 }])
  }
})

it.each([
  ['a number that loses digits', '{"a":12345678901234567890}', "can't be stored exactly"],
  ['the same key twice', '{"a":1,"a":1}', 'same key twice'],
  ['a value that is not a number', '{"a":NaN}', "isn't valid JSON"],
])('refuses %s', async (_, line, message) => {
  const [verdict] = await askPython([line])
  expect(verdict?.valid).toBe(false)
  expect(verdict?.problems.join()).toContain(message)
})
