import * as contract from '@countersign/contract/transparency.ts'
import type { Domain } from '@countersign/proof/chain.ts'
import { verifyConsistency } from '@countersign/proof/tree.ts'
import type { Config } from '../../../config/config.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { type Route, route } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import { inBase64 } from '../../../sealing/log-keys.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { anchoringOf, fullNote, type OpenWatching, underCheckpoint } from './api.ts'
import {
  confirmedAt,
  confirmedNewest,
  confirmedNewestFor,
  type ShowingBook,
  type ShownCheckpoint,
} from './confirmed.ts'
import { logDocument } from './log-document.ts'
import { proofThatHolds } from './nodes.ts'
import type { CheckpointRow } from './queries.ts'
import { generationsOf } from './successions.ts'

interface TransparencyNeeds {
  readonly config: Pick<Config, 'logHost'>
  readonly logBook: LogBook
  readonly watching: OpenWatching
}

const unknownSize = (size: number): Problem =>
  new Problem(
    'NOT_FOUND',
    `There's no checkpoint at ${size} entries. GET /api/v1/chains/{domain}/checkpoint returns the newest one.`,
  )

const notContinued = (domain: Domain, from: number, size: number): Problem =>
  new Problem(
    'CHAIN_BROKEN',
    `The "${domain}" chain now has ${size} entries, but they don't continue the signed checkpoint at ${from} entries. Contact the operator.`,
    { details: { domain, brokenAt: from } },
  )

async function checkpointOf(
  tx: TenantTx,
  book: ShowingBook,
  domain: Domain,
  size: number | undefined,
): Promise<ShownCheckpoint> {
  const found = size === undefined ? await confirmedNewest(tx, book, domain) : await confirmedAt(tx, book, domain, size)
  if (!found) throw unknownSize(size ?? 0)
  return found
}

export const transparencyRoutes = ({ config, logBook, watching }: TransparencyNeeds): Route[] => {
  const nameOf = (
    tx: TenantTx,
    domain: Domain,
    { generation }: Pick<CheckpointRow, 'generation'> = { generation: 1 },
  ) => logBook.nameOf({ center_id: tx.caller.centerId, domain, generation })
  return [
    route(contract.getCheckpoint, async ({ tx, params: { domain } }, reply) => {
      const row = await confirmedNewest(tx, logBook, domain)
      return reply(200, {
        log: nameOf(tx, domain, row),
        size: row?.size ?? 0,
        root: row ? inBase64(row.root) : null,
        checkpoint: row ? fullNote(row) : null,
        anchoring: row ? anchoringOf(row, watching.policy) : null,
      })
    }),

    route(contract.getInclusionProof, async ({ tx, params: { domain, index }, query: { size } }, reply) => {
      const newest = size === undefined ? await confirmedNewestFor(tx, logBook, domain, index) : undefined
      const row = newest ?? (await checkpointOf(tx, logBook, domain, size))
      if (index >= row.size) {
        throw new Problem(
          'NOT_FOUND',
          `This chain has ${row.size} entries, so it has no entry with the index ${index}. Indexes start at 0; send a smaller one.`,
        )
      }
      const { receipt, tlogProof } = await underCheckpoint(tx, watching, domain, index, row)
      return reply(200, { ...receipt, tlogProof })
    }),

    route(contract.getConsistencyProof, async ({ tx, params: { domain }, query: { from, to } }, reply) => {
      const newer = await checkpointOf(tx, logBook, domain, to)
      if (from > newer.size) throw unknownSize(from)
      const older = await confirmedAt(tx, logBook, domain, from)
      const holds = (proof: readonly Uint8Array[]) =>
        !older || verifyConsistency(from, older.root, newer.size, newer.root, proof)
      // Without a signed checkpoint to check the proof, the cache is not used: a stale tile would go unnoticed.
      const cache = older ? watching.cache : null
      const hashes = await proofThatHolds(tx, cache, domain, { oldSize: from, size: newer.size }, holds)
      if (!hashes) throw older ? notContinued(domain, from, newer.size) : unknownSize(from)
      return reply(200, {
        log: nameOf(tx, domain, newer),
        from,
        to: newer.size,
        consistencyProof: hashes.map(inBase64),
      })
    }),

    route(contract.listGenerations, async ({ tx, params: { domain } }, reply) => {
      const newest = await confirmedNewest(tx, logBook, domain)
      return reply(200, { log: nameOf(tx, domain, newest), generations: await generationsOf(tx, watching, domain) })
    }),

    route(contract.getLogDocument, (_context, reply) => reply(200, logDocument(config.logHost, logBook, watching))),
  ]
}
