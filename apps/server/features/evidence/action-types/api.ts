/** The entry point of this feature: the template with which a decision is shown, and how others change it. */
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type Need, need } from '../../../sealing/sealed-rows.ts'
import { type ActionType, actionTypeOf } from './action-type.ts'
import type { StandingRow } from './queries.ts'
import { actionTypeRows } from './sealed-rows.ts'
import { startingTypes } from './starting.ts'

export { addVersion as addActionType, requireRoomForTypes, templateOf } from './action-type.ts'
export { findActionType, newestActionTypes, type StandingRow } from './queries.ts'

export { startingTypes }

export const needActionTypes: Need = need(actionTypeRows, {})

/** The newest version of every type, withdrawn ones too. */
export const actionTypeVersions = (batch: Batch) => batch.rows(actionTypeRows).all()

/** 0 for a type that the center never had. */
export const actionTypeVersion = (batch: Batch, key: string): number =>
  batch.rows(actionTypeRows).find(key)?.version ?? 0

/** The form in which decisions are compared with the types of a center. */
export const keyOfType = comparableId

/** The newest own version, unless it withdraws the type; otherwise what the vertical starts with. */
export const actionTypeInForce = (
  own: StandingRow | null | undefined,
  key: string,
  vertical: string,
): ActionType | null => (own && !own.deleted ? actionTypeOf(own) : (startingTypes(vertical).get(key) ?? null))
