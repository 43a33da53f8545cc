/**
 * Runs the real judging over decisions, approvals and reviews while the rules change, and compares what passes with what
 * would have passed before: under the first rules, in which only the policies that a change was said to loosen ask for nothing.
 */
import { requiredIdentities } from '@countersign/contract/enums.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { isFull, lineOf } from '@countersign/proof/line.ts'
import fc from 'fast-check'
import { hasExpired } from '../../features/evidence/decision-events/decision.ts'
import { Problem } from '../../lib/problem.ts'
import { judgeApproval } from '../approvals.ts'
import type { Approving, EarlierApproval, Voucher } from '../approving.ts'
import { countedOf } from '../counting.ts'
import { isUrgent, linesAfter } from '../line.ts'
import type { loosened } from '../loosens.ts'
import { type Applied, appliedOf, factsOfEvent, matchPolicies } from '../policies.ts'
import { judgeRaise, mayReview, type Raising } from '../raising.ts'
import { judgeDecision, type Requirements, requirementsOf, sixWOfEvent } from '../requirements.ts'
import type { EventRow, PolicyRow } from '../rows.ts'
import { center, event } from './examples.ts'
import {
  actionTypes,
  bodiesFor,
  change,
  changed,
  eventTypes,
  noGuard,
  people,
  pointers,
  rowsOf,
} from './policy-changes.ts'

type Person = (typeof people)[number]
/** `lee` and `choi` are one person with two accounts. */
const members = {
  kim: { actorId: 'kim', membershipId: 'mbr-kim', roles: ['ADMIN'], family: ['kim'], groupIds: ['grp-1'] },
  lee: { actorId: 'lee', membershipId: 'mbr-lee', roles: ['INSTRUCTOR'], family: ['lee', 'choi'], groupIds: ['grp-2'] },
  park: { actorId: 'park', membershipId: 'mbr-park', roles: ['ADMIN'], family: ['park'], groupIds: ['grp-1', 'grp-2'] },
  choi: { actorId: 'choi', membershipId: 'mbr-choi', roles: ['INSTRUCTOR'], family: ['lee', 'choi'], groupIds: [] },
} as const
const times = [0, 29, 30, 150, 300, 2000, 3000, 9000] as const

interface Attempt {
  readonly who: Person | 'agent-7'
  readonly type: 'human' | 'system'
  readonly level: 'claim' | 'session' | 'passkey'
  readonly key: string
  readonly absent: Person | null
  /** In an emergency, in place of the whole line. */
  readonly urgent: boolean
  /** Its place in `times`, and after how many of the changes. */
  readonly time: number
  readonly stage: number
}

const often = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) => fc.oneof({ weight: 9, arbitrary: usual }, other)

const attempt: fc.Arbitrary<Attempt> = fc.record({
  who: often<Attempt['who']>(fc.constantFrom(...people), fc.constant('agent-7')),
  type: often<Attempt['type']>(fc.constant('human'), fc.constant('system')),
  level: fc.constantFrom('claim', 'session', 'passkey', 'passkey', 'passkey'),
  key: fc.constantFrom('key-1', 'key-2', 'key-3'),
  absent: fc.option(fc.constantFrom(...people), { nil: null, freq: 8 }),
  urgent: often(fc.constant(false), fc.constant(true)),
  time: fc.oneof(fc.nat(2), fc.nat(times.length - 1)),
  stage: fc.nat(6),
})

const decision = fc.record({
  type: fc.constantFrom(...eventTypes),
  action: fc.record({
    type: fc.constantFrom(...actionTypes),
    input: fc.record({ amount: fc.constantFrom<unknown>(100, 5000, '5000') }, { requiredKeys: [] }),
  }),
  actor: fc.constantFrom(
    { id: 'agent-7', type: 'ai_agent' },
    { id: 'agent-7', type: 'ai_agent' },
    { id: 'kim', type: 'human' },
  ),
  tags: fc.subarray(['urgent', 'late']),
  reason: fc.option(fc.constant('Asked for'), { nil: null, freq: 6 }),
  risk_score: fc.constantFrom(null, 0.1, 0.5, 0.9),
})

