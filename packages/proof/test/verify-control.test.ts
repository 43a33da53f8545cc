/**
 * What a seal says beside the decision: under which rules it was made, what the page stated, and the approvals before the last. Most
 * of these records are made by somebody who holds the database and the key of the log, so that every hash fits.
 */
import { describe, expect, it } from 'vitest'
import { firstSandboxId } from '../chain.ts'
import type { Control, PriorApproval } from '../control.ts'
import type { ExportDocument } from '../export.ts'
import type { AnyApprovalStatement, ApprovalStatement } from '../passkey.ts'
import { parsePolicy, type TrustPolicy } from '../trust-policy.ts'
import { verifyProof } from '../verify-proof.ts'
import type { BuiltEntry } from './arbitraries.ts'
import { anchored, passkeyPolicyText } from './log.ts'
import {
  approvalBy,
  control,
  decisionBy,
  firstStatementOf,
  keys,
  priorBy,
  priorOf,
  type SignedApproval,
  shown,
  statementOf,
  threeKeys,
} from './passkeys.ts'
import { approvalOf } from './proof-kinds.ts'

const policy = parsePolicy(passkeyPolicyText)
const three = threeKeys()
const [adminKey, , , adaKey] = three as [BuiltEntry, BuiltEntry, BuiltEntry, BuiltEntry]

const judged = (made: ExportDocument, by: TrustPolicy | null = policy) => {
  const verdict = verifyProof(JSON.parse(JSON.stringify(anchored(made))), by)
  const approvals = verdict.facts.decision?.approvals ?? []
  return {
    verdict,
    standing: verdict.standing,
    ok: verdict.ok,
    codes: verdict.problems.map(({ code }) => code),
    newer: verdict.newer.map(({ path }) => path),
    statuses: approvals.map(({ passkey }) => passkey?.status ?? null),
    whys: approvals.map(({ passkey }) => passkey?.why ?? null),
    approvals,
  }
}

const byAda = (more: Partial<ApprovalStatement> = {}): SignedApproval =>
  approvalBy('act_ada', keys.ada, adaKey, { statement: statementOf('act_ada', more) })
const first = (more: Partial<ApprovalStatement> = {}) =>
  approvalBy('act_admin', keys.admin, adminKey, { statement: statementOf('act_admin', more) })
const session = { ...approvalOf('session'), approver: { id: 'act_bob', type: 'human', name: 'Bob' } }

/** Ada knew of these approvals. */
const after = (prior: readonly PriorApproval[], more: { control?: Control; knew?: readonly PriorApproval[] } = {}) => {
  const { knew = prior, ...rest } = more
  return decisionBy(byAda({ prior: priorOf(knew) }), three, { prior, ...rest })
}
const two = () => [priorBy(first()), priorBy(session, 1)]

interface Hiding {
  evidence: Record<string, unknown> & { commitments: Record<string, string>; disclosures: Record<string, string> }
}
const without = (made: ExportDocument, ...paths: string[]): ExportDocument => {
  const { evidence } = made as unknown as Hiding
  for (const path of paths) {
    delete evidence[path]
    delete evidence.disclosures[path]
  }
  return made
}
const put = (made: ExportDocument, change: (evidence: Record<string, object>) => void): ExportDocument => {
  change((made as unknown as { evidence: Record<string, object> }).evidence)
  return made
}

