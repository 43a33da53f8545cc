/** The agents of a center: those that decisions name, and those that only have a key or are stopped. */
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { ApiKey, Freeze, SeenAgent } from '@countersign/sdk'

export interface Agent extends SeenAgent {
  /** The keys that record in no other name. */
  readonly keys: readonly ApiKey[]
  /** The stop of this agent that is in force. */
  readonly freeze: Freeze | undefined
  /** Ids of the center's keys that are stopped on their own. */
  readonly stoppedKeys: readonly string[]
}

const isSame = (one: string, other: string): boolean => comparableId(one) === comparableId(other)

export function agentsOf(
  seen: readonly SeenAgent[],
  keys: readonly ApiKey[],
  freezes: readonly Freeze[],
): readonly Agent[] {
  const known = [...seen]
  const add = (id: string, type: SeenAgent['type']) => {
    if (known.some((each) => isSame(each.id, id))) return
    known.push({ id, type, name: null, lastDecision: null, waiting: 0 })
  }
  for (const { actor } of keys) if (actor && actor.type !== 'human') add(actor.id, actor.type)
  const stoppedKeys = freezes.flatMap(({ keyId }) => keyId ?? [])
  return known.map((each) => ({
    ...each,
    keys: keys.filter(({ actor }) => actor && isSame(actor.id, each.id)),
    stoppedKeys,
    freeze: freezes.find(({ actorId }) => actorId !== undefined && isSame(actorId, each.id)),
  }))
}
