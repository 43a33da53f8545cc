/** What was approved in an emergency, as a batch holds it: its row, and what keeps somebody from doing so again. */
import type { Control } from '@countersign/proof/control.ts'
import { lineName } from '@countersign/proof/line.ts'
import { type Emergency, type GivenConfirmation, type HeldPlace, stateAt } from '../../../governance/confirming.ts'
import type { Counted } from '../../../governance/counting.ts'
import type { Place } from '../../../governance/line.ts'
import type { Applied } from '../../../governance/policies.ts'
import type { ApprovalRow } from '../../../governance/rows.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type Need, need, type RowKind } from '../../../sealing/sealed-rows.ts'

export interface ConfirmationRow extends GivenConfirmation {
  readonly center_id: number
  readonly event_id: string
  readonly position: number
  readonly level: 'session' | 'passkey'
  readonly history_index: number
}

export interface EmergencyRow extends Emergency {
  readonly center_id: number
  readonly event_id: string
  readonly confirmations: readonly ConfirmationRow[]
  readonly state_at: string | null
  readonly state_index: number | null
  readonly closed_by: string | null
  readonly closed_at: string | null
  readonly closed_index: number | null
  readonly close_reason: string | null
}

/** Written after the units: each then names the newest entry about it. */
export const emergencyRows: RowKind<EmergencyRow, { readonly event_id: string } | { readonly person: string }> = {
  name: 'emergencies',
  order: 48,
  load: 'load_emergencies',
  write: 'write_emergencies',
  namesOf: ({ event_id }) => [event_id],
}

export const needEmergency = (eventId: string): Need => need(emergencyRows, { event_id: eventId })

/** Those of a person, with all of their accounts, that are not settled. */
export const needEmergenciesOf = (ids: readonly string[]): readonly Need[] =>
  ids.map((person) => need(emergencyRows, { person }))

/** An unsettled one of these people. What is still in time may be confirmed yet, and keeps nobody. */
export const unsettled = (
  rows: readonly EmergencyRow[],
  ids: readonly string[],
  at: string,
): EmergencyRow | undefined =>
  rows.find((row) => {
    if (row.closed_at !== null || !row.used_by.some((id) => ids.includes(id))) return false
    const state = stateAt(row, at)
    return state === 'objected' || state === 'unconfirmed'
  })

export function requireSettled(batch: Batch, ids: readonly string[], at: string): void {
  const row = unsettled(batch.rows(emergencyRows).all(), ids, at)
  if (!row) return
  throw new Problem(
    'CONFLICT',
    "An earlier emergency approval of yours was objected to or not confirmed in time. You can't give another one until an administrator has closed it.",
    { details: { reason: 'unconfirmed', eventId: typedId('decisionEvent', row.event_id) } },
  )
}

/** Each approval that counts, with the places that it fills now. */
export interface Filling {
  readonly approval: ApprovalRow
  readonly places: readonly Place[]
}

export const fillings = (
  prior: readonly ApprovalRow[],
  counted: readonly Counted[] | undefined,
  sealing: ApprovalRow | null,
): readonly Filling[] => [
  ...prior.flatMap((approval, at) => {
    const { void: why, places } = counted?.[at] ?? { void: null, places: [] }
    return why === null ? [{ approval, places }] : []
  }),
  ...(sealing ? [{ approval: sealing, places: placesOf(sealing) }] : []),
]

const placesOf = ({ control }: ApprovalRow): readonly Place[] =>
  (control?.admitted ?? []).filter((each): each is Place => 'policyId' in each)

/** Until when the lines can confirm it: the shortest time of theirs. Undefined where nobody approved in an emergency. */
export function emergencyOf(
  filled: readonly Filling[],
  policies: readonly Applied[],
  sealedAt: string,
): Control['emergency'] {
  const urgent = new Set(filled.flatMap(({ places }) => places.filter(({ by }) => by === 'emergency').map(lineName)))
  if (urgent.size === 0) return undefined
  const seconds = policies.flatMap(({ id, version, body }) =>
    urgent.has(lineName({ policyId: id, version })) ? (body.approval?.emergency?.confirmWithinSeconds ?? []) : [],
  )
  return { confirmBy: new Date(Date.parse(sealedAt) + Math.min(...seconds) * 1000).toISOString() }
}

const peopleOf = ({ approver, identity_by, on_behalf_of }: ApprovalRow): readonly string[] => [
  ...new Set([identity_by, approver.id, ...(on_behalf_of ? [on_behalf_of] : [])]),
]

export function newEmergency(
  event: { readonly center_id: number; readonly id: string },
  filled: readonly Filling[],
  { confirmBy }: NonNullable<Control['emergency']>,
): EmergencyRow {
  const places = filled.flatMap(({ approval, places }) =>
    places.map(
      ({ policyId, version, step, by }): HeldPlace => ({ policyId, version, step, by, own: peopleOf(approval) }),
    ),
  )
  const urgent = new Set(places.filter(({ by }) => by === 'emergency').map(lineName))
  return {
    center_id: event.center_id,
    event_id: event.id,
    used_by: [...new Set(places.filter(({ by }) => by === 'emergency').flatMap(({ own }) => own))],
    places: places.filter((place) => urgent.has(lineName(place))),
    confirm_by: confirmBy,
    state: 'open',
    confirmations: [],
    ...{ state_at: null, state_index: null },
    ...{ closed_by: null, closed_at: null, closed_index: null, close_reason: null },
  }
}
