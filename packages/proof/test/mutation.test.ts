/** A file with one changed byte is refused, or it still makes the same statement. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical, type Json } from '../canonical.ts'
import { parseExactly } from '../parse.ts'
import { parsePolicy } from '../trust-policy.ts'
import { verifyExport } from '../verify-export.ts'
import { type ProofVerdict, verifyProof } from '../verify-proof.ts'
import { chainOf, document, exported, historyOf, saltSequence, sealDpu } from './arbitraries.ts'
import { anchored, policyText, witnesses } from './log.ts'

const policy = parsePolicy(policyText)
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface Read {
  readonly document: Json
  readonly verdict: ProofVerdict
}

/** Strict: refuses invalid UTF-8 and duplicate keys. */
function read(bytes: Uint8Array): Read | null {
  try {
    const document = parseExactly(decoder.decode(bytes))
    // Refuses most changes early; checking signatures costs ten times as much.
    if (!verifyExport(document).valid) return null
    return { document, verdict: verifyProof(document, policy) }
  } catch {
    return null
  }
}

/**
 * Everything that the proof attests: the evidence and the verdicts on it. Not the time and address of the export, nor
 * signatures by keys that are not in the policy.
 */
function statement({ document, verdict }: Read): string {
  const { evidence, verification } = document as { evidence: Json; verification: Record<string, Json> }
  const { verifyUrl: _, tlogProof: _1, historyProofs: _2, ...repeated } = verification
  const { cosignedBy: _3, ...facts } = verdict.facts
  return canonical({
    evidence,
    repeated,
    facts: facts as unknown as Json,
    verdicts: [verdict.intact, verdict.inChain, verdict.signed, verdict.witnessed].map(({ status }) => status),
    undisclosed: verdict.undisclosed,
    redacted: verdict.redacted as unknown as Json,
  })
}

type Outcome = 'refused' | 'same' | 'other'

function outcome(bytes: Uint8Array, genuine: string): Outcome {
  const found = read(bytes)
  if (found === null || !found.verdict.complete) return 'refused'
  return statement(found) === genuine ? 'same' : 'other'
}

/** Every fifth byte is replaced; every byte with TEST_LONG=1. */
const step = process.env.TEST_LONG ? 1 : 5

/** A DPU with a history and two witnesses: every part that a proof can have, and exactly the quorum. */
function exportedDpu(): Uint8Array {
  const salts = saltSequence()
  const values = { content: 'Żółć 10 €', tags: ['a', 'b'], evidenceLevel: 'DRAFT', metadata: { score: 1.5, n: 1e-7 } }
  const dpu = sealDpu({ id: 'dpu_1', referenceType: 'demo', vertical: 'education', values }, salts)
  const [record] = chainOf('dpu', [dpu], 2)
  if (record === undefined) throw new Error('no record')
  const change = { id: 'h1', type: 'level', values: { evidenceLevel: 'AUDIT_READY' } } as const
  const made = anchored(exported(record, { history: historyOf(record, [change], salts, 1) }))
  return Buffer.from(JSON.stringify(made))
}

describe('a file with one changed byte', () => {
  it('is refused or makes the same statement, for the bytes of one file', { timeout: 600_000 }, () => {
    const file = exportedDpu()
    const genuine = read(file)
    if (genuine === null) throw new Error('not readable')
    expect(genuine.verdict.complete).toBe(true)
    const said = statement(genuine)
    const counts = { refused: 0, same: 0 }
    for (const [at, byte] of file.entries()) {
      if (at % step !== 0) continue
      const replacements = [byte ^ 1, byte ^ 0x20, byte ^ 0x80, 0x30].filter((value) => value !== byte)
      for (const value of new Set(replacements)) {
        const result = outcome(file.with(at, value), said)
        if (result === 'other')
          expect.fail(`byte ${at}, ${byte} to ${value}: ${decoder.decode(file.slice(at - 20, at + 20))}`)
        counts[result]++
      }
    }
    expect(counts.refused).toBeGreaterThan((3 * file.length) / step)
    // The address, the time of the export, the case of an escape.
    expect(counts.same).toBeLessThan(0.15 * counts.refused)
  })

  it('is refused or makes the same statement, for any file, any byte and any value', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(
        document,
        fc.integer({ min: 2, max: 3 }),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 8, maxLength: 8 }),
        (made, witnessed, changes) => {
          const file = Buffer.from(JSON.stringify(anchored(made, { cosigners: witnesses.slice(0, witnessed) })))
          const genuine = read(file)
          // parseExactly refuses this key in any file.
          if (genuine === null && file.includes('__proto__')) return
          if (genuine === null) throw new Error('not readable')
          for (const [at, mask] of changes) {
            const place = at % file.length
            const altered = file.with(place, (file[place] as number) ^ mask)
            expect(outcome(altered, statement(genuine))).not.toBe('other')
          }
        },
      ),
      { numRuns: 120 },
    )
  })
})
