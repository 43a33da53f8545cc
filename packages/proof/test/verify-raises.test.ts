/** Raises of the level that passkeys signed: what holds, what is refused, and what a file no longer shows. */
import { describe, expect, it } from 'vitest'
import type { ExportDocument } from '../export.ts'
import type { RaiseStatement } from '../passkey.ts'
import { parsePolicy, type TrustPolicy } from '../trust-policy.ts'
import { verifyProof } from '../verify-proof.ts'
import { type BuiltEntry, exported, historyOf, saltSequence } from './arbitraries.ts'
import { anchored, passkeyPolicyText, witnesses } from './log.ts'
import { bindingsOf, bound, keys, raisedBy, raiseStatement, statementOf, threeKeys, unapproved } from './passkeys.ts'

const policy = parsePolicy(passkeyPolicyText)
const three = threeKeys()
const genuine = () => raisedBy(keys.ada, three)

const judged = (made: ExportDocument, by: TrustPolicy | null = policy, more: Parameters<typeof anchored>[1] = {}) => {
  const { standing, facts, problems, limits } = verifyProof(JSON.parse(JSON.stringify(anchored(made, more))), by)
  const raise = facts.raises.at(-1)
  const { status, why } = raise?.passkey ?? {}
  return { standing, raise, status, why, limits, codes: problems.map(({ code }) => code) }
}

it.each([
  ['a unit', genuine()],
  ['a decision of an agent', raisedBy(keys.ada, three, { of: unapproved })],
])('a passkey bound to the person signed exactly this raise of %s', (_, made) => {
  const { standing, raise, codes, limits } = judged(made)
  expect([standing, codes]).toEqual(['holds', []])
  expect(raise).toMatchObject({
    ...{ to: 'AUDIT_READY', level: 'passkey', result: 'approved', approver: 'Ada (act_ada)', by: 'act_ada' },
    passkey: {
      status: 'holds',
      why: null,
      rpId: 'localhost',
      thumbprint: keys.ada.thumbprint,
      confirmation: 'passkey',
    },
  })
  expect(limits).toEqual(expect.arrayContaining(['passkey', 'removal']))
})

it('a raise without a signature is that of a signed-in member', () => {
  const values = { evidenceLevel: 'AUDIT_READY', by: { id: 'act_ada' } }
  const history = historyOf(unapproved, [{ id: 'h1', type: 'level', values }], saltSequence(), 7)
  const { standing, raise, limits } = judged(exported(unapproved, { history }))
  expect([standing, raise]).toMatchObject(['holds', { level: 'session', approver: 'act_ada', passkey: null }])
  expect(limits).not.toContain('passkey')
})

