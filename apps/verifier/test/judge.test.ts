import { describe, expect, it } from 'vitest'
import { alterOne } from '../alter.ts'
import { headlineOf, judge, policyOf, read, tones } from '../judge.ts'
import { policy, policyWithoutWitnesses, proofs, strangersPolicy, textOf } from './proofs.ts'

const headline = (proof: object, trust: string | null) =>
  headlineOf(judge(proof, trust === null ? null : policyOf(trust)).verdict)

describe('the sentence on top', () => {
  it.each([
    ['bare', null, 'Intact'],
    ['bare', policy, 'Intact'],
    ['logged', null, 'InLog'],
    ['logged', policyWithoutWitnesses, 'Signed'],
    ['logged', policy, 'Unwitnessed'],
    ['logged', strangersPolicy, 'Refused'],
    ['witnessed', null, 'InLog'],
    ['witnessed', policy, 'Witnessed'],
    ['redacted', policy, 'Witnessed'],
  ] as const)('of a proof that is %s', (name, trust, expected) => {
    expect(headline(proofs[name], trust)).toBe(expected)
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
    for (const text of ['', 'hello', '{"a":1,"a":2}', '{"n": 12345678901234567890}', '<html>']) {
      expect(read(text).kind).toBe('unreadable')
    }
  })

  it('is read with the line ends of other systems', () => {
    expect(policyOf(policy.replaceAll('\n', '\r\n')).logs).toHaveLength(1)
    expect(() => policyOf('log nonsense')).toThrow('Line 1')
  })
})