/** `among`: the members that edits change. `isHonest`: steps that loosen anything are left out. */
export const histories = (among: readonly string[] = pointers) =>
  fc.record({
    before: bodiesFor(among),
    changes: fc.array(change(among), { minLength: 1, maxLength: 6 }),
    isHonest: fc.boolean(),
    decided: decision,
    attempts: fc.array(attempt, { minLength: 1, maxLength: 6, size: 'max' }),
    gone: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.constantFrom(...people)),
  })
type History = ReturnType<typeof histories> extends fc.Arbitrary<infer T> ? T : never

/** How often the generated histories came to something that could have gone wrong. */
export interface Counts {
  pairs: number
  /** Steps that are no loosening, of policies that hold or refuse the decision. */
  held: number
  sealed: number
  sealedByTwo: number
  /** All places of the lines filled, after a change. */
  filled: number
}
export const newCounts = (): Counts => ({ pairs: 0, held: 0, sealed: 0, sealedByTwo: 0, filled: 0 })

const outcomes = ['refused', 'approval_required', 'completed'] as const
const started = '2026-11-15T09:00:00.000Z'
const waiting = { since: started, deadline: null }
const later = (seconds: number) => new Date(Date.parse(started) + seconds * 1000).toISOString()

/** A sentence about what passes and did not pass before; null where all is well. */
export function fault(history: History, judge: typeof loosened, counts: Counts): string | null {
  const { changes, isHonest, decided, gone } = history
  const decidedEvent = event({ ...decided, recorded_by: 'key-1' } as Partial<EventRow>)
  const matching = (rows: readonly PolicyRow[]) => matchPolicies(rows, factsOfEvent(decidedEvent), center)
  const sixW = sixWOfEvent(decidedEvent, center, { evidenceLevel: 'DRAFT' })
  const tried = <T>(judging: () => T): T | 'refused' => {
    try {
      return judging()
    } catch (error) {
      if (error instanceof Problem) return 'refused'
      throw error
    }
  }
  const outcomeOf = (policies: readonly Applied[]) =>
    outcomes.indexOf(tried(() => judgeDecision(policies, sixW, decidedEvent.risk_score)))

  const first = rowsOf(history.before)
  const stages = [{ rows: first, free: new Set<string>() }]
  for (const [step, each] of changes.entries()) {
    const { rows, free } = stages.at(-1) as (typeof stages)[number]
    const next = changed(rows, each, step)
    const ids = judge(rows.map(appliedOf), next.map(appliedOf))
    if (isHonest && ids.length > 0) continue
    counts.pairs++
    stages.push({ rows: next, free: new Set([...free, ...ids]) })
  }
  /** The first rules, without what the policies ask for that were said to be loosened until that stage. */
  const heldAt = (stage: number) => {
    const { free } = stages[stage] as (typeof stages)[number]
    const neutral = first.map((row) => {
      if (!free.has(appliedOf(row).id)) return row
      const { approval: _, ...text } = JSON.parse(row.policy)
      return { ...row, policy: JSON.stringify({ ...text, guards: noGuard }) }
    })
    return matching(neutral)
  }

  for (const [stage, { rows, free }] of stages.entries()) {
    const [old, now] = [heldAt(stage), matching(rows)]
    if (stage > 0 && free.size === 0 && outcomeOf(old) < 2) counts.held++
    if (outcomeOf(now) > outcomeOf(old)) {
      return `stage ${stage}: ${outcomes[outcomeOf(old)]} before, ${outcomes[outcomeOf(now)]} now`
    }
    const asked = [old, now].map((each) => requirementsOf(each, decidedEvent.risk_score)) as [Asked, Asked]
    const less = asksLess(...asked)
    if (less) return `stage ${stage}: ${less}`
    for (const raising of raisings(decidedEvent)) {
      const [was, is] = [old, now].map((each) => tried(() => judgeRaise(each, sixW, raising)))
      if (was === 'refused' && is !== 'refused') return `stage ${stage}: a review passes, ${JSON.stringify(raising)}`
    }
  }

  /** Whether the approvals seal, each under the policies that it names; the last one, and those that count beside it. */
  function sealing(attempts: readonly Attempt[], policiesOf: (attempt: Attempt) => readonly Applied[]) {
    const earlier: (EarlierApproval & { readonly attempt: Attempt })[] = []
    for (const each of attempts) {
      const policies = policiesOf(each)
      const waited = times[each.time] as number
      if (hasExpired(requirementsOf(policies, decidedEvent.risk_score), waiting, later(waited))) return null
      const approving = approvingOf(each, earlier, decidedEvent, gone)
      const verdict = tried(() => judgeApproval(policies, sixW, approving).verdict)
      if (verdict === 'refused') continue
      if (verdict === 'seals') {
        const counted = countedOf(policies, approving)
        const isAsked = requirementsOf(policies, decidedEvent.risk_score) !== null
        const beside = isAsked ? earlier.filter((_, at) => counted[at]?.void === null) : []
        return { stage: each.stage, counting: [...beside.map((given) => given.attempt), each] }
      }
      earlier.push(givenBy(each, earlier.length))
    }
    return null
  }
  const attempts = history.attempts
    .map((each) => ({ ...each, stage: Math.min(each.stage, stages.length - 1) }))
    .sort((one, other) => one.time - other.time)
  let stage = 0
  const inOrder = attempts.map((each) => {
    stage = Math.max(stage, each.stage)
    return { ...each, stage }
  })
  for (const [at, { rows }] of stages.entries()) {
    const now = placed(matching(rows), decidedEvent, attempts, gone)
    if (at === 0 || now === null) continue
    counts.filled++
    if (placed(heldAt(at), decidedEvent, attempts, gone) === null) {
      return `stage ${at}: every place is filled by ${JSON.stringify(attempts)}, and was not before`
    }
  }
  const sealed = sealing(inOrder, (each) => matching((stages[each.stage] as (typeof stages)[number]).rows))
  if (sealed === null || sealed.stage === 0) return null
  counts.sealed++
  if (sealed.counting.length > 1) counts.sealedByTwo++
  const old = heldAt(sealed.stage)
  if (sealing(sealed.counting, () => old)) return null
  return `sealed at stage ${sealed.stage} by ${JSON.stringify(sealed.counting)}, which would not have sealed before`
}

