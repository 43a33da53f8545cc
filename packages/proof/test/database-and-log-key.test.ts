/**
 * Whoever holds the database and the key of the log can write any record, make all hashes anew and have them witnessed.
 * Without the private key of a bound passkey they cannot make an approval of it: a rewritten field is refused, or it is
 * one that no signature covers, and those are listed here.
 */
import { describe, expect, it } from 'vitest'
import { softwareAuthenticator } from '../../../tests/support/authenticator.ts'
import type { ExportDocument } from '../export.ts'
import { challengeOf } from '../passkey.ts'
import { parsePolicy } from '../trust-policy.ts'
import { verifyProof } from '../verify-proof.ts'
import type { BuiltEntry } from './arbitraries.ts'
import { anchored, passkeyPolicyText } from './log.ts'
import { approvalBy, bindingsOf, bound, decisionBy, keys, registered, statementOf } from './passkeys.ts'
import { three, untouched, ways } from './rewrites.ts'

const policy = parsePolicy(passkeyPolicyText)

const holds = (document: ExportDocument): boolean => {
  const verdict = verifyProof(JSON.parse(JSON.stringify(document)), policy)
  return verdict.facts.decision?.approvals.some(({ passkey }) => passkey?.status === 'holds') ?? false
}

/** What a holder of the log's key may say beside a genuine signature. */
const uncovered = [
  'approval.approver.name altered',
  'approval.approver.name removed',
  'approval.approver.type altered',
  'approval.identity.by removed',
  'approval.passkey.historySize altered',
  'approval.submittedBy altered',
  'approval.submittedBy removed',
  'bindings.*.action removed',
  'bindings.*.actorId removed',
  'bindings.*.authenticator.aaguid altered',
  'bindings.*.authenticator.aaguid removed',
  'bindings.*.authenticator.backedUp altered',
  'bindings.*.authenticator.backedUp removed',
  'bindings.*.id altered',
  'bindings.*.target altered',
  'event.occurredAt altered',
  'evidenceLevel altered',
]
/** What the service states about an approval and the rules, and no person signs. */
const stated = [
  'control.rules.index altered',
  'control.via altered',
  'control.via removed',
  'prior0.control.shown.language altered',
  'prior0.control.shown.template.version altered',
  'prior0.control.shown.view altered',
  'prior0.control.via altered',
  'prior0.control.via removed',
]

it.each([
  ['0.1.0', 'first', uncovered],
  ['today', 'present', [...uncovered, ...stated].sort()],
] as const)(
  'a rewritten field of a record of %s is refused unless no signature covers it',
  {
    timeout: 300_000,
  },
  (_, form, expected) => {
    expect(holds(untouched(form))).toBe(true)
    const found = new Set<string>()
    for (const made of ways(form)) {
      const { name, document, same } = made()
      if (!same && holds(document)) found.add(name)
    }
    expect([...found].sort()).toEqual(expected)
  },
)

describe('an approval that the person did not give', () => {
  const [bindings, last] = [three, three[3] as BuiltEntry]
  const forger = softwareAuthenticator()

  it('signed with a key of the forger', () => {
    expect(holds(anchored(decisionBy(approvalBy('act_ada', forger, last), bindings)))).toBe(false)
  })

  it('with a signature that the person gave for something else', () => {
    const others = [
      challengeOf(registered('act_ada', keys.ada)),
      challengeOf(statementOf('act_ada', { decisionId: 'loan-0' })),
      challengeOf(statementOf('act_ada', { result: 'rejected' })),
    ]
    for (const challenge of others) {
      const good = approvalBy('act_ada', keys.ada, last)
      const forged = { ...good, passkey: { ...good.passkey, ...keys.ada.assert(challenge) } }
      expect(holds(anchored(decisionBy(forged, bindings)))).toBe(false)
    }
  })

  it('with a key that the forger binds to the person is named with its date and confirmation', () => {
    const later = bindingsOf([bound('psk_new', 'act_ada', forger, { how: 'operator' })], 40)
    const document = anchored(decisionBy(approvalBy('act_ada', forger, later[0] as BuiltEntry), later))
    const { facts } = verifyProof(JSON.parse(JSON.stringify(document)), policy)
    expect(facts.decision?.approvals[0]?.passkey).toMatchObject({
      status: 'holds',
      thumbprint: forger.thumbprint,
      boundAt: later[0]?.sealedAt,
      confirmation: 'operator',
    })
  })

  it('with a key bound to the person in their name, which they never held', () => {
    const values = bound('psk_new', 'act_ada', keys.ada, { how: 'operator' }).values
    const stolen = { ...values, key: { ...forger.key } }
    const later = bindingsOf([{ key: 'psk_new', values: stolen, confirmed: 'operator' }], 40)
    expect(holds(anchored(decisionBy(approvalBy('act_ada', forger, later[0] as BuiltEntry), later)))).toBe(false)
  })
})
