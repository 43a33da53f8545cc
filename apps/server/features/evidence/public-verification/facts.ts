/** Facts about the hash of a sealed record, for a caller with its URL. The contents of the record are not read. */
import type { PayloadOf } from '@countersign/contract/operation.ts'
import type { verifyPublicly } from '@countersign/contract/public-verification.ts'
import { type Domain, isSandboxCenter, logName } from '@countersign/proof/chain.ts'
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { parseNote } from '@countersign/proof/signed-note.ts'
import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import type { Cell, Cells, TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import { recordUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { inBase64 } from '../../../sealing/log-keys.ts'
import { type Logged, loggedAt, type Watching } from '../transparency/api.ts'
import { recordFault } from '../verification/api.ts'
import { checkLink } from './link.ts'
import { tell } from './notify.ts'
import { type ClosedLog, closedLog, type Owner, ownerOf, type SealedStanding, standingOf } from './queries.ts'

export interface FactNeeds {
  readonly cells: Cells
  readonly config: Pick<Config, 'logHost'>
  readonly log: Logger
  readonly watching: Watching
}

export type PublicFacts = PayloadOf<(typeof verifyPublicly)['spec'], 200>

/** The center has left: all that is known is where its log was closed. */
export interface Left {
  readonly left: ClosedLog
}

/** Null without a sealed record: unknown and unsealed ids take the same code path and get the same answer. */
export async function factsOf(needs: FactNeeds, id: string, requestId: string): Promise<PublicFacts | Left | null> {
  const named = namedBy(id)
  const found = named && (await ownerIn(needs.cells, named.uuid))
  if (!found || (named.decisionsOnly && found.owner.domain !== 'proof')) return null
  const { uuid } = named
  const { cell, owner } = found
  const caller = { requestId, actorId: null, centerId: owner.center_id }
  const at = now()
  const read = await cell.inTenant(caller, (tx) => closedOrStanding(tx, needs.watching, owner.domain, uuid), 'read')
  if (!read || 'left' in read) return read
  const { standing, logged, tree } = read
  // In a snapshot of its own: the values of the record, and the signatures of passkeys.
  const record = standing.entry
    ? await cell.inTenant(caller, (tx) => recordFault(tx, standing.domain, standing.index), 'read')
    : null
  const log = { host: needs.config.logHost, centerId: owner.center_id }
  const verified = checkLink(standing, uuid, log, { tree, record })
  await tell(needs.log, cell, caller, { uuid, standing, verified, at })
  const { domain, index, entry } = standing
  const dpuId = typedId('dpu', uuid)
  return {
    eventId: domain === 'proof' ? typedId('decisionEvent', uuid) : dpuId,
    dpuId,
    status: 'sealed',
    log: logged?.receipt.log ?? logName(log.host, log.centerId, domain),
    sandbox: isSandboxCenter(log.centerId),
    domain,
    chainIndex: index,
    chainHash: entry?.hash ?? null,
    sealedAt: entry?.sealed_at ?? standing.sealed_at.toISOString(),
    evidenceLevel: standing.evidence_level,
    result: resultIn(entry?.content),
    verified,
    verifiedAt: at.toISOString(),
    anchoring: logged?.anchoring ?? null,
    checkpoint: logged && checkpointOf(logged),
    inclusionProof: logged?.receipt.inclusionProof ?? null,
  }
}

/** The result is hashed in clear; the content is not trusted to be readable, because a broken record is answered too. */
function resultIn(content: string | undefined): PublicFacts['result'] {
  try {
    const { approval } = JSON.parse(content ?? '{}') as { approval?: { result?: unknown } }
    return approval?.result === 'approved' || approval?.result === 'rejected' ? approval.result : null
  } catch {
    return null
  }
}

/** A decision is found by any id of its record; any other DPU by its own id only. */
function namedBy(id: string): { uuid: string; decisionsOnly: boolean } | null {
  const uuid = recordUuid(id)
  return uuid === null ? null : { uuid, decisionsOnly: uuidOf('dpu', id) === null }
}

/** Asks every cell. When one does not answer and no other has the record, it is unknown whether the record exists. */
async function ownerIn(cells: Cells, uuid: string): Promise<{ cell: Cell; owner: Owner } | null> {
  const asked = await Promise.allSettled(
    cells.all.map(async (cell) => ({ cell, owner: await cell.asPublicAbout(uuid, (db) => ownerOf(db, uuid)) })),
  )
  for (const each of asked) {
    if (each.status === 'fulfilled' && each.value.owner) return { cell: each.value.cell, owner: each.value.owner }
  }
  const silent = asked.find((each) => each.status === 'rejected')
  if (silent) throw silent.reason
  return null
}

/** While the rows of a center are deleted, some of them are still there. */
async function closedOrStanding(tx: TenantTx, watching: Watching, domain: Domain, uuid: string) {
  const left = await closedLog(tx, domain)
  return left ? { left } : standingInTree(tx, watching, uuid)
}

interface InTree {
  readonly standing: SealedStanding
  readonly logged: Logged | null
  /** Whether the record is in the signed tree; null when nothing was signed. */
  readonly tree: boolean | null
}

async function standingInTree(tx: TenantTx, watching: Watching, uuid: string): Promise<InTree | null> {
  const standing = await standingOf(tx, uuid)
  if (!standing) return null
  if (!standing.entry) return { standing, logged: null, tree: null }
  try {
    const logged = await loggedAt(tx, watching, standing.domain, standing.index)
    return { standing, logged, tree: logged && true }
  } catch (error) {
    // The proof does not hold. It is not sent, and the answer reports the fault.
    if (error instanceof Problem && error.code === 'CHAIN_BROKEN') return { standing, logged: null, tree: false }
    throw error
  }
}

function checkpointOf({ receipt }: Logged): NonNullable<PublicFacts['checkpoint']> {
  const { size, root } = parseCheckpoint(parseNote(receipt.checkpoint).text)
  return { size, root: inBase64(root), note: receipt.checkpoint }
}
