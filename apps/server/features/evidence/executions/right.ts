/** Whether a decision may be acted on. Pure. */
import { lineName } from '@countersign/proof/line.ts'
import type { Given } from '../../../governance/again.ts'
import { stateAt } from '../../../governance/confirming.ts'
import { appliedOf } from '../../../governance/policies.ts'
import type { Reason } from '../../../governance/requirements.ts'
import type { EventRow, PolicyRow } from '../../../governance/rows.ts'
import { digestOfPolicy } from '../../../governance/rules.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { EmergencyRow } from '../decision-events/api.ts'
import { brokenRecord, type StoredDpu } from '../dpu/api.ts'

type DpuRecord = StoredDpu['record']

/** What the entry of a decision says in its hashed text, whatever the rows say. */
export interface SealedText {
  readonly actionDigest: string
  readonly approval?: { readonly result: string }
  readonly policies?: Given['policies']
}

/** The same with what it commits to. */
export interface SealedAction extends SealedText {
  /** The last time at which it can be consumed; null without one. */
  readonly usableUntil: string | null
  /** The last time at which the line can confirm what somebody approved in an emergency; null where nobody did. */
  readonly confirmBy: string | null
  readonly given: Given
}

/** Of a record that was verified. `texts`: the versions of policies that the entry names, as they are stored. */
export function sealedAction(
  text: SealedText,
  { dpu: { control, prior_controls }, approvals }: Pick<DpuRecord, 'dpu' | 'approvals'>,
  texts: readonly PolicyRow[],
): SealedAction {
  const policies = text.policies ?? []
  const named = new Set(policies.map(({ id, version, digest }) => `${id} ${version} ${digest}`))
  // A text that is not the sealed one says nothing about what was asked.
  const isSealed = (row: PolicyRow): boolean =>
    Boolean(row.policy) &&
    digestOfPolicy(row.policy) === row.digest &&
    named.has(`${typedId('policy', row.id)} ${row.version} ${row.digest}`)
  const counted = (approvals ?? []).flatMap((given, at) => {
    // The last one sealed the decision; those before it have their own.
    const own = prior_controls?.[at] ?? control
    return given.result === 'approved' && prior_controls?.[at]?.void === undefined ? [{ given, own }] : []
  })
  return {
    ...text,
    usableUntil: control?.usableUntil ?? null,
    confirmBy: control?.emergency?.confirmBy ?? null,
    given: {
      policies,
      approvals: counted.map(({ given: { identity_level: level, approver, on_behalf_of: onBehalfOf }, own }) => {
        const places = own?.admitted?.flatMap((place) => ('policyId' in place ? [place] : [])) ?? []
        const emergency = places.some(({ by }) => by === 'emergency')
        return { level, approver, onBehalfOf, ...(places.length > 0 && { places }), ...(emergency && { emergency }) }
      }),
      lines: control ? texts.filter(isSealed).map(appliedOf) : null,
    },
  }
}

/** `sealed` is undefined for a decision without an entry. */
export function requireSealed({ status }: EventRow, sealed: SealedAction | undefined): SealedAction {
  const isRefused = status === 'rejected' || sealed?.approval?.result === 'rejected'
  if (status === 'sealed' && sealed && !isRefused) return sealed
  throw new Problem(
    'CONFLICT',
    isRefused
      ? "This decision was refused, and the refusal is sealed. Don't run its action."
      : "This decision isn't approved yet. Don't run its action; try again after the approval.",
  )
}

export function requireSameAction(sealed: SealedAction, actionDigest: string): void {
  if (actionDigest === sealed.actionDigest) return
  throw new Problem(
    'POLICY_VIOLATION',
    "This isn't the action that was decided: its digest doesn't match. Don't run it; record it as a new decision.",
    { details: { reason: 'otherAction', guard: 'action' } },
  )
}

/** An approval is given for a time. */
export function requireFresh({ usableUntil }: SealedAction, at: string): void {
  if (usableUntil === null || at <= usableUntil) return
  throw new Problem(
    'CONFLICT',
    `The approval could only be used until ${usableUntil}. Don't run the action; record a new decision instead.`,
    { details: { reason: 'stale' } },
  )
}

/** `row`: how what was approved in an emergency stands. Its line has confirmed it, or still can. */
export function requireConfirmed({ confirmBy }: SealedAction, row: EmergencyRow | undefined, at: string): void {
  if (confirmBy === null) return
  if (!row) throw brokenRecord('its emergency approval is missing')
  // The time is the sealed one, whatever the row says.
  const state = stateAt({ state: row.state, confirm_by: confirmBy }, at)
  if (state === 'open' || state === 'confirmed') return
  throw new Problem(
    'CONFLICT',
    state === 'objected'
      ? "The emergency approval of this decision was objected to. Don't run the action; record a new decision instead."
      : `The emergency approval of this decision wasn't confirmed by ${confirmBy}. Don't run the action; record a new decision instead.`,
    { details: { reason: 'unconfirmed' } },
  )
}

/** Until it is confirmed, what somebody approved in an emergency satisfies no policy that allows less of that. */
export const givenNow = ({ given }: SealedAction, row: EmergencyRow | undefined): SealedAction['given'] => {
  if (!row || row.state === 'confirmed') return given
  const urgent = given.approvals.flatMap(({ emergency, places = [] }) => (emergency ? places.map(lineName) : []))
  return { ...given, urgent: new Set(urgent) }
}

/** `more`: the first policy of now that asks for more than was given. */
export function requireEnough(more: Reason | null): void {
  if (!more) return
  throw new Problem(
    'CONFLICT',
    `The policy "${more.policyName}" is new or has changed, and this decision's approval isn't enough for it. Don't run the action; record a new decision instead.`,
    { details: { reason: 'policy', policyId: more.policyId } },
  )
}
