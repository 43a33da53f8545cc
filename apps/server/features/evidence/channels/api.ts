/** The API of this feature: marks channels for a notification, and keeps their URLs under the current key. */
import type { Cell, TenantTx } from '../../../data/cells.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { urlContext } from './channel.ts'
import { oweMessages, sealAgain, sealedOtherwise } from './queries.ts'

/** In the transaction that marks these decisions as announced. Returns whether a channel has to be notified. */
export const announce = async (tx: TenantTx, decisions: number): Promise<boolean> =>
  decisions > 0 && (await oweMessages(tx, decisions)) > 0

/** URLs sealed with an older key are sealed again with the current one. */
export async function keepChannels(box: SecretBox, cell: Cell): Promise<void> {
  for (let left = true; left; ) {
    left = await cell.asJobs(async (db) => {
      const found = await sealedOtherwise(db, box.keyId)
      for (const channel of found) {
        const context = urlContext(channel.id)
        await sealAgain(db, channel, box.seal(box.open(channel.sealed, context), context))
      }
      return found.length > 0
    })
  }
}
