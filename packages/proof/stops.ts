/** What a stop covers. Pure: the server refuses by it, and an audit finds what ran in spite of it. */
import { comparableId } from './comparable-id.ts'
import { fits } from './glob.ts'

/** Exactly one of them. */
export interface StopCovers {
  readonly actorId?: string
  readonly keyId?: string
  readonly actionTypes?: readonly string[]
  readonly center?: true
}

/** Whose action it is, which keys have a part in it, and what it does. Null where it is not known. */
export interface Stoppable {
  readonly actorId: string | null
  readonly keyIds: readonly (string | null)[]
  readonly actionType: string
}

/** Names are compared in the form in which equal ones are the same text: their spelling evades no stop. */
export function covers({ actorId, keyId, actionTypes, center }: StopCovers, about: Stoppable): boolean {
  if (center) return true
  if (actorId !== undefined) return about.actorId !== null && comparableId(actorId) === comparableId(about.actorId)
  if (keyId !== undefined) return about.keyIds.includes(keyId)
  const type = comparableId(about.actionType)
  return (actionTypes ?? []).some((glob) => fits(comparableId(glob), type))
}