describe('a record of today', () => {
  it('holds, and says under which rules it was sealed and what the page stated', () => {
    const { verdict, standing, statuses, approvals } = judged(after(two()))
    expect([standing, statuses]).toEqual(['holds', ['holds', null, 'holds']])
    expect(verdict.facts.decision?.rules).toEqual(control.rules)
    expect(approvals.map((each) => [each.via, each.shown, each.noPage, each.void, each.hidden])).toEqual([
      ['passkey', shown, false, null, false],
      ['passkey', shown, false, null, false],
      ['passkey', shown, false, null, false],
    ])
    expect(verdict.limits).toContain('screen')
  })

  it('says that no page showed it', () => {
    const none = { rules: control.rules, via: 'password' }
    const { standing, approvals, verdict } = judged(decisionBy(byAda({ shown: null }), three, { control: none }))
    expect([standing, approvals[0]?.shown, approvals[0]?.noPage]).toEqual(['holds', null, true])
    const claimed = judged(decisionBy(approvalOf('claim'), three.slice(0, 1), { control: none }))
    expect([claimed.standing, claimed.approvals[0]?.noPage]).toEqual(['holds', true])
    expect(claimed.verdict.limits).not.toContain('screen')
    expect(verdict.facts.decision?.rules?.index).toBe(6)
    const refused = judged(decisionBy(approvalOf('system', 'rejected'), three.slice(0, 1), { control: none }))
    expect([refused.standing, refused.approvals[0]?.noPage]).toEqual(['holds', false])
  })

  it('has rules before the first entry about any', () => {
    const { standing, verdict } = judged(
      after([], { control: { ...control, rules: { ...control.rules, index: null } } }),
    )
    expect([standing, verdict.facts.decision?.rules?.index]).toEqual(['holds', null])
  })

  it('accepts an approval that came while the person was reading', () => {
    const all = two()
    for (const knew of [[], all.slice(0, 1), all]) expect(judged(after(all, { knew })).standing).toBe('holds')
  })

  it('holds with sixteen approvals', () => {
    const prior = Array.from({ length: 15 }, (_, at) =>
      priorBy({ ...session, approver: { id: `act_${at}`, type: 'human' } }, at % 10, {
        salt: Buffer.alloc(32, at + 40).toString('base64url'),
      }),
    )
    expect(judged(after(prior))).toMatchObject({ standing: 'holds', codes: [] })
    expect(judged(after(prior)).approvals).toHaveLength(16)
  })

  it('takes an approval that 0.1.0 received before the upgrade', () => {
    const statement = firstStatementOf('act_admin')
    const earlier = approvalBy('act_admin', keys.admin, adminKey, { statement })
    const { standing, statuses, approvals } = judged(after([priorBy(earlier, 0, { control: {} })]))
    expect([standing, statuses, approvals[0]?.noPage]).toEqual(['holds', ['holds', 'holds'], true])
  })
})

describe('made by a newer version: never holds, and is never called altered', () => {
  const planned = (needs: unknown) => after(two(), { control: { ...control, needs } as Control })

  it.each([
    ['an unknown need', ['shown', 'mandate']],
    ['one alone', ['mandate']],
    ['no list', 'mandate'],
    ['no name', [7]],
  ])('%s', (_, needs) => {
    const { verdict, standing, ok, codes, newer, whys } = judged(planned(needs))
    expect([standing, ok, codes, newer]).toEqual(['newer', false, [], ['evidence.control.needs']])
    expect(verdict.intact).toMatchObject({ status: 'unknown', code: 'newer' })
    expect(whys).toEqual(['newer', null, 'newer'])
    expect(judged(planned(needs), null).standing).toBe('newer')
  })

  it('a statement of an unknown type, of the last or of an earlier approval', () => {
    const type = 'countersign-approval-v3' as 'countersign-approval-v2'
    const last = judged(decisionBy(byAda({ type }), three))
    expect([last.standing, last.newer, last.whys]).toEqual(['newer', ['evidence.statement'], ['newer']])
    const earlier = judged(after([priorBy(first({ type }))]))
    expect([earlier.standing, earlier.newer]).toEqual(['newer', ['evidence.prior0.statement']])
    expect(earlier.whys).toEqual(['newer', 'newer'])
  })

  it('a member of the statement that this version knows as null alone', () => {
    const more = { approvedActionDigest: `sha256:${'4'.repeat(64)}` }
    expect(judged(decisionBy(byAda(more), three))).toMatchObject({ standing: 'newer', whys: ['newer'] })
  })

  it('not an emergency that was signed and that the record does not state: that is altered', () => {
    expect(judged(decisionBy(byAda({ emergency: true }), three))).toMatchObject({ standing: 'altered' })
  })

  it('more earlier approvals than there can be', () => {
    const made = after([])
    const planted = put(made, (evidence) =>
      Object.assign(evidence.commitments as object, { prior15: `sha256:${'1'.repeat(64)}` }),
    )
    // Whoever has no key of the log changes the hash with it.
    expect(judged(planted).standing).toBe('altered')
    expect(judged(planted).newer).toEqual(['evidence.prior15'])
  })

  it('and what is contradicted stays altered, whatever is planted beside it', () => {
    const plant = (evidence: Record<string, object>) =>
      Object.assign(evidence.control as object, { needs: ['mandate'] })
    expect(judged(put(after(two()), plant))).toMatchObject({ standing: 'altered', newer: ['evidence.control.needs'] })
    const forged = planned(['mandate'])
    expect(
      judged(
        put(forged, (evidence) => {
          Object.assign(evidence, { decisionId: 'loan-2' })
        }),
      ).standing,
    ).toBe('altered')
  })
})

