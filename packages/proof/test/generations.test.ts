import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type DeclaredLoss, isKept, lossOf, verifyDeclaration } from '../declarations.ts'
import { familyOf, type Succession } from '../generations.ts'
import { verifyReceipt } from '../receipt.ts'
import { narrowedTo, parsePolicy } from '../trust-policy.ts'
import { chainVerifier } from '../verify-chain.ts'
import { verifyProof } from '../verify-proof.ts'
import { firstLog, generationVectors, lossOfTwo, secondLog } from './generations.ts'
import { policyText } from './log.ts'

const policy = parsePolicy(policyText)
const vectors = generationVectors()

it('the published vectors are these', () => {
  const published = readFileSync(new URL('../../../docs/formats/generations.json', import.meta.url), 'utf8')
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(vectors)))
})

it.each(vectors.files)(
  '$name, with declarations: $declarations, is $standing',
  ({ document, declarations, standing }) => {
    const options = declarations ? { declarations: [vectors.declaration] } : {}
    const verdict = verifyProof(document, policy, options)
    expect(verdict.standing).toBe(standing)
    expect(verdict.ok).toBe(standing === 'holds')
  },
)

it('a verdict names what was declared', () => {
  const declarations = [vectors.declaration]
  const { lost, successions } = verifyProof(lossOfTwo().files.lost, policy, { declarations })
  expect(lost).toMatchObject({
    ...{ successor: secondLog, admitted: true, reason: 'The disk of the primary failed.' },
    ...{ declaredBy: 'Operations of proof.example', lost: { log: firstLog, size: 5, kept: 3 } },
  })
  expect(successions).toMatchObject([{ log: secondLog, index: 3, restored: { size: 3, signed: 2 } }])
  // Nobody vouches for the declaration: it says nothing.
  expect(verifyProof(lossOfTwo().files.lost, null, { declarations }).lost).toBe(null)
})

it('a receipt beyond the restored size was signed, then lost; one below it holds', () => {
  const { closed, declared, receiptOf } = lossOfTwo()
  const verdictOn = (index: number, declarations = [declared]) =>
    verifyReceipt(receiptOf(index), closed[index]?.hash as string, policy, { declarations })
  expect(verdictOn(4)).toMatchObject({ ok: false, signed: { status: 'yes' }, lost: { admitted: true } })
  expect(verdictOn(2)).toMatchObject({ ok: true, lost: null })
  expect(verdictOn(4, [])).toMatchObject({ ok: true, lost: null })
})

it('a declaration that names fewer entries than were signed does not admit the loss of the others', () => {
  const { declared, files } = lossOfTwo((said) => ({ ...said, lost: said.lost.map((log) => ({ ...log, size: 4 })) }))
  expect(verifyProof(files.lost, policy, { declarations: [declared] }).lost).toMatchObject({ admitted: false })
})

describe('a declaration', () => {
  it('is intact, in its log and signed', () => {
    const { declared, problems } = verifyDeclaration(vectors.declaration, policy)
    expect([declared?.log, problems]).toEqual([secondLog, []])
    // A policy for one center is for every generation of its logs.
    expect(verifyDeclaration(vectors.declaration, narrowedTo(policy, firstLog)).declared).not.toBe(null)
  })

  const changed = (change: (said: Record<string, unknown>) => void): unknown => {
    const copy = structuredClone(vectors.declaration) as unknown as Record<string, unknown>
    change(copy)
    return copy
  }
  it.each<[string, unknown]>([
    [
      'with another reason',
      changed(({ entry }) => Object.assign((entry as { succession: object }).succession, { reason: 'Nothing.' })),
    ],
    ['with another member', changed((copy) => Object.assign(copy, { note: '' }))],
    ['of another type', changed((copy) => Object.assign(copy, { '@type': 'DecisionProof' }))],
    ['without a proof', changed((copy) => delete copy.tlogProof)],
    ['that is nothing', null],
  ])('%s says nothing', (_, document) => {
    const { declared, problems } = verifyDeclaration(document, policy)
    expect(declared).toBe(null)
    expect(problems).not.toEqual([])
  })
})

describe('a chain with a statement of succession', () => {
  const verdictOn = (change?: (said: Succession) => Succession) => {
    const verifier = chainVerifier({ log: firstLog, domain: 'dpu' })
    for (const entry of lossOfTwo(change).opened) verifier.add(entry)
    return verifier.result()
  }
  it('is valid and names the statement', () => {
    expect(verdictOn()).toMatchObject({ valid: true, log: secondLog, successions: [{ log: secondLog, index: 3 }] })
  })
  it.each<[string, (said: Succession) => Succession]>([
    ['another restored size', (said) => ({ ...said, restored: { ...said.restored, size: 2 } })],
    ['nothing lost', (said) => ({ ...said, lost: [] })],
    ['another log', (said) => ({ ...said, lost: said.lost.map((log) => ({ ...log, log: 'proof.example/c/7/dpu' })) })],
    ['a later log', (said) => ({ ...said, lost: said.lost.map((log) => ({ ...log, log: `${firstLog}/3` })) })],
    ['more kept than signed', (said) => ({ ...said, lost: said.lost.map((log) => ({ ...log, size: 3 })) })],
    ['an empty reason', (said) => ({ ...said, reason: '' })],
  ])('breaks at a statement with %s', (_, change) => {
    expect(verdictOn(change)).toMatchObject({ valid: false, brokenAt: 3, reason: 'the content names a different log' })
  })
})

it('entries are followed over several generations, also where numbers are left out', () => {
  const step = (generation: number, size: number, ...lost: [generation: number, size: number, kept: number][]) =>
    ({
      ...{ log: `${firstLog}/${generation}`, index: size, declaredAt: '', reason: 'r', declaredBy: 'b' },
      restored: { size, root: '', signed: size },
      lost: lost.map(([g, signed, kept]) => ({
        log: g === 1 ? firstLog : `${firstLog}/${g}`,
        size: signed,
        root: '',
        kept,
      })),
    }) satisfies DeclaredLoss
  // 2 began at 50, 3 at 70 after 2; 5 was restored from before 2 began, and 4 never had an entry.
  const declared = [
    step(2, 50, [1, 100, 50]),
    step(3, 70, [2, 80, 70]),
    step(5, 40, [1, 100, 40], [2, 80, 40], [3, 90, 40]),
  ]
  expect([
    isKept(firstLog, 49, `${firstLog}/3`, declared),
    isKept(firstLog, 50, `${firstLog}/3`, declared),
    isKept(`${firstLog}/2`, 69, `${firstLog}/3`, declared),
    isKept(`${firstLog}/2`, 39, `${firstLog}/5`, declared),
    isKept(`${firstLog}/2`, 45, `${firstLog}/5`, declared),
    isKept(firstLog, 39, `${firstLog}/4`, declared),
    isKept(`${firstLog}/3`, 1, firstLog, declared),
  ]).toEqual(['yes', 'no', 'yes', 'yes', 'no', 'unknown', 'no'])
  expect(lossOf(`${firstLog}/3`, 85, declared)).toMatchObject({ successor: `${firstLog}/5`, admitted: true })
})

it.each([
  ['a/c/1/proof', 'a/c/1/proof', 1],
  ['a/c/1/proof/2', 'a/c/1/proof', 2],
  ['a/c/1/proof/02', 'a/c/1/proof/02', 1],
  ['a/c/1/proof/1', 'a/c/1/proof/1', 1],
  ['a/c/1/2', 'a/c/1/2', 1],
])('%s is generation of %s', (log, first, generation) => {
  expect(familyOf(log)).toEqual({ first, generation })
})