describe('not known', () => {
  it('where the policy names no host, and where nobody vouches', () => {
    const without = parsePolicy(passkeyPolicyText.replace(/#passkeys.*\n/, ''))
    expect(judged(genuine(), without)).toMatchObject({ standing: 'holds', status: 'unknown', why: 'no-host' })
    const few = { cosigners: witnesses.slice(0, 1) }
    expect(judged(genuine(), policy, few)).toMatchObject({ standing: 'unvouched', status: 'unknown', why: 'unvouched' })
  })

  it.each(['passkey', 'by', 'policies'])('without %s', (name) => {
    const made = genuine() as unknown as { evidence: { history: Record<string, Record<string, unknown>>[] } }
    const [entry] = made.evidence.history
    delete entry?.[name]
    delete entry?.disclosures?.[name]
    const { standing, status, why, codes } = judged(made as unknown as ExportDocument)
    expect([standing, status, why, codes]).toEqual(['holds', 'unknown', 'redacted', []])
  })
})

describe('refused', () => {
  const other = `sha256:${'9'.repeat(64)}`
  it.each<[string, object]>([
    ['another log', { log: 'proof.example/c/43/history' }],
    ['another record', { dpuId: 'dpu_2' }],
    ['another level', { evidenceLevel: 'DOCUMENTED' }],
    ['another state of the record', { previous: other }],
    ['another person', { approverId: 'act_eve' }],
    ['another policy', { policies: [{ id: 'pol_1', version: 3, digest: other }] }],
    ['no policy', { policies: [] }],
    ['another host', { rpId: 'example.com' }],
    ['a nonce of another length', { nonce: 'AAAA' }],
    ['a time in another form', { issuedAt: '2039-12-31' }],
    ['a member more', { more: 'x' }],
    ['another type', { type: 'countersign-approval-v1' }],
  ])('a statement about %s', (_, change) => {
    const statement = { ...raiseStatement(), ...change } as RaiseStatement
    const { standing, status, codes } = judged(raisedBy(keys.ada, three, { statement }))
    expect([standing, status]).toEqual(['altered', 'false'])
    expect(codes.some((code) => ['statement-differs', 'passkey-host'].includes(code))).toBe(true)
  })

  it.each([
    ['the signature of another key', () => raisedBy(keys.older, three), 'passkey-signature'],
    [
      'a signature for an approval',
      () => raisedBy(keys.ada, three, { signed: statementOf('act_ada') }),
      'passkey-challenge',
    ],
    [
      'a size that is not the place of the entry',
      () => raisedBy(keys.ada, three, { passkey: { historySize: 8 } }),
      'unexpected',
    ],
    ['a member that was added', () => raisedBy(keys.ada, three, { passkey: { more: 1 } }), 'added'],
    ['no statement', () => raisedBy(keys.ada, three, { passkey: { statement: undefined } }), 'missing'],
    ['no signature', () => raisedBy(keys.ada, three, { values: { passkey: null } }), 'missing'],
    ['the binding of another key', () => raisedBy(keys.ada, three.slice(0, 3)), 'passkey-signature'],
    [
      'a binding that is not shown',
      () => raisedBy(keys.ada, three, { passkey: { binding: other } }),
      'binding-missing',
    ],
    [
      'a person who did not sign',
      () => raisedBy(keys.ada, three, { values: { by: { id: 'act_eve' } } }),
      'statement-differs',
    ],
    [
      'a policy that was not signed',
      () => raisedBy(keys.ada, three, { values: { policies: [] } }),
      'statement-differs',
    ],
  ] as const)('%s', (_, made, code) => {
    const { standing, status, codes } = judged(made())
    expect([standing, status]).toEqual(['altered', 'false'])
    expect(codes).toContain(code)
  })

  it.each([
    ['confirmed by mail only', [bound('psk_ada', 'act_ada', keys.ada, { how: 'mail' })], 'binding-unconfirmed'],
    ['of another person', [bound('psk_ada', 'act_eve', keys.ada, { how: 'operator' })], 'binding-person'],
    [
      'removed before',
      [
        bound('psk_ada', 'act_ada', keys.ada, { how: 'operator' }),
        {
          key: 'psk_ada',
          values: { action: 'removed', actorId: 'act_ada' },
          confirmed: 'operator',
          passkey: 'removed',
        },
      ],
      'state-differs',
    ],
  ] as const)('a key %s', (_, steps, code) => {
    const { standing, codes } = judged(raisedBy(keys.ada, bindingsOf(steps)))
    expect(standing).toBe('altered')
    expect(codes).toContain(code)
  })

  it('the signature of a raise to the next level, for another record', () => {
    const elsewhere = raiseStatement({}, unapproved)
    const made = raisedBy(keys.ada, three, { statement: elsewhere })
    expect(judged(made)).toMatchObject({ standing: 'altered', codes: ['statement-differs'] })
  })

  it('a binding in a file that shows none', () => {
    const made = genuine() as unknown as { evidence: { bindings?: BuiltEntry[] } }
    delete made.evidence.bindings
    expect(judged(made as unknown as ExportDocument)).toMatchObject({ standing: 'altered', codes: ['binding-missing'] })
  })
})