describe('rules not shown', () => {
  it('is no proof, and the signature can no longer be compared', () => {
    const { verdict, standing, ok, codes, statuses, whys } = judged(without(after([]), 'control'))
    expect([standing, ok, codes]).toEqual(['rules-hidden', false, []])
    expect([statuses, whys]).toEqual([['unknown'], ['redacted']])
    expect(verdict.facts.decision?.rules).toBeNull()
    expect(verdict.facts.decision?.approvals[0]).toMatchObject({ shown: null, noPage: false })
    expect(verdict.undisclosed).toContain('control')
  })

  it('hides no unknown need and no level of the approver', () => {
    const made = after([], { control: { ...control, needs: ['mandate'] } })
    expect(judged(without(made, 'control')).standing).toBe('rules-hidden')
    const signedIn = judged(without(decisionBy(session, three.slice(0, 1)), 'control'))
    expect([signedIn.standing, signedIn.approvals[0]?.level]).toEqual(['rules-hidden', 'session'])
  })

  it('nobody vouches: that is said first', () => {
    expect(judged(without(after([]), 'control'), null).standing).toBe('unvouched')
  })
})

describe('an earlier approval that is not shown', () => {
  it('is said, and the later signature can no longer be compared', () => {
    const { standing, approvals, statuses, verdict } = judged(without(after(two()), 'prior0'))
    expect([standing, statuses]).toEqual(['holds', [null, null, 'unknown']])
    expect(approvals[0]).toMatchObject({ hidden: true, approver: null, result: 'approved', void: null, noPage: false })
    expect(verdict.limits).not.toContain('who')
    expect(verdict.undisclosed).toContain('prior0')
  })

  it('leaves what the person knew before it', () => {
    const all = two()
    expect(judged(without(after(all, { knew: all.slice(0, 1) }), 'prior1')).statuses).toEqual(['holds', null, 'holds'])
  })

  it('cannot be taken out of the record', () => {
    const gone = put(without(after(two()), 'prior1'), (evidence) => {
      delete (evidence.commitments as Record<string, unknown>).prior1
    })
    expect(judged(gone)).toMatchObject({ standing: 'altered', codes: ['hash-differs', 'statement-differs'] })
  })
})

describe('an approval that did not count', () => {
  const voided = (reason: unknown, of: object = first()) =>
    priorBy(of, 0, { control: { via: 'passkey', shown, void: reason } as never })

  it.each(['role', 'member', 'key', 'takenBack', 'order', 'policy', 'a reason of tomorrow'])('%s', (reason) => {
    const { standing, approvals, statuses, whys } = judged(after([voided(reason)]))
    expect([standing, approvals[0]?.void]).toEqual(['holds', reason])
    expect([statuses, whys]).toEqual([
      ['unknown', 'holds'],
      ['void', null],
    ])
  })

  it('needs no signature that holds', () => {
    const bad = { ...first(), passkey: { ...first().passkey, signature: byAda().passkey.signature } }
    expect(judged(after([voided('key', bad)])).standing).toBe('holds')
    expect(judged(after([priorBy(bad)])).standing).toBe('altered')
  })

  it('sets no limit of its own', () => {
    const { verdict } = judged(after([voided('role', approvalOf('claim'))]))
    expect(verdict.limits).not.toContain('who')
  })

  it.each([[null], [false], [''], [0], [{}]])('%j is no reason', (reason) => {
    expect(judged(after([voided(reason)]))).toMatchObject({ standing: 'altered', codes: ['not-a-string'] })
  })

  it('is never the one that sealed', () => {
    const made = after([], { control: { ...control, void: 'role' } as Control })
    expect(judged(made)).toMatchObject({ standing: 'altered', codes: ['void-last'] })
  })
})

