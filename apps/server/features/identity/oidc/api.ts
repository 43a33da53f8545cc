/** The API of this feature: keeps client secrets under the current key. */
import type { Directory } from '../../../data/directory.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { sealSecretsAgain } from './providers.ts'

export async function keepProviders(box: SecretBox, directory: Directory): Promise<void> {
  const caller = { requestId: 'housekeeping', actorId: null, centerId: 0 }
  for (let left = true; left; ) left = await directory.identity(caller, (tx) => sealSecretsAgain(tx, box))
}
