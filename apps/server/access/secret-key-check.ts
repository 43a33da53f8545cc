/**
 * Whether SECRET_KEY is the one that this directory was used with. With another one everything seems to work until somebody signs
 * in: so a start opens one stored secret, the key that signs access tokens, and doctor does the same.
 */
import { ConfigError } from '../config/config.ts'
import type { Directory } from '../data/directory.ts'
import { nowMs } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { loadSigningKeys } from './signing-key-queries.ts'

const caller = { requestId: 'secret-key', actorId: null, centerId: 0 }

export const wrongSecretKey =
  "SECRET_KEY isn't the one used with this database: it can't decrypt the key that signs access tokens"

export const secretKeyRemedy =
  'Set SECRET_KEY or SECRET_KEY_FILE to the key that belongs to this database or its backup.'

/** `unused`: the directory has no secret yet, so every key is right. */
export async function checkSecretKey(directory: Directory, box: SecretBox): Promise<'right' | 'wrong' | 'unused'> {
  const keys = await directory.identity(caller, loadSigningKeys, 'read')
  // The key that signs now. Earlier ones may be encrypted with a secret that is no longer configured.
  const key = keys.findLast(({ use_from }) => use_from.getTime() <= nowMs()) ?? keys[0]
  if (!key) return 'unused'
  try {
    box.open(key.private_sealed, key.kid)
    return 'right'
  } catch {
    return 'wrong'
  }
}

export async function requireSecretKey(directory: Directory, box: SecretBox): Promise<void> {
  if ((await checkSecretKey(directory, box)) === 'wrong')
    throw new ConfigError(`setting SECRET_KEY: ${wrongSecretKey}. ${secretKeyRemedy}`)
}