describe('refused: the record of whoever holds the log says something else than was signed', () => {
  it.each<[string, (all: PriorApproval[]) => PriorApproval[]]>([
    ['an earlier approval removed', ([, other]) => [other as PriorApproval]],
    ['all removed', () => []],
    ['in another order', (all) => all.toReversed()],
    ['one replaced', ([one]) => [one as PriorApproval, priorBy({ ...session, result: 'rejected' }, 1)]],
    ['one with another salt', ([one]) => [one as PriorApproval, priorBy(session, 1, { salt: 'B'.repeat(43) })]],
    ['one put before', (all) => [priorBy({ ...session, approver: { id: 'act_eve' } }, 5), ...all]],
  ])('%s', (_, change) => {
    const all = two()
    const { standing, codes } = judged(after(change(all), { knew: all }))
    expect(standing).toBe('altered')
    expect(codes).toContain('statement-differs')
  })

  it('one approval twice', () => {
    const [one, other] = two() as [PriorApproval, PriorApproval]
    expect(judged(after([other, other]))).toMatchObject({ standing: 'altered', codes: ['approval-twice'] })
    const again = priorBy(first(), 1)
    const shared = { ...again, approval: { ...(one.approval as object), approvedAt: '2039-12-31T23:59:59.500Z' } }
    expect(judged(after([one, shared])).codes).toContain('approval-twice')
    // The one that seals, before itself.
    const own = byAda()
    expect(judged(decisionBy(own, three, { prior: [priorBy(own)] })).codes).toEqual(['approval-twice'])
  })

  it.each([
    ['another view', { ...shown, view: 'v2' }],
    ['another language', { ...shown, language: 'ko' }],
    ['another template', { ...shown, template: null }],
    ['no page', undefined],
  ])('%s than the passkey signed', (_, other) => {
    const stated = { ...control, shown: other } as Control
    expect(judged(after([], { control: JSON.parse(JSON.stringify(stated)) }))).toMatchObject({
      ...{ standing: 'altered', codes: ['statement-differs'] },
    })
    const earlier = priorBy(first(), 0, { control: JSON.parse(JSON.stringify({ via: 'passkey', shown: other })) })
    expect(judged(after([earlier]))).toMatchObject({ standing: 'altered', codes: ['statement-differs'] })
  })

  it('a page beside a statement of 0.1.0, which names none', () => {
    const earlier = approvalBy('act_admin', keys.admin, adminKey, { statement: firstStatementOf('act_admin') })
    expect(judged(after([priorBy(earlier)]))).toMatchObject({ standing: 'altered', codes: ['statement-differs'] })
  })

  it('a statement of another center, decision or log', () => {
    for (const more of [
      { log: 'proof.example/c/43/proof' },
      { log: 'proof.example/sandbox/42/proof' },
      { eventId: 'evt_2' },
    ]) {
      expect(judged(decisionBy(byAda(more), three))).toMatchObject({
        standing: 'altered',
        codes: ['statement-differs'],
      })
      expect(judged(after([priorBy(first(more))]))).toMatchObject({ codes: ['statement-differs'] })
    }
  })

  it('a statement without the level passkey', () => {
    const statement: AnyApprovalStatement = statementOf('act_bob')
    const sealed = { ...session, passkey: undefined }
    expect(judged(decisionBy(sealed, three.slice(0, 1), { statement } as never))).toMatchObject({
      ...{ standing: 'altered', codes: ['passkey-unclaimed'] },
    })
    expect(judged(after([{ ...priorBy(session), statement: statement as never }])).codes).toEqual(['passkey-unclaimed'])
  })

  it('the level passkey without a statement that the record ever had', () => {
    const { passkey, ...rest } = byAda()
    const { statement: _, ...signed } = passkey
    expect(judged(decisionBy({ ...rest, passkey: signed }, three))).toMatchObject({ codes: ['missing'] })
    expect(judged(without(after([]), 'statement'))).toMatchObject({ standing: 'holds', whys: ['redacted'] })
  })
})

