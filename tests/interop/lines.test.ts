/** Approval lines: what the service judges, the verifier in TypeScript and the one in Python come to the same. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '@countersign/proof/canonical.ts'
import type { LineFacts } from '@countersign/proof/decision-facts.ts'
import { parseExactly } from '@countersign/proof/parse.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { type Standing, verifyProof } from '@countersign/proof/verify-proof.ts'
import { afterAll, expect, it } from 'vitest'
import { root } from '../docs/blocks.ts'
import { testSeed } from '../support/seed.ts'
import { lineVectors } from './line-vectors.ts'
import { compareForgeries, compareLines } from './line-verdicts.ts'
import { askPython, type PythonVerdict } from './python.ts'

interface Vectors {
  readonly policy: string
  readonly files: readonly {
    readonly about: string
    readonly standing: Standing
    /** Null of a file that is altered: nothing is said. */
    readonly line: LineFacts | null
    readonly document: Json
  }[]
}
const { policy, files } = parseExactly(
  readFileSync(new URL('../../docs/formats/lines.json', import.meta.url), 'utf8'),
) as unknown as Vectors
const folder = mkdtempSync(join(tmpdir(), 'lines-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Said = { readonly line: LineFacts | null; readonly emergency?: PythonVerdict['emergency'] }
/** What a passkey signed is compared elsewhere. */
const said = (standing: Standing, { line, emergency = null }: Said) => ({
  standing,
  ...(standing === 'altered'
    ? { line: null, emergency: null }
    : {
        line,
        emergency: emergency && {
          ...emergency,
          confirmations: emergency.confirmations.map(({ result, by, onBehalfOf, at }) => ({
            result,
            by,
            onBehalfOf,
            at,
          })),
        },
      }),
})
const none: Said = { line: null }

it('the files are fresh (`npx vitest run tests/interop/lines.test.ts -u` writes them)', async () => {
  await expect(lineVectors()).toMatchFileSnapshot(`${root}docs/formats/lines.json`)
})

it.each(files)('in TypeScript: $about', ({ document, standing, ...more }) => {
  const verdict = verifyProof(document, parsePolicy(policy))
  expect(said(verdict.standing, verdict.facts.decision ?? none)).toEqual(said(standing, more))
})

it('in Python', { timeout: 60_000 }, async () => {
  const path = join(folder, 'policy.txt')
  writeFileSync(path, policy)
  const texts = files.map(({ document }) => JSON.stringify(document))
  const verdicts = await askPython(texts, '--trust', path)
  expect(verdicts.map((each) => said(each.standing, each))).toEqual(files.map((each) => said(each.standing, each)))
})

it('a verifier of 0.1.0 never calls a record altered for its places, only a file that carries texts', async () => {
  const older = (await import(new URL('./verifier-0.1.0.js', import.meta.url).href)) as {
    parsePolicy: typeof parsePolicy
    verifyProof: typeof verifyProof
  }
  const ask = (document: unknown) => older.verifyProof(document, older.parsePolicy(policy)).standing
  for (const { document } of files) {
    const { policyTexts, ...plain } = document as { policyTexts?: Json }
    expect([ask(plain), ask(document)]).toEqual(['holds', policyTexts === undefined ? 'holds' : 'altered'])
  }
})

/** All of them: `npm run chaos -- lines`. */
const sample = 200

it('lines that the service judged fit in both', { timeout: 60_000 }, async () => {
  const { fits, differing, places } = await compareLines(testSeed(), sample)
  expect(differing).toEqual([])
  expect(fits).toBe(sample)
  expect(places).toBeGreaterThan(sample)
})

it('of 400 forged files none holds in either', { timeout: 60_000 }, async () => {
  const { files, held, differing, kinds } = await compareForgeries(testSeed(), 400)
  expect([files, held, differing]).toEqual([400, [], []])
  for (const [kind, count] of Object.entries(kinds)) expect([kind, count > 5]).toEqual([kind, true])
})