/** How many places the attempts fill, judged as lines by themselves; null while one is empty. */
function placed(
  policies: readonly Applied[],
  { actor, risk_score }: EventRow,
  attempts: readonly Attempt[],
  gone: Person | null,
): number | null {
  const asked = requirementsOf(policies, risk_score)
  if (!asked) return 0
  const lines = policies.filter((each) => requirementsOf([each], risk_score) !== null).map(lineOf)
  const here = Object.values(members).filter(({ actorId }) => actorId !== gone)
  const approvals = attempts.flatMap(({ who, level, time, urgent }) => {
    const person = here.find(({ actorId }) => actorId === who)
    if (!person || level === 'claim' || who === actor.id) return []
    const ids = new Set(person.family.map(comparableId))
    return {
      person: { ...person, ids },
      own: new Set([comparableId(who)]),
      ids,
      level,
      at: Date.parse(started) + (times[time] as number) * 1000,
      ...(urgent && { emergency: true }),
    }
  })
  const since = Date.parse(started)
  const candidates = here.map((each) => ({ ...each, ids: new Set(each.family.map(comparableId)) }))
  const asking = { lines, identity: asked.identity, since, actor: comparableId(actor.id) }
  const turns = linesAfter(asking, approvals, { candidates })
  return turns.every(isFull) ? turns.reduce((sum, { seats }) => sum + seats.length, 0) : null
}

