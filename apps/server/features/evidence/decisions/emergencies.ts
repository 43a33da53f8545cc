/** How what was approved in an emergency stands, for those who read the decision. Pure. */
import type { readDecision } from '@countersign/contract/decisions.ts'
import type { PayloadOf, SpecOf } from '@countersign/contract/operation.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { isFull } from '@countersign/proof/line.ts'
import { type Confirming, confirmingOf, rightsOf, stateAt } from '../../../governance/confirming.ts'
import { ableAt, asGiven, highestOf, linesWith, standingIn } from '../../../governance/line.ts'
import type { Applied } from '../../../governance/policies.ts'
import { typedId } from '../../../lib/ids.ts'
import type { ShownEmergency } from './confirmation-queries.ts'
import type { ShownLine } from './lines.ts'
import type { Staff } from './people.ts'
import type { Standing } from './turns.ts'

type Details = PayloadOf<SpecOf<typeof readDecision>, 200>
export type Emergency = NonNullable<Details['emergency']>
export type EmergencyRight = NonNullable<NonNullable<Details['waiting']>['emergency']>

const nameOf = ({ id, version }: { readonly id: string; readonly version: number }): string => `${id} ${version}`

/** `known`: the texts of versions by their names. */
export function confirmingNow(row: ShownEmergency, known: ReadonlyMap<string, Applied>): Confirming | null {
  const policies = (row.sealed_policies ?? []).flatMap((each) => known.get(nameOf(each)) ?? [])
  const { risk_score: riskScore, actor_id: actorId, sealed_at: sealedAt } = row
  return confirmingOf(row, { policies, riskScore, actorId: actorId ?? '', sealedAt })
}

export const textsByName = (texts: readonly Applied[]): ReadonlyMap<string, Applied> =>
  new Map(texts.map((policy) => [nameOf(policy), policy]))

/** Those whose turn it is, and whoever stands in for them and is not the one who used it. */
export function confirmersNow(
  confirming: Confirming | null,
  { candidates, deputies }: Pick<Staff, 'candidates' | 'deputies'>,
  at: number,
): { readonly confirm: ReadonlySet<string>; readonly object: ReadonlySet<string> } {
  if (!confirming) return { confirm: new Set(), object: new Set() }
  const { confirm, object } = rightsOf(confirming, candidates, at)
  const { asked } = confirming
  const isFree = (id: string) =>
    comparableId(id) !== asked.actor && !(asked.without ?? []).some(({ own }) => own.has(comparableId(id)))
  const known = new Set(candidates.map(({ actorId }) => actorId))
  const withDeputies = (people: readonly { readonly actorId: string }[]): ReadonlySet<string> => {
    const ids = new Set(people.map(({ actorId }) => actorId))
    const standIns = deputies.filter(({ actor_id, deputy_id }) => ids.has(actor_id) && known.has(deputy_id))
    return new Set([...ids, ...standIns.map(({ deputy_id }) => deputy_id).filter(isFree)])
  }
  return { confirm: withDeputies(confirm), object: withDeputies(object) }
}

interface Reader {
  readonly actorId: string
  readonly isAdmin: boolean
  readonly accounts: readonly string[]
}

/** `reader`: null for a program, which can do nothing about it and learns no names. */
export function emergencyOf(
  row: ShownEmergency,
  approvals: readonly number[],
  confirming: Confirming | null,
  staff: Pick<Staff, 'candidates' | 'deputies'>,
  names: ReadonlyMap<string, string>,
  reader: Reader | null,
  at: Date,
): Emergency {
  const state = stateAt(row, at.toISOString())
  const able = confirmersNow(state === 'open' ? confirming : null, staff, at.getTime())
  const isUser = reader?.accounts.some((id) => row.used_by.includes(id)) ?? true
  const isSettled = row.closed_at !== null || state === 'open' || state === 'confirmed'
  return {
    approvals: [...approvals],
    confirmBy: new Date(row.confirm_by).toISOString(),
    state,
    confirmations: row.confirmations.map(({ result, by_actor, on_behalf_of, reason, level, at: given }) => ({
      result,
      by: by_actor,
      name: reader === null ? null : (names.get(by_actor) ?? null),
      ...(on_behalf_of && { onBehalfOf: on_behalf_of }),
      ...(reason !== null && { reason }),
      level,
      at: new Date(given).toISOString(),
    })),
    closedBy: row.closed_by,
    closedAt: row.closed_at && new Date(row.closed_at).toISOString(),
    closeReason: row.close_reason,
    mayConfirm: reader !== null && able.confirm.has(reader.actorId),
    mayObject: reader !== null && able.object.has(reader.actorId),
    mayClose: !isSettled && !isUser && reader?.isAdmin === true,
  }
}

const mostNamed = 10

/** The lines that are to confirm it, with whose turn it is. */
export function confirmingLines(
  lines: readonly ShownLine[],
  { asked, turns }: Confirming,
  { candidates }: Pick<Staff, 'candidates'>,
  names: ReadonlyMap<string, string>,
  at: number,
): ShownLine[] {
  return lines.map((line) => {
    const turn = turns.find(({ line: { policyId, version } }) => policyId === line.policyId && version === line.version)
    if (!turn || line.emergency === null) return line
    const steps = line.steps.map((step, number) => {
      const open = number >= turn.step ? ableAt(asked, turn, number, { candidates }, at) : []
      const people = open.map(({ actorId }) => ({ actorId, name: names.get(actorId) ?? '' }))
      return {
        ...step,
        current: number === turn.step,
        people: people.slice(0, mostNamed),
        peopleCount: people.length,
      }
    })
    return { ...line, steps }
  })
}

/** What this member could approve in an emergency now; null for nothing. `blocked`: their earlier one that is not settled. */
export function emergencyRight(
  { asked, turns, policies }: Standing,
  { candidates }: Pick<Staff, 'candidates'>,
  actorId: string,
  at: number,
  blocked: string | null,
): EmergencyRight | null {
  const person = candidates.find((each) => each.actorId === actorId)
  if (!person || (person.accounts ?? new Set([comparableId(actorId)])).has(asked.actor)) return null
  const given = { ...asGiven(person, at), emergency: true }
  const own = turns.filter((turn) => standingIn(asked, turn, given, { candidates }).kind === 'place')
  if (own.length === 0) return null
  const bodies = policies.filter(({ id, version }) =>
    own.some(({ line }) => line.policyId === id && line.version === version),
  )
  const levels = own.map(({ line }) => highestOf(asked, line))
  return {
    policies: bodies.map(({ id }) => id),
    confirmWithinSeconds: Math.min(
      ...own.flatMap(({ line }) => line.emergency?.confirmWithinSeconds ?? Number.POSITIVE_INFINITY),
    ),
    identity: levels.find((level) => level === 'passkey') ?? levels.find((level) => level === 'session') ?? 'claim',
    seals: linesWith(asked, turns, given, { candidates }).every(isFull),
    blocked: blocked && typedId('decisionEvent', blocked),
  }
}
