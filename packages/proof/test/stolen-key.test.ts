/** A key that its owner reported stolen: believed for what witnesses saw before, and for nothing else. */
import { describe, expect, it } from 'vitest'
import { MalformedPolicy, narrowedTo, parsePolicy } from '../trust-policy.ts'
import { verifyProof } from '../verify-proof.ts'
import { exported, loanEntry } from './arbitraries.ts'
import { anchored, host, policyText } from './log.ts'

const vkey = /^log (\S+)/m.exec(policyText)?.[1] as string
const withTheft = (at: string) => policyText.replace(/^log .*$/m, `#stolen ${vkey} ${at}`)
/** Cosigned at 2026-01-02T03:05:01Z. */
const proof = anchored(exported(loanEntry()))

describe('a checkpoint of a stolen key', () => {
  it('holds where enough witnesses cosigned before the theft', () => {
    expect(verifyProof(proof, parsePolicy(policyText)).standing).toBe('holds')
    const verdict = verifyProof(proof, parsePolicy(withTheft('2026-01-03T00:00:00.000Z')))
    expect(verdict).toMatchObject({
      standing: 'holds',
      signed: { detail: expect.stringContaining('before it was stolen') },
    })
  })

  it('is unvouched where they cosigned after it, or where nobody did', () => {
    for (const policy of [
      withTheft('2026-01-02T03:05:01.000Z'),
      withTheft('2026-01-03T00:00:00.000Z').replace(/^quorum .*$/m, 'quorum none'),
    ]) {
      const verdict = verifyProof(proof, parsePolicy(policy))
      expect(verdict).toMatchObject({ standing: 'unvouched', ok: false, signed: { status: 'no', code: 'key-stolen' } })
      expect(verdict.inChain.code).toBe('root-unsigned')
    }
  })
})

describe('the line of a policy', () => {
  it('takes the place of a line that trusts the same key', () => {
    const policy = parsePolicy(`${policyText}#stolen ${vkey} 2026-01-01T00:00:00Z\n`)
    expect([policy.logs, policy.stolen?.map(({ at }) => at)]).toEqual([[], ['2026-01-01T00:00:00.000Z']])
    expect(narrowedTo(policy, `${host.key.name}/c/7`).stolen).toHaveLength(3)
  })

  it('has a key and a time', () => {
    for (const line of ['#stolen', `#stolen ${vkey}`, `#stolen ${vkey} yesterday`, '#stolen x 2026-01-01T00:00:00Z'])
      expect(() => parsePolicy(`${line}\nquorum none\n`)).toThrow(MalformedPolicy)
  })
})