describe('refused: a form of neither version', () => {
  it('what is signed or given today, without control', () => {
    const made = (more: object) => judged(decisionBy(byAda(), three, { control: undefined as never, ...more }))
    expect(made({})).toMatchObject({ standing: 'altered', codes: ['missing', 'statement-differs'] })
    expect(judged(decisionBy(session, [], { control: undefined as never, prior: two() })).codes).toContain('missing')
  })

  it('both places of a statement or of earlier approvals', () => {
    const own = byAda()
    const { passkey } = own
    const both = decisionBy(own, three, { approval: own, statement: passkey.statement } as never)
    expect(judged(both)).toMatchObject({ standing: 'altered', codes: ['two-forms'] })
    const listed = decisionBy(own, three, { priorApprovals: [approvalOf('claim')] as never })
    expect(judged(listed)).toMatchObject({ standing: 'altered', codes: ['two-forms'] })
    const inside = { ...priorBy(first()), approval: JSON.parse(JSON.stringify(first())) }
    expect(judged(after([inside])).codes).toContain('two-forms')
  })

  it('earlier approvals or a statement where nobody approved', () => {
    const made = decisionBy(session, [], { approval: undefined, prior: [priorBy(session)] } as never)
    expect(judged(made)).toMatchObject({ standing: 'altered', codes: ['no-approval'] })
  })

  it('a gap in their numbers', () => {
    const [one] = two() as [PriorApproval]
    const made = decisionBy(byAda(), three, { prior: [null, one] as never })
    expect(judged(made)).toMatchObject({ standing: 'altered', codes: ['approval-gap'] })
  })

  it.each<[string, unknown, string]>([
    ['control', 'x', 'not-an-object'],
    ['rules', { ...control, rules: null }, 'not-an-object'],
    ['the digest', { ...control, rules: { index: 1, digest: 'x' } }, 'not-a-hash'],
    ['the index', { ...control, rules: { ...control.rules, index: -1 } }, 'not-an-index'],
    ['the index, absent', { ...control, rules: { digest: control.rules.digest } }, 'not-an-index'],
    ['via', { ...control, via: 7 }, 'not-a-string'],
    ['what was shown', { ...control, shown: 'all' }, 'not-an-object'],
    ['the view', { ...control, shown: { language: 'en', template: null } }, 'not-a-string'],
    ['the template', { ...control, shown: { ...shown, template: 'x' } }, 'not-an-object'],
    ['its version', { ...control, shown: { ...shown, template: { ...shown.template, version: 'x' } } }, 'not-an-index'],
    ['its digest', { ...control, shown: { ...shown, template: { version: 3 } } }, 'not-a-hash'],
  ])('%s is malformed', (_, value, code) => {
    expect(judged(decisionBy(session, [], { control: value as Control }))).toMatchObject({ standing: 'altered' })
    expect(judged(decisionBy(session, [], { control: value as Control })).codes).toContain(code)
  })

  it.each<[string, unknown]>([
    ['no object', 'x'],
    ['without the approval', { ...priorBy(session), approval: 7 }],
    ['without control', { ...priorBy(session), control: null }],
    ['without a salt', { ...priorBy(session), salt: 'short' }],
  ])('an earlier approval: %s', (_, prior) => {
    expect(judged(decisionBy(session, [], { prior: [prior as PriorApproval] })).standing).toBe('altered')
  })

  it('what a newer version adds to control or to an earlier approval is left alone', () => {
    const place = { policyId: 'pol_1', version: 2, step: 0, by: 'role', since: 3, later: 1 }
    const more = { admitted: [place], usableUntil: '2040-01-01T00:00:00.000Z' }
    const prior = { ...priorBy(session, 0, { control: { via: 'oidc', ...more } as never }), later: 1 }
    expect(judged(after([prior], { control: { ...control, ...more } as unknown as Control }))).toMatchObject({
      ...{ standing: 'holds', codes: [] },
    })
  })
})

it('records of a sandbox stay test data, and rules that are not shown are said before', () => {
  const made = () => decisionBy(session, [], { center: firstSandboxId + 42 })
  expect(judged(made())).toMatchObject({ standing: 'sandbox', codes: [] })
  const { standing, verdict } = judged(without(made(), 'control'))
  expect([standing, verdict.sandbox]).toEqual(['rules-hidden', true])
  // Shown as one of a center.
  const renamed = put(made(), (evidence) => {
    Object.assign(evidence, { log: 'proof.example/c/42/proof' })
  })
  expect(judged(renamed).standing).toBe('altered')
})

it('never throws, whatever an earlier approval holds', () => {
  const lone = '\ud800'
  for (const value of [lone, { approval: { x: lone }, salt: 'A'.repeat(43), control: {} }, { approval: [] }, null, 7]) {
    const made = put(after(two()), (evidence) => {
      Object.assign(evidence, { prior0: value })
    })
    expect(verifyProof(made, policy).standing).toBe('altered')
  }
  expect(verifyProof({ evidence: { chain: {}, commitments: 7, event: {}, approval: {} } }, policy).standing).toBe(
    'altered',
  )
})

it('an older record is as it was: no rules, no page, nothing void', () => {
  const made = decisionBy(approvalBy('act_ada', keys.ada, adaKey, { statement: firstStatementOf('act_ada') }), three)
  const { standing, verdict, approvals } = judged(made)
  expect([standing, verdict.facts.decision?.rules]).toEqual(['holds', null])
  expect(approvals[0]).toMatchObject({ shown: null, noPage: false, via: null, void: null, hidden: false })
})
