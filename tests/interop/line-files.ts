/**
 * Approval lines by chance: policies, people and approvals as the service judges them, sealed as it would. And the same made false by
 * whoever holds the key of the log, so that nothing but the line contradicts them.
 */
import type { RequiredIdentity } from '@countersign/contract/enums.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { Admitted } from '@countersign/proof/control.ts'
import { isFull, lineName, lineOf, placesIn, type StepText } from '@countersign/proof/line.ts'
import { asks, type PolicyText } from '@countersign/proof/policy-text.ts'
import { type LineCase, type LinePolicy, type Placed, textOf } from '@countersign/proof/test/lines.ts'
import {
  type Candidate,
  type Lines,
  linesAfter,
  type PlacedApproval,
  standingIn,
} from '../../apps/server/governance/line.ts'
import { below, counting, type Forge, oneOf, placesOf, put, type Random, some } from './line-chance.ts'
import { confirmedBy, emergencyForgeries } from './line-emergencies.ts'

const roles = ['ADMIN', 'INSTRUCTOR'] as const
const groups = ['grp_1', 'grp_2']
/** Some of these ids are spelled in more than one way. */
const people: readonly Candidate[] = ['act_a', 'ACT_B', 'act-ｃ', 'act_d', 'act_straße', 'act_f', 'act_g'].map(
  (actorId, at) => ({
    actorId,
    roles: [roles[at % 2] as 'ADMIN'],
    groupIds: groups.filter((_, group) => (at + group) % 3 === 0),
  }),
)
const ids = people.map(({ actorId }) => actorId)

function stepBy(random: Random, isClaimed: boolean): StepText {
  const way = isClaimed ? 2 : below(random, 5)
  const escalates = random() < 0.3
  return {
    ...(way === 1 && { roles: some(random, roles) }),
    ...(way >= 2 && way !== 4 && { actorIds: some(random, ids) }),
    ...(way === 4 && { groupIds: some(random, groups) }),
    ...(random() < 0.4 && { count: 1 + below(random, 3) }),
    ...(!isClaimed && random() < 0.2 && { identity: 'session' }),
    ...(random() < 0.3 && { title: '팀장' }),
    ...(escalates && {
      escalateTo: {
        afterSeconds: 1 + below(random, 900),
        ...(isClaimed || random() < 0.5 ? { actorIds: some(random, ids) } : { roles: some(random, roles) }),
      },
    }),
  }
}

const urgentBy = (random: Random) => ({
  ...oneOf(random, [
    { roles: some(random, roles) },
    { actorIds: some(random, ids) },
    { actorIds: some(random, ids) },
    { groupIds: some(random, groups) },
  ]),
  confirmWithinSeconds: 20 + below(random, 40),
})

function policyBy(random: Random, id: string, isClaimed: boolean): LinePolicy {
  const isLong = random() < 0.7
  const guards = oneOf(random, [
    { humanReview: true },
    { riskThreshold: 0.1 + below(random, 5) / 10 },
    { minimumEvidenceLevel: 'AUDIT_READY' },
    isLong ? { humanReview: true, riskThreshold: 0.4 } : { dualApproval: true },
    { policyRequired: true },
  ])
  const { count: _, identity: __, title: ___, groupIds: ____, ...short } = stepBy(random, isClaimed)
  const asksAlways = !('policyRequired' in guards)
  const body = {
    name: `Policy ${id}`,
    scope: 'center',
    match: {},
    guards,
    approval: {
      identity: isClaimed ? 'claim' : 'session',
      ...(isLong ? { steps: Array.from({ length: 1 + below(random, 3) }, () => stepBy(random, isClaimed)) } : short),
      ...(!isClaimed && asksAlways && random() < 0.5 && { emergency: urgentBy(random) }),
    },
  }
  return { id, version: 1 + below(random, 3), body }
}

