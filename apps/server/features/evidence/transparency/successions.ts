/** The generations of a log, with the newest checkpoint of each closed one that was restored. */
import type { Domain } from '@countersign/proof/chain.ts'
import { generationName, readSuccession } from '@countersign/proof/generations.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { fullNote, successionsOf, type Watching } from './api.ts'
import { confirmedAt } from './confirmed.ts'

export async function generationsOf(tx: TenantTx, watching: Watching, domain: Domain) {
  const all = await successionsOf(tx, watching, [domain])
  return Promise.all(
    all.map(async ({ row, log, declaration: statement }) => {
      const closed =
        row.closed_size === null ? undefined : await confirmedAt(tx, watching.book, domain, row.closed_size)
      const continued = readSuccession(statement.entry.succession)?.lost[0]?.log
      const predecessor = continued ?? generationName(log, 1)
      return {
        generation: row.generation,
        log,
        predecessor: { log: predecessor, size: closed?.size ?? 0, checkpoint: closed ? fullNote(closed) : null },
        declaration: { ...statement },
      }
    }),
  )
}
