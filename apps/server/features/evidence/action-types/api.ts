/** The entry point of this feature: the template with which a decision is shown. */
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { type ActionType, actionTypeOf } from './action-type.ts'
import type { StandingRow } from './queries.ts'
import { startingTypes } from './starting.ts'

export { findActionType, type StandingRow } from './queries.ts'

/** The form in which decisions are compared with the types of a center. */
export const keyOfType = comparableId

/** The newest own version, unless it withdraws the type; otherwise what the vertical starts with. */
export const actionTypeInForce = (
  own: StandingRow | null | undefined,
  key: string,
  vertical: string,
): ActionType | null => (own && !own.deleted ? actionTypeOf(own) : (startingTypes(vertical).get(key) ?? null))