/** Null where these people did not come to an end. */
export function lineBy(random: Random): LineCase | null {
  const isClaimed = random() < 0.2
  const policies = Array.from({ length: 1 + below(random, 3) }, (_, at) => policyBy(random, `pol_${at}`, isClaimed))
  const riskScore = random() < 0.3 ? null : below(random, 10) / 10
  const asking = policies.filter(({ body }) => asks(body as PolicyText, riskScore ?? 'absent'))
  const lines = asking.map(({ id, version, body }) => lineOf({ id, version, body: body as PolicyText }))
  if (lines.length === 0 || lines.some((line) => placesIn(line) > 9)) return null
  const identity: RequiredIdentity = isClaimed ? 'claim' : 'session'
  const asked: Lines = { lines, identity, since: 0, actor: 'agent-1' }
  const candidates: readonly Candidate[] = isClaimed ? people.map(({ actorId }) => ({ actorId, roles: null })) : people
  const given: PlacedApproval[] = []
  const voids: { readonly after: number; readonly placed: Placed }[] = []
  let at = 0
  for (let tries = 0; tries < 120 && given.length < 12; tries += 1) {
    at += 1000 * (1 + below(random, 300))
    const person = oneOf(random, candidates)
    const deputy = !isClaimed && random() < 0.15 ? oneOf(random, candidates) : person
    const ids = new Set([person.actorId, deputy.actorId].map(comparableId))
    const emergency = !isClaimed && random() < 0.2
    const next: PlacedApproval = { person, level: identity, own: ids, ids, at, ...(emergency && { emergency }) }
    const turns = linesAfter(asked, given, { candidates })
    if (turns.every(isFull)) break
    if (!turns.some((turn) => standingIn(asked, turn, next, { candidates }).kind === 'place')) {
      const placed = { ...placedBy(next, deputy.actorId, []), void: oneOf(random, ['order', 'takenBack', 'role']) }
      if (random() < 0.05 && voids.length < 3) voids.push({ after: given.length, placed })
      continue
    }
    const after = linesAfter(asked, [...given, next], { candidates })
    const taken = new Map(
      after.flatMap(({ line, seats }) => {
        const own = seats.filter((seat) => seat.given === next).length
        return own > 0 ? [[lineName(line), own] as const] : []
      }),
    )
    const seen = new Set(lines.map(lineName))
    given.push({ ...next, taken, seen, deputyId: deputy.actorId } as PlacedApproval)
  }
  const turns = linesAfter(asked, given, { candidates })
  if (!turns.every(isFull)) return null
  const last = (given.at(-1) as PlacedApproval).at
  const sealed = given.map((each) => {
    const places = turns.flatMap(({ line: { policyId, version }, seats }) =>
      seats
        .filter((seat) => seat.given === each)
        .map(({ step, by }): Admitted => ({ policyId, version, step, by, ...(!isClaimed && { since: 3 }) })),
    )
    const { deputyId } = each as PlacedApproval & { readonly deputyId: string }
    return { ...placedBy(each, deputyId, places), before: (last - each.at) / 1000 }
  })
  const all = sealed.flatMap((each, position) => [
    ...voids.filter(({ after }) => after === position).map(({ placed }) => ({ ...placed, before: each.before + 1 })),
    each,
  ])
  return confirmedBy(random, { policies, given: all, riskScore }, asking, people)
}

const placedBy = ({ person, level, emergency }: PlacedApproval, id: string, places: readonly Admitted[]): Placed => ({
  id,
  ...(emergency && { emergency }),
  level: level as Placed['level'],
  ...(person.actorId !== id && { onBehalfOf: person.actorId }),
  places,
})

/** Lines until there are so many. */
export function* linesBy(random: Random, count: number): Generator<LineCase> {
  for (let found = 0; found < count; ) {
    const made = lineBy(random)
    if (made === null) continue
    found += 1
    yield made
  }
}

/** Two approvals with a place in one line each, and these places. */
function pairIn(line: LineCase, random: Random, isWanted: (one: Admitted, other: Admitted) => boolean) {
  const found = counting(line).flatMap((one) =>
    counting(line).flatMap((other) =>
      one >= other
        ? []
        : placesOf(line.given[one] as Placed).flatMap((mine) =>
            placesOf(line.given[other] as Placed).flatMap((theirs) =>
              lineName(mine) === lineName(theirs) && isWanted(mine, theirs) ? [{ one, other, mine, theirs }] : [],
            ),
          ),
    ),
  )
  return found.length === 0 ? null : oneOf(random, found)
}
/** Whoever has a place may approve in an emergency too. */
const areOrdinary = (one: Admitted, other: Admitted): boolean => one.by !== 'emergency' && other.by !== 'emergency'
const swapIn = (places: readonly Admitted[], from: Admitted, to: Admitted | null): Admitted[] =>
  places.flatMap((each) => (each !== from ? [each] : to === null ? [] : [to]))
