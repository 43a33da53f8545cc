import * as contract from '@countersign/contract/console-integrity.ts'
import { type Domain, domains } from '@countersign/proof/chain.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { type Route, route } from '../../../http/route.ts'
import { type Head, readChecks, readHeads } from '../../../integrity/verify-queries.ts'
import { inBase64 } from '../../../sealing/log-keys.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { anchoringOf, fullNote, type OpenWatching } from './api.ts'
import { confirmedNewest } from './confirmed.ts'
import { cosignedSizes, newestAlarms } from './console-queries.ts'
import { generationsOf } from './successions.ts'

interface IntegrityNeeds {
  readonly logBook: LogBook
  readonly watching: OpenWatching
}

const maxAlarms = 50

/** A head may have been tampered with: what it says is shown only in the form that it should have. */
const shownHead = ({ next_index, last_hash, last_sealed_at, broken_at, generation }: Head) => ({
  length: Number.isSafeInteger(next_index) ? Math.max(0, next_index) : 0,
  generation: Math.max(1, generation),
  headHash: last_hash,
  sealedAt: /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/.test(last_sealed_at ?? '') ? last_sealed_at : null,
  brokenAt: broken_at === null ? null : Math.max(0, broken_at),
})

async function checkpointOf(tx: TenantTx, { logBook, watching }: IntegrityNeeds, domain: Domain) {
  const row = await confirmedNewest(tx, logBook, domain)
  if (!row) return null
  const { size, root } = row
  return { size, root: inBase64(root), note: fullNote(row), anchoring: anchoringOf(row, watching.policy) }
}

export const consoleIntegrityRoutes = (needs: IntegrityNeeds): Route[] => [
  route(contract.getIntegrity, async ({ tx }, reply) => {
    const { logBook, watching } = needs
    const [heads, checks, cosigned] = [await readHeads(tx), await readChecks(tx), await cosignedSizes(tx)]
    const chains = []
    for (const domain of domains) {
      const head = heads.find((each) => each.domain === domain) as Head
      const checkpoint = await checkpointOf(tx, needs, domain)
      chains.push({
        domain,
        log: logBook.nameOf({ center_id: tx.caller.centerId, domain, generation: head.generation }),
        ...shownHead(head),
        checkpoint,
        witnesses: watching.policy.witnesses.map(({ name }) => {
          const size = cosigned.find((each) => each.domain === domain && each.witness === name)?.size ?? null
          return { name, size, lag: Math.max(0, (checkpoint?.size ?? 0) - (size ?? 0)) }
        }),
        // A broken chain may have a statement that cannot be proved; its state is shown all the same.
        generations: head.broken_at === null ? await generationsOf(tx, watching, domain) : [],
        checks: checks.filter((each) => each.domain === domain),
      })
    }
    const alarms = await newestAlarms(tx, maxAlarms)
    return reply(200, {
      chains,
      alarms: alarms.map(({ occurred_at, target_id, details }) => ({
        at: occurred_at.toISOString(),
        action: details.action,
        domain: target_id,
        brokenAt: details.brokenAt ?? null,
        reason: details.reason ?? null,
      })),
    })
  }),
]