type Asked = Requirements | null
const rank = ({ identity }: Requirements) => requiredIdentities.indexOf(identity)
const candidates = [...Object.values(members), ...people.map((actorId) => ({ actorId, roles: null }))]

function asksLess(old: Asked, now: Asked): string | null {
  if (old === null) return null
  if (now === null) return 'no approval is asked for any more'
  if (rank(now) < rank(old)) return 'a lower level is enough'
  if (now.approvals < old.approvals) return 'fewer approvals are enough'
  const [until, was] = [now, old].map(({ expiresAfterSeconds }) => expiresAfterSeconds ?? Number.POSITIVE_INFINITY)
  if ((until as number) > (was as number)) return 'it expires later'
  if (now.usableForSeconds > old.usableForSeconds) return 'it can be used for longer'
  const urgent = hurries(old, now)
  if (urgent) return urgent
  for (const who of candidates) {
    for (const waited of times) {
      if (mayReview(now.lines, who, waited) && !mayReview(old.lines, who, waited)) {
        return `${who.actorId} (${who.roles}) may approve after ${waited} s`
      }
    }
  }
  return null
}

/** Who could approve in an emergency and could not before, or with more time to confirm it. */
function hurries(old: Requirements, now: Requirements): string | null {
  for (const line of now.lines) {
    const was = old.lines.find(({ policyId }) => policyId === line.policyId)
    if (!was || !line.emergency) continue
    for (const member of Object.values(members)) {
      const given = { person: { ...member, ids: new Set([member.actorId]) }, level: 'passkey' as const }
      if (!isUrgent(line, given)) continue
      if (!isUrgent(was, given)) return `${member.actorId} may approve in an emergency`
      if (line.emergency.confirmWithinSeconds > (was.emergency?.confirmWithinSeconds ?? 0))
        return 'it is confirmed later'
    }
  }
  return null
}

const raisings = ({ actor, risk_score: riskScore }: EventRow): readonly Raising[] =>
  (['kim', 'lee'] as const).flatMap((who) =>
    (['session', 'passkey'] as const).map((identity) => ({
      to: 'AUDIT_READY' as const,
      by: members[who],
      identity,
      raisedBy: identity === 'session' ? null : 'park',
      riskScore,
      actorId: actor.id,
      waited: 300,
    })),
  )

const memberOf = (who: Attempt['who']) => (who === 'agent-7' ? members.kim : members[who])

function approvingOf(
  { who, type, level, key, absent, urgent, time }: Attempt,
  earlier: readonly EarlierApproval[],
  decided: EventRow,
  gone: Person | null,
): Approving {
  const voucher: Voucher =
    level === 'claim'
      ? { level, by: key, line: [key], maySpeak: key !== 'key-3', boundTo: null }
      : { ...memberOf(who), level, onBehalfOf: absent === null ? null : members[absent] }
  const standing = {
    members: new Map(
      Object.values(members).flatMap(({ actorId, roles }) => (actorId === gone ? [] : [[actorId, roles] as const])),
    ),
    withdrawn: new Set<number>(),
    isBound: () => true,
  }
  const since = Date.parse(started)
  const waited = times[time] as number
  const given = { approver: { id: who, type }, voucher, ...(urgent && { emergency: true }) }
  return { ...given, event: decided, earlier, standing, since, waited }
}

const givenBy = (attempt: Attempt, position: number) => ({
  attempt,
  position,
  approver: { id: attempt.who, type: attempt.type },
  result: 'approved',
  identity_level: attempt.level,
  identity_by: attempt.level === 'claim' ? attempt.key : memberOf(attempt.who).actorId,
  on_behalf_of: attempt.level === 'claim' ? null : attempt.absent,
  passkey_id: attempt.level === 'passkey' ? 'cred' : null,
  created_at: later(times[attempt.time] as number),
  ...(attempt.urgent && { control: { emergency: true as const } }),
})
