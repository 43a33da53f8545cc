/**
 * The frozen records that name the rules they were sealed under get the same verdict in every later version, in TypeScript and in
 * Python. A program of 0.1.0, which knows nothing of rules, never calls one of them altered.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '@countersign/proof/canonical.ts'
import type { ApprovalFacts } from '@countersign/proof/decision-facts.ts'
import { parseExactly } from '@countersign/proof/parse.ts'
import { anchored } from '@countersign/proof/test/log.ts'
import { kinds, usedDecision } from '@countersign/proof/test/proof-kinds.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { type ProofVerdict, type Standing, verifyProof } from '@countersign/proof/verify-proof.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { askPython } from './python.ts'

interface Judged {
  readonly standing: Standing
  readonly passkeys: readonly (string | null)[]
}
interface File extends Judged {
  readonly about: string
  readonly earlier: readonly string[]
  readonly in010: Judged
  /** None if absent. */
  readonly warnings?: readonly string[]
  readonly document: Json
}
interface Vectors {
  readonly policy: string
  readonly files: readonly File[]
}
interface Passkeys {
  readonly policy: string
  readonly files: readonly { readonly standing: string; readonly document: Json }[]
}
const read = <T>(name: string): T =>
  parseExactly(readFileSync(new URL(`../../docs/formats/${name}`, import.meta.url), 'utf8')) as unknown as T
const { policy, files } = read<Vectors>('control.json')
const folder = mkdtempSync(join(tmpdir(), 'control-'))
afterAll(() => rmSync(folder, { recursive: true }))

const judged = ({ standing, facts }: ProofVerdict): Judged => ({
  standing,
  passkeys: (facts.decision?.approvals ?? []).map(({ passkey }: ApprovalFacts) => passkey?.status ?? null),
})

it.each(files)('in TypeScript: $about', ({ document, standing, passkeys, earlier, warnings = [] }) => {
  const verdict = verifyProof(document, parsePolicy(policy))
  expect(verdict.warnings).toEqual(warnings)
  expect(judged(verdict)).toEqual({ standing, passkeys })
  const [, ...before] = (verdict.facts.decision?.approvals ?? []).toReversed()
  const said = before.map((each) => (each.hidden ? 'hidden' : (each.void ?? 'counts')))
  expect(said.toReversed()).toEqual(earlier)
})

it('in Python', { timeout: 60_000 }, async () => {
  const path = join(folder, 'policy.txt')
  writeFileSync(path, policy)
  const verdicts = await askPython(
    files.map(({ document }) => JSON.stringify(document)),
    ...['--trust', path],
  )
  expect(verdicts.map(({ standing, passkeys, warnings }) => ({ standing, passkeys, warnings }))).toEqual(
    files.map(({ standing, passkeys, warnings = [] }) => ({ standing, passkeys, warnings })),
  )
})

it('a decision that was taken too late, in time or without an end is judged alike in both', {
  timeout: 60_000,
}, async () => {
  const path = join(folder, 'late-policy.txt')
  writeFileSync(path, policy)
  const made = ['2038-01-01T00:00:00.000Z', '2041-01-01T00:00:00.000Z', undefined, 'soon', 7].map((usableUntil) =>
    JSON.stringify(anchored(usedDecision({ ...(usableUntil !== undefined && { usableUntil }) } as never))),
  )
  const python = await askPython(made, '--trust', path)
  const ours = made.map((text) => verifyProof(parseExactly(text), parsePolicy(policy)))
  expect(python.map(({ standing, warnings }) => [standing, warnings])).toEqual(
    ours.map(({ standing, warnings }) => [standing, warnings]),
  )
  expect(ours.map(({ standing }) => standing)).toEqual(['holds', 'holds', 'holds', 'altered', 'altered'])
  expect(ours.map(({ warnings }) => warnings.length).slice(0, 3)).toEqual([1, 0, 0])
})

describe('in 0.1.0', async () => {
  const older = (await import(new URL('./verifier-0.1.0.js', import.meta.url).href)) as {
    parsePolicy: typeof parsePolicy
    parseExactly: typeof parseExactly
    verifyProof: typeof verifyProof
  }
  const ask = (document: unknown, trust: string) =>
    judged(older.verifyProof(older.parseExactly(JSON.stringify(document)), older.parsePolicy(trust)))

  it.each(files)('never altered: $about', ({ document, in010 }) => {
    expect(ask(document, policy)).toEqual(in010)
    expect(['holds', 'sandbox']).toContain(in010.standing)
    // What was signed is not where that version looks for it: the signature is not known, and never called false.
    expect(in010.passkeys.every((status) => status === null || status === 'unknown')).toBe(true)
  })

  it('never altered: the records that are made now', () => {
    for (const [kind, document] of Object.entries(kinds())) {
      expect([kind, ask(anchored(document), policy).standing]).toEqual([kind, 'holds'])
    }
  })

  it('still judges the records of its own time', () => {
    const frozen = read<Passkeys>('passkeys.json')
    for (const { document, standing } of frozen.files) expect(ask(document, frozen.policy).standing).toBe(standing)
  })
})
