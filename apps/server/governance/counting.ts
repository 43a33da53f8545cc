/** Which earlier approvals still count, and which places of the lines they fill now. Pure. */
import type { ActorRole } from '@countersign/contract/enums.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { VoidReason } from '@countersign/proof/control.ts'
import { lineName } from '@countersign/proof/line.ts'
import type { Approving, EarlierApproval, Standing } from './approving.ts'
import {
  admittedSometime,
  type Candidate,
  isUrgent,
  type Lines,
  type LineTurn,
  linesAfter,
  type People,
  type Place,
  type PlacedApproval,
  placesIn,
} from './line.ts'
import type { Applied } from './policies.ts'
import { type Requirements, rank, requirementsOf } from './requirements.ts'

/** What is known of a decision and of those who approved it so far. */
export type Approved = Pick<Approving, 'event' | 'earlier' | 'standing' | 'since'>

/** Why an earlier approval cannot fill a place of any line; null while it can. */
function voidOf(asked: Requirements, { event, standing }: Approved, given: EarlierApproval): VoidReason | null {
  const { position, approver, identity_level: level, identity_by: by, on_behalf_of: absent, passkey_id } = given
  if (given.taken_back_at) return 'takenBack'
  const isActor = comparableId(approver.id) === comparableId(event.actor.id)
  const isOther = !isActor || given.control?.fallback === 'alone'
  // A policy that became stricter asks again of those who gave less.
  if (approver.type !== 'human' || !isOther || rank(level) < rank(asked.identity)) return 'policy'
  if (level === 'claim') return by === event.recorded_by ? 'policy' : null
  if (!standing) return null
  if (!standing.members.has(by)) return 'member'
  if (!standing.members.has(absent ?? by) || standing.withdrawn.has(position)) return 'role'
  return passkey_id !== null && !standing.isBound(passkey_id) ? 'key' : null
}

/** An earlier approval as it counts now. */
export interface Counted {
  readonly void: VoidReason | null
  readonly places: readonly Place[]
}

export interface Replay {
  readonly lines: Lines
  readonly people: People
  readonly turns: readonly LineTurn[]
  readonly counting: readonly EarlierApproval[]
  /** For each earlier approval, in their order, where its places are found. */
  readonly placed: readonly (PlacedApproval | VoidReason | null)[]
}

export const sinceOf = ({ since = 0 }: Pick<Approving, 'since'>): number => since

/**
 * `byClaim`: whether claims fill the places; null where nobody approves now. With the first member, earlier claims fill nothing.
 */
export function replay(asked: Requirements, approving: Approved, byClaim: boolean | null): Replay {
  const { event, earlier, standing } = approving
  const lines = {
    lines: asked.lines,
    identity: asked.identity,
    since: sinceOf(approving),
    actor: comparableId(event.actor.id),
  }
  const placed = earlier.map((given) => {
    if (given.taken_back_at) return 'takenBack'
    if (given.result !== 'approved') return null
    return voidOf(asked, approving, given) ?? placedOf(given, standing, lines.since)
  })
  const isPlaced = (each: (typeof placed)[number]): each is PlacedApproval => typeof each === 'object' && each !== null
  const filling = placed.filter(isPlaced)
  const isByClaim = byClaim ?? filling.every(({ level }) => level === 'claim')
  const counting = filling.filter(({ level }) => (level === 'claim') === isByClaim)
  // A claim that is given is weighed beside those whom the lines name: of others nothing is known.
  const named = asked.lines.flatMap(({ steps }) => steps.flatMap(({ actorIds = [] }) => actorIds))
  const candidates = byClaim ? named.map((actorId) => ({ actorId, roles: null })) : (standing?.people ?? [])
  const turns = linesAfter(lines, counting, { candidates })
  const acceptable = earlier.filter((_, at) => isPlaced(placed[at] ?? null))
  return { lines, people: { candidates }, turns, counting: acceptable, placed }
}

/** Whose place an approval fills. `since`: when it was given, where that is not known. */
function placedOf(
  given: EarlierApproval,
  standing: Pick<Standing, 'members' | 'families' | 'people'> | null,
  since: number,
): PlacedApproval {
  const { approver, identity_level: level, identity_by: by, on_behalf_of: absent, control, created_at } = given
  const named = [approver.id, ...(level === 'claim' ? [] : [by]), ...(absent ? [absent] : [])]
  const own = new Set([...named.map(comparableId), ...(level === 'claim' ? [keyName(by)] : [])])
  const families = named.flatMap((id) => standing?.families?.get(id) ?? [])
  const roles = level === 'claim' ? null : (standing?.members.get(absent ?? by) ?? null)
  return {
    person: {
      ...personOf(level === 'claim' ? approver.id : (absent ?? by), roles, standing),
      ...(control?.roleSince && { roleSince: control.roleSince }),
    },
    level,
    own,
    ids: new Set([...own, ...families.map(comparableId)]),
    at: created_at === undefined ? since : Date.parse(created_at),
    ...judgedBefore(control ?? null),
  }
}

/** Groups are read with the people: only lines of steps name them. */
export function personOf(
  actorId: string,
  roles: readonly ActorRole[] | null,
  standing: Pick<Standing, 'people'> | null,
): Candidate {
  const known = roles === null ? undefined : standing?.people?.find((each) => each.actorId === actorId)
  return { ...known, actorId, roles }
}

/** What was judged of an approval when it was given. */
function judgedBefore(
  control: EarlierApproval['control'],
): Pick<PlacedApproval, 'taken' | 'seen' | 'roles' | 'alone' | 'emergency'> {
  const { admitted = [], seen, roles, fallback, emergency } = control ?? {}
  const taken = new Map<string, number>()
  for (const place of admitted) {
    if (!('policyId' in place)) continue
    const name = lineName(place)
    taken.set(name, (taken.get(name) ?? 0) + 1)
  }
  return {
    taken,
    ...(seen && { seen: new Set(seen) }),
    ...(roles !== undefined && { roles }),
    ...(fallback === 'alone' && { alone: [] }),
    ...(emergency && { emergency }),
  }
}

/** Two claims through one key are those of one person. No id of a person begins like this. */
export const keyName = (keyId: string): string => `\0key ${keyId}`

/** Each earlier approval as it counts after the replay. */
export function countedIn({ lines, placed }: Replay, turns: readonly LineTurn[]): readonly Counted[] {
  return placed.map((each) => {
    if (each === null || typeof each === 'string') return { void: each, places: [] }
    const places = placesIn(turns, each)
    if (places.length > 0) return { void: null, places }
    const isAdmitted = each.emergency
      ? lines.lines.some((line) => isUrgent(line, each))
      : admittedSometime(lines, each.person)
    return { void: isAdmitted ? 'order' : 'role', places }
  })
}

/** For each earlier approval, in their order. */
export function countedOf(policies: readonly Applied[], approving: Approving): readonly Counted[] {
  const asked = requirementsOf(policies, approving.event.risk_score)
  if (!asked) return uncounted(approving)
  const replayed = replay(asked, approving, approving.voucher.level === 'claim')
  return countedIn(replayed, replayed.turns)
}

export const uncounted = ({ earlier }: Approving): readonly Counted[] =>
  earlier.map(({ taken_back_at }) => ({ void: taken_back_at ? 'takenBack' : null, places: [] }))
