import * as contract from '@countersign/contract/transparency.ts'
import { type Domain, domains } from '@countersign/proof/chain.ts'
import { consistencyProof, verifyConsistency } from '@countersign/proof/tree.ts'
import { endorsementText } from '../../chain/log-keys.ts'
import { inBase64 } from '../../chain/receipt.ts'
import type { TenantTx } from '../../data/cells.ts'
import { type Route, route } from '../../http/route.ts'
import { Problem } from '../../lib/problem.ts'
import type { Services } from '../../services.ts'
import { MissingNode, readNodes } from './nodes.ts'
import { type CheckpointRow, checkpointAt, newestCheckpoint } from './queries.ts'
import { anchoringOf, fullNote, underCheckpoint } from './record.ts'

const unknownSize = (size: number): Problem =>
  new Problem('NOT_FOUND', `There is no checkpoint of ${size} entries; GET /v1/chains/{domain}/checkpoint names one.`)

async function checkpointOf(tx: TenantTx, domain: Domain, size: number | undefined): Promise<CheckpointRow> {
  const found = size === undefined ? await newestCheckpoint(tx, domain) : await checkpointAt(tx, domain, size)
  if (!found) throw unknownSize(size ?? 0)
  return found
}

export const transparencyRoutes = ({ config, logBook, watching }: Services): Route[] => {
  const nameOf = (tx: TenantTx, domain: Domain) => logBook.nameOf({ center_id: tx.caller.centerId, domain })
  return [
    route(contract.getCheckpoint, async ({ tx, params: { domain } }, reply) => {
      const row = await newestCheckpoint(tx, domain)
      return reply(200, {
        log: nameOf(tx, domain),
        size: row?.size ?? 0,
        root: row ? inBase64(row.root) : null,
        checkpoint: row ? fullNote(row) : null,
        anchoring: row ? anchoringOf(row, watching.policy) : null,
      })
    }),

    route(contract.getInclusionProof, async ({ tx, params: { domain, index }, query: { size } }, reply) => {
      const row = await checkpointOf(tx, domain, size)
      if (index >= row.size) {
        throw new Problem('NOT_FOUND', `A chain of ${row.size} entries has none with the index ${index}.`)
      }
      const { receipt, tlogProof } = await underCheckpoint(tx, watching, domain, index, row)
      return reply(200, { ...receipt, tlogProof })
    }),

    route(contract.getConsistencyProof, async ({ tx, params: { domain }, query: { from, to } }, reply) => {
      const newer = await checkpointOf(tx, domain, to)
      if (from > newer.size) throw unknownSize(from)
      const sizes = { oldSize: from, size: newer.size }
      try {
        const hashes = consistencyProof(from, newer.size, await readNodes(tx, domain, sizes))
        const older = await checkpointAt(tx, domain, from)
        if (older && !verifyConsistency(from, older.root, newer.size, newer.root, hashes)) {
          throw new Problem(
            'CHAIN_BROKEN',
            `The chain "${domain}" of ${newer.size} entries does not continue the one of ${from} that was signed; tell the operator.`,
            { details: { domain, brokenAt: from } },
          )
        }
        return reply(200, {
          log: nameOf(tx, domain),
          from,
          to: newer.size,
          consistencyProof: hashes.map(inBase64),
        })
      } catch (error) {
        if (error instanceof MissingNode) throw unknownSize(from)
        throw error
      }
    }),

    route(contract.getLogDocument, (_context, reply) => {
      const { policy } = watching
      return reply(200, {
        logHost: config.logHost,
        originTemplate: `${config.logHost}/c/{centerId}/{domain}`,
        domains: [...domains],
        keys: logBook.keys.all.map(({ vkey, from, until, endorsement }) => ({
          vkey,
          from,
          until,
          endorsement,
          endorsedText: endorsementText(vkey, from),
        })),
        witnesses: policy.witnesses.map(({ name, key, url }) => ({ name, vkey: key.vkey, url })),
        quorum: policy.quorum,
        policy: watching.policyText,
      })
    }),
  ]
}