const anyPlace = (line: LineCase, random: Random) => {
  const at = oneOf(random, counting(line))
  return { at, places: placesOf(line.given[at] as Placed), place: oneOf(random, placesOf(line.given[at] as Placed)) }
}
const changed = (line: LineCase, random: Random, change: (place: Admitted) => Partial<Admitted> | null) => {
  const { at, places, place } = anyPlace(line, random)
  const to = change(place)
  return to && { line: put(line, at, { places: swapIn(places, place, { ...place, ...to }) }) }
}

/** Each makes a line false in one way. Another way is one more member here. */
const lineForgeries: Readonly<Record<string, Forge>> = {
  'steps swapped': (line, random) => {
    const pair = pairIn(line, random, (mine, theirs) => mine.step !== theirs.step)
    if (!pair) return null
    const { one, other, mine, theirs } = pair
    const first = swapIn(placesOf(line.given[one] as Placed), mine, { ...mine, step: theirs.step })
    const second = swapIn(placesOf(line.given[other] as Placed), theirs, { ...theirs, step: mine.step })
    return { line: put(put(line, one, { places: first }), other, { places: second }) }
  },
  'a step skipped': (line, random) => {
    const { at, places, place } = anyPlace(line, random)
    return { line: put(line, at, { places: swapIn(places, place, null) }) }
  },
  'a step that is not there': (line, random) =>
    changed(line, random, ({ step }) => ({ step: step + 1 + below(random, 9) })),
  'a place doubled': (line, random) => {
    const { at, places, place } = anyPlace(line, random)
    return { line: put(line, at, { places: [...places, place] }) }
  },
  'an approval doubled': (line, random) => {
    const at = oneOf(random, counting(line))
    const again = { ...(line.given[at] as Placed) }
    return { line: { ...line, given: [...line.given.slice(0, at), again, ...line.given.slice(at)] } }
  },
  'one person in two places': (line, random) => {
    const pair = pairIn(line, random, areOrdinary)
    if (!pair) return null
    const { id, onBehalfOf } = line.given[pair.one] as Placed
    const { onBehalfOf: _, ...own } = line.given[pair.other] as Placed
    const same = { ...own, id: id.toUpperCase(), ...(onBehalfOf !== undefined && { onBehalfOf }) }
    return { line: { ...line, given: line.given.with(pair.other, same) } }
  },
  'a deputy beside the one whose deputy they are': (line, random) => {
    const pair = pairIn(line, random, areOrdinary)
    return pair && { line: put(line, pair.other, { onBehalfOf: (line.given[pair.one] as Placed).id }) }
  },
  "another policy's place": (line, random) =>
    changed(line, random, ({ policyId }) => {
      const other = line.policies.find(({ id }) => id !== policyId)
      return other ? { policyId: other.id, version: other.version } : { policyId: 'pol_9' }
    }),
  'a line of an older version': (line, random) => changed(line, random, ({ version }) => ({ version: version + 1 })),
  'the text of an older version': (line) => {
    const older = line.policies.map((policy) => ({ ...policy, body: { ...policy.body, name: 'Before' } }))
    return { line, texts: older.map(textOf) }
  },
  'a hidden prior approval': (line, random) => {
    const at = oneOf(random, counting(line))
    return line.given.length < 2 ? null : { line: { ...line, given: line.given.filter((_, each) => each !== at) } }
  },
  'an approval that did not count': (line, random) => {
    const at = oneOf(random, counting(line))
    return at === line.given.length - 1 ? null : { line: put(line, at, { void: 'order' }) }
  },
  'an approval without a place': (line, random) => ({ line: put(line, oneOf(random, counting(line)), { places: [] }) }),
  'admitted as a person whom nobody named': (line, random) => {
    const { at, places, place } = anyPlace(line, random)
    const { onBehalfOf: _, ...own } = line.given[at] as Placed
    const stranger = { ...own, id: 'act_eve', places: swapIn(places, place, { ...place, by: 'person' }) }
    return { line: { ...line, given: line.given.with(at, stranger) } }
  },
  "the decision's own actor": (line, random) => ({ line: put(line, oneOf(random, counting(line)), { id: 'Agent-1' }) }),
  'approved alone': (line, random) => ({ line: put(line, oneOf(random, counting(line)), { alone: true }) }),
  'a program': (line, random) => ({ line: put(line, oneOf(random, counting(line)), { type: 'ai_agent' }) }),
  'at a lower level': (line, random) =>
    line.given.every(({ level }) => level === 'session')
      ? { line: put(line, oneOf(random, counting(line)), { level: 'claim' }) }
      : null,
}

export const forgeries: Readonly<Record<string, Forge>> = { ...lineForgeries, ...emergencyForgeries }
