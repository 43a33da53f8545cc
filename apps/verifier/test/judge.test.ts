import { anchored, policyText } from '@countersign/proof/test/log.ts'
import { control, decisionBy } from '@countersign/proof/test/passkeys.ts'
import { approvalOf } from '@countersign/proof/test/proof-kinds.ts'
import { describe, expect, it } from 'vitest'
import { alterOne } from '../alter.ts'
import { headlineOf, judge, policyOf, read, taken, tones } from '../judge.ts'
import { policy, policyWithoutWitnesses, proofs, strangersPolicy, textOf } from './proofs.ts'

const headline = (proof: object, trust: string | null) =>
  headlineOf(judge(proof, trust === null ? null : policyOf(trust)).verdict)

describe('the sentence on top', () => {
  it.each([
    ['bare', null, 'Intact'],
    ['bare', policy, 'Intact'],
    ['logged', null, 'Intact'],
    ['logged', policyWithoutWitnesses, 'Signed'],
    ['logged', policy, 'Unwitnessed'],
    ['logged', strangersPolicy, 'Unvouched'],
    ['witnessed', null, 'Intact'],
    ['witnessed', policy, 'Witnessed'],
    ['redacted', policy, 'Witnessed'],
  ] as const)('of a proof that is %s', (name, trust, expected) => {
    expect(headline(proofs[name], trust)).toBe(expected)
  })

  it('of a record whose rules are not shown, and of one by a newer version', () => {
    const trust = policyOf(policyText)
    const seal = (more: object) => anchored(decisionBy(approvalOf('system', 'rejected'), [], more))
    const whole = seal({})
    const { control: _, ...evidence } = whole.evidence
    const { control: _1, ...disclosures } = evidence.disclosures as Record<string, string>
    const hidden = { ...whole, evidence: { ...evidence, disclosures } }
    const newer = seal({ control: { ...control, needs: ['mandate'] } })
    const said = ([hidden, newer, whole] as const).map((each) => headlineOf(judge(each, trust).verdict))
    expect(said).toEqual(['RulesHidden', 'Newer', 'Witnessed'])
    expect([hidden, newer].map((each) => headlineOf(judge(each, null).verdict))).toEqual(['Intact', 'Newer'])
  })

  it('is good only where a trusted key has signed', () => {
    expect(Object.keys(tones).filter((name) => tones[name as keyof typeof tones] === 'good')).toEqual([
      'Witnessed',
      'Signed',
    ])
  })
})

describe('one altered character', () => {
  it.each(Object.keys(proofs) as (keyof typeof proofs)[])('of a proof that is %s is found, wherever it is', (name) => {
    const proof = proofs[name]
    const paths = new Set<string>()
    for (let turn = 0; turn < 40; turn++) {
      const altered = alterOne(proof, turn)
      if (!altered) throw new Error('nothing to alter')
      paths.add(altered.path)
      expect([...altered.after].filter((each, at) => each !== [...altered.before][at])).toHaveLength(1)
      expect([altered.path, headline(altered.document as object, null)]).toEqual([altered.path, 'Altered'])
    }
    expect(paths.size).toBeGreaterThan(10)
    expect(headline(proof, null)).not.toBe('Altered')
  })

  it('is not looked for in what is no record', () => {
    for (const nothing of [null, 7, 'x', {}, { evidence: null }, { evidence: { id: '—' } }, { evidence: [] }]) {
      expect(alterOne(nothing, 0)).toBeNull()
    }
  })
})

describe('what is given', () => {
  it('is a proof, a policy or neither', () => {
    expect(read(textOf(proofs.bare))).toEqual({ kind: 'proof', document: proofs.bare })
    expect(read(`\uFEFF  ${textOf(proofs.bare)}\n`).kind).toBe('proof')
    expect(read(policy)).toEqual({ kind: 'policy', text: policy })
    expect(read(JSON.stringify({ logHost: 'proof.example', policy }))).toEqual({ kind: 'policy', text: policy })
    expect(read('{"evidence": {}}')).toEqual({ kind: 'unreadable', why: 'saysNoEntry' })
    for (const text of ['', 'hello', '{"a":1,"a":2}', '{"n": 12345678901234567890}', '<html>']) {
      expect(read(text).kind).toBe('unreadable')
    }
  })

  it.each([
    ['a text', policy],
    ['the document of a log', JSON.stringify({ logHost: 'proof.example', policy })],
  ])('is never a proof and its policy together: a policy as %s is not used', (_, text) => {
    const proof = { name: 'proof', text: textOf(proofs.witnessed) }
    for (const given of [
      [proof, { name: 'policy', text }],
      [{ name: 'policy', text }, proof],
      [
        { name: 'policy', text },
        { name: 'too large', text: null },
      ],
      [
        { name: 'one', text },
        { name: 'two', text },
      ],
    ]) {
      expect(taken(given)).toMatchObject({ policy: null, refusedPolicy: true })
    }
    expect(taken([{ name: 'policy', text }])).toEqual({ proofs: [], declarations: [], policy, refusedPolicy: false })
    expect(taken([proof])).toMatchObject({ proofs: [{ name: 'proof' }], policy: null, refusedPolicy: false })
  })

  it('is read with the line ends of other systems', () => {
    expect(policyOf(policy.replaceAll('\n', '\r\n')).logs).toHaveLength(1)
    expect(() => policyOf('log nonsense')).toThrow('Line 1')
  })
})
