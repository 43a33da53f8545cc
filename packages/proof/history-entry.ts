/**
 * Domain `history`: each change to a record after it was chained is an entry. It names the entry before it about the
 * same record and the state that it leaves, so a path with a gap does not verify.
 */
import { sha256Hex } from '#sha256'
import { canonical, type Json } from './canonical.ts'
import { type Prepared, prepare } from './chain.ts'
import { commit } from './commitment.ts'

export type HistoryType =
  | 'level'
  | 'metadata'
  | 'redaction'
  | 'policy'
  | 'actionType'
  | 'passkey'
  | 'key'
  | 'execution'
  | 'confirmation'
  | 'member'
  | 'group'
  | 'freeze'

export interface HistoryInput {
  readonly id: string
  readonly type: HistoryType
  /** The id of the changed record. */
  readonly target: string
  /** The hash of the entry before it about this record; null when this entry creates the record. */
  readonly previous: string | null
  /** The new values and the actor: `evidenceLevel`, `metadata`, `paths`, `policy`, `actionType`, `group`, `by`, `reason`, `passkey`. */
  readonly values: Readonly<Record<string, Json>>
}

/**
 * The state of a unit: its level, and the commitment to its metadata, never the metadata themselves. `null` where a
 * unit never had metadata. A redaction, an execution and a confirmation leave the state as it is.
 */
export interface UnitState {
  readonly evidenceLevel: string
  readonly metadata: string | null
}

export const unitState = ({ evidenceLevel, metadata }: UnitState): string => digest({ evidenceLevel, metadata })

/** The state of a passkey: whether it is bound to its person, and how it was confirmed; `mail` only until another way. */
export interface PasskeyState {
  readonly passkey: 'bound' | 'removed'
  readonly confirmed: string
}

export const passkeyState = ({ passkey, confirmed }: PasskeyState): string => digest({ passkey, confirmed })

/**
 * The state of a membership: the right to approve that it gives, and from when it counts; null where it gives none. `roles`: where
 * it gives several, each with its own time.
 */
export interface MemberState {
  readonly role: string
  readonly countsFrom: string | null
  readonly roles?: readonly { readonly role: string; readonly countsFrom: string }[]
}

export const memberState = ({ role, countsFrom, roles }: MemberState): string =>
  digest({
    ...{ role, countsFrom },
    ...(roles && { roles: roles.map((each) => ({ role: each.role, countsFrom: each.countsFrom })) }),
  })

/** The state of a policy: the commitment to its newest version. */
export const policyState = (policy: string): string => digest({ policy })

/** The state of an action type: the commitment to its newest version. */
export const actionTypeState = (actionType: string): string => digest({ actionType })

/** The state of a group: the commitment to its name and people after the entry. */
export const groupState = (group: string): string => digest({ group })

/** The state of a stop: whether it is in force. */
export const freezeState = (state: 'frozen' | 'lifted'): string => digest({ freeze: state })

const digest = (state: Json): string => `sha256:${sha256Hex(canonical(state))}`

/** `stateAfter` receives the commitments of this entry. */
export function historyStatic(
  { id, type, target, previous, values }: HistoryInput,
  stateAfter: (commitments: Readonly<Record<string, string>>) => string,
  newSalt: () => string,
): Prepared {
  const committed = commit(values, newSalt)
  const state = stateAfter(committed.commitments)
  return prepare('history', { id, type, target, previous, state }, committed)
}
