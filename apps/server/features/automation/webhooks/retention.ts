/** Retention of webhooks: drops whole weeks of payloads and attempts, then deletes old deliveries. */
import type { Cell } from '../../../data/cells.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import {
  credentialsSealedOtherwise,
  deleteExpiredSecrets,
  deleteOld,
  keepWeeks,
  sealAgain,
  sealCredentialsAgain,
  sealedOtherwise,
} from './delivery-worker-queries.ts'
import { credentialsContext } from './destination.ts'
import { secretContext } from './subscriptions.ts'

const keptDays = 30

/** Returns how many rows were deleted. Secrets and credentials sealed with an older key are sealed again with the current one. */
export async function keepWebhooks(box: SecretBox, cell: Cell): Promise<number> {
  await cell.asJobs((db) => keepWeeks(db, now(), keptDays))
  const before = secondsFromNow(-keptDays * 24 * 60 * 60)
  let total = 0
  for (let gone = 1; gone > 0; total += gone) gone = await cell.asJobs((db) => deleteOld(db, before))
  await cell.asJobs((db) => deleteExpiredSecrets(db, now()))
  for (let left = true; left; ) {
    left = await cell.asJobs(async (db) => {
      const found = await sealedOtherwise(db, box.keyId)
      for (const secret of found) {
        const context = secretContext(secret.id)
        await sealAgain(db, secret, box.seal(box.open(secret.sealed, context), context))
      }
      return found.length > 0
    })
  }
  await sealAllCredentialsAgain(box, cell)
  return total
}

/** Each in a transaction of its center: without a center, the role of jobs may not change a webhook. */
async function sealAllCredentialsAgain(box: SecretBox, cell: Cell): Promise<void> {
  for (;;) {
    const logins = await cell.asJobs((db) => credentialsSealedOtherwise(db, box.keyId))
    if (logins.length === 0) return
    for (const login of logins) {
      const context = credentialsContext(login.id)
      const sealed = box.seal(box.open(login.sealed, context), context)
      await cell.inTenantJob(login.center_id, 'key rotation', (tx) => sealCredentialsAgain(tx, login, sealed))
    }
  }
}
