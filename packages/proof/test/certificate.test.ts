/** A certificate says what the file proves under the reader's policy, and there is none for a file that proves less. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Certificate, certificateOf } from '../certificate.ts'
import { checkNumber } from '../check-number.ts'
import { parsePolicy, type TrustPolicy } from '../trust-policy.ts'
import { verifyProof } from '../verify-proof.ts'
import { type BuiltEntry, exported } from './arbitraries.ts'
import { anchored, passkeyPolicyText, policyText } from './log.ts'
import { approvalBy, decisionBy, keys, threeKeys } from './passkeys.ts'
import { approvalOf, decisionEntry, kinds } from './proof-kinds.ts'

const options = {
  address: 'https://proof.example/verify',
  trust: 'reader',
  time: (at: string) => at,
  now: '2026-11-20T00:12:00.000Z',
} as const
const trusted = parsePolicy(passkeyPolicyText)
const certified = (document: object, policy: TrustPolicy | null = trusted): Certificate | null =>
  certificateOf(document, verifyProof(document, policy, { sandbox: true }), options)

const bindings = threeKeys()
const byPasskey = anchored(decisionBy(approvalBy('act_ada', keys.ada, bindings.at(-1) as BuiltEntry), bindings))
const by = (level: Parameters<typeof approvalOf>[0], result?: string) =>
  anchored(exported(decisionEntry(approvalOf(level, result))))
const textOf = (paper: Certificate | null) => JSON.stringify(paper)

describe('the check number', () => {
  it('is recomputed from the file by somebody who has none of this code', () => {
    const { evidence } = JSON.parse(JSON.stringify(byPasskey))
    const digits = evidence.chain.hash.slice('sha256:'.length)
    const recomputed = [digits.slice(0, 4), digits.slice(4, 8), digits.slice(60)].join('-').toUpperCase()
    expect(certified(byPasskey)?.number).toBe(recomputed)
    expect(recomputed).toMatch(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/)
  })

  it('is of a whole hash, and of nothing else', () => {
    const hash = createHash('sha256').update('anything').digest('hex')
    expect(checkNumber(`sha256:${hash}`)).toBe(checkNumber(hash))
    expect(checkNumber('sha256:4be1c09a77d2f3e85a610c4f9b2e7d18c3a05f64e19d8b7260fa41c5d2379e0b')).toBe(
      '4BE1-C09A-9E0B',
    )
    for (const not of [null, '', hash.slice(1), `${hash}0`, hash.toUpperCase(), `md5:${hash}`]) {
      expect(checkNumber(not)).toBeNull()
    }
  })
})

describe('a certificate', () => {
  it('of an approval by passkey says so, in both languages, and what it does not prove', () => {
    const paper = certified(byPasskey)
    expect(paper?.approvals).toMatchObject([
      { level: 'passkey', refused: false, caption: { en: 'signed with a passkey' } },
    ])
    expect(paper?.sentence.ko).toMatch(/[가-힣]/)
    expect(paper?.sentence.en).not.toMatch(/[가-힣]/)
    expect(paper?.notProved.map(({ en }) => en)).toEqual(
      expect.arrayContaining(['That the decision was right.', 'That only this person could use the passkey.']),
    )
    expect(textOf(paper)).not.toMatch(/\{\w+\}/)
    expect(textOf(paper)).toContain('https://proof.example/verify')
  })

  it('of a claim is never like a proof of a person', () => {
    const paper = certified(by('claim'))
    expect(paper?.approvals).toMatchObject([
      { level: 'claim', caption: { en: expect.stringContaining('not verified') } },
    ])
    expect(textOf(paper)).not.toMatch(/passkey signatures|패스키 서명/)
    expect(paper?.notProved.map(({ en }) => en)).toEqual(
      expect.arrayContaining([expect.stringContaining('the holder of an API key named the approver')]),
    )
  })

  it('of a passkey at a host that the policy does not name shows a claim', () => {
    const paper = certified(byPasskey, parsePolicy(policyText))
    expect(paper?.approvals.map(({ level }) => level) ?? []).not.toContain('passkey')
  })

  it('of a refusal has the title of one', () => {
    const paper = certified(by('session', 'rejected'))
    expect(paper?.title.en).toBe('Certificate of a sealed refusal')
    expect(paper?.approvals).toMatchObject([{ refused: true, caption: { en: 'refused · signed in' } }])
  })
})

describe('no certificate', () => {
  it('without a policy, or under one of strangers', () => {
    expect(certified(byPasskey, null)).toBeNull()
    const stranger = parsePolicy(
      policyText.replace(/^(log|witness \S+) (\S+)\+(\w)/gm, '$1 x$2+$3').replace(/.*/s, 'quorum none\n'),
    )
    expect(certified(byPasskey, stranger)).toBeNull()
  })

  it('without the proofs of the log', () => {
    expect(certified(exported(decisionEntry(approvalOf('session'))))).toBeNull()
  })

  it('for a file of which any text was altered', () => {
    let altered = 0
    const visit = (value: unknown, change: (to: unknown) => void): void => {
      if (typeof value === 'string' && value !== '') {
        change(`${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}`)
        const paper = certified(copy)
        change(value)
        if (paper === null) altered++
        // What is hashed by nothing may change, and then the paper does not show it.
        else expect(textOf(paper)).toBe(textOf(certified(byPasskey)))
        return
      }
      if (typeof value !== 'object' || value === null) return
      for (const [name, each] of Object.entries(value)) {
        visit(each, (to) => {
          ;(value as Record<string, unknown>)[name] = to
        })
      }
    }
    const copy = JSON.parse(JSON.stringify(byPasskey))
    visit(copy.evidence, () => {})
    expect(altered).toBeGreaterThan(20)
  })

  it('for a unit that is no decision', () => {
    const unit = kinds()['a unit with changes']
    if (unit) expect(certified(anchored(unit))).toBeNull()
  })

  it('for test data, whatever the options of the verification accept', () => {
    const verdict = verifyProof(byPasskey, trusted)
    expect(certificateOf(byPasskey, { ...verdict, sandbox: true }, options)).toBeNull()
    for (const standing of [
      'sandbox',
      'lost',
      'unvouched',
      'newer',
      'rules-hidden',
      'altered',
      'not-a-proof',
    ] as const) {
      expect(certificateOf(byPasskey, { ...verdict, standing }, options)).toBeNull()
    }
    for (const name of ['intact', 'inChain', 'signed'] as const) {
      const unknown = { ...verdict, [name]: { ...verdict[name], status: 'unknown' as const } }
      expect(certificateOf(byPasskey, unknown, options)).toBeNull()
    }
  })
})
