/** What a stop covers, as a name. */
import type { ApiKey, Freeze } from '@countersign/sdk'
import type { StopWords } from './words.ts'

export function coveredText(
  { actorId, keyId, actionTypes }: Pick<Freeze, 'actorId' | 'keyId' | 'actionTypes'>,
  keys: readonly ApiKey[] | undefined,
  say: StopWords,
): string {
  if (actorId !== undefined) return actorId
  if (keyId !== undefined) return keys?.find(({ id }) => id === keyId)?.name ?? say('revokedKey')
  return actionTypes ? actionTypes.join(', ') : say('pickCenter')
}
