/** Verification of one record: its chain back to the genesis, the record itself, and its later changes. */
import type { verifyDpu as verifyOperation } from '@countersign/contract/dpu.ts'
import type { PayloadOf } from '@countersign/contract/operation.ts'
import { domains, logName } from '@countersign/proof/chain.ts'
import { chainVerifier } from '@countersign/proof/verify-chain.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { raiseAlarm } from '../../../integrity/alarm.ts'
import { entryOf, type Finding, type InCenter, missingFrom } from '../../../integrity/scan.ts'
import { inOneMoment, readHeads } from '../../../integrity/verify-queries.ts'
import { unknownDpu } from '../dpu/api.ts'
import { type ChainVerdict, marked, scanDomain, type Verifying, verdictOf } from './center.ts'
import { redactedPaths } from './committed.ts'
import { historyFault } from './history-fault.ts'
import { changesAfter, findExecution, type HistoryEntryRow, placeOf, redactionsOfRecord } from './queries.ts'
import { faultOrCrash, recordFault, targetsOf } from './records.ts'

/** The claimed domain of a DPU may have been tampered with. */
const nowhere: ChainVerdict = {
  valid: false,
  chainLength: 0,
  genesisHash: '',
  brokenAt: 0,
  reason: "the record claims a chain that doesn't exist",
}

type DpuVerdict = PayloadOf<(typeof verifyOperation)['spec'], 200>

export async function verifyDpu(verifying: Verifying, uuid: string): Promise<DpuVerdict> {
  const { needs, inCenter } = verifying
  const place = await inCenter((tx) => placeOf(tx, uuid))
  if (!place) throw unknownDpu()
  if (!domains.includes(place.domain)) return nowhere
  const { domain, index } = place
  const scanned = await scanDomain(verifying, domain, index + 1, 'chain')
  const finding =
    scanned.finding ??
    (scanned.length <= index ? { at: scanned.length, reason: missingFrom } : null) ??
    (await inCenter((tx) => recordFinding(tx, domain, index)))
  const { finding: change, redacted } = await lookAtChanges(inCenter, verifying.centerId, uuid, needs.config.logHost)
  const heads = await inCenter(async (tx) => {
    if (finding) await raiseAlarm(tx, needs.log, 'records', domain, finding)
    if (change) await raiseAlarm(tx, needs.log, 'records', 'history', change)
    return readHeads(tx)
  })
  const head = heads.find((each) => each.domain === domain)
  const standing = head && head.broken_at !== null && head.broken_at <= index ? marked(head) : null
  const later = change && { at: index, reason: `entry ${change.at + 1} of its history: ${change.reason}` }
  return { ...verdictOf(scanned, finding ?? later ?? standing), ...(redacted.length > 0 && { redacted }) }
}

async function recordFinding(tx: TenantTx, domain: 'dpu' | 'proof', index: number): Promise<Finding | null> {
  const reason = await recordFault(tx, domain, index)
  return reason === null ? null : { at: Math.max(0, index), reason }
}

interface Changes {
  readonly finding: Finding | null
  readonly redacted: string[]
}

/**
 * Checks each entry about the record by itself: hash, form and stored values. Also collects the redacted paths. A page
 * is read together with all redactions, because a redaction in between removes values of earlier entries.
 */
async function lookAtChanges(inCenter: InCenter, centerId: number, uuid: string, logHost: string): Promise<Changes> {
  const targets = targetsOf(uuid)
  const log = logName(logHost, centerId, 'history')
  let metadataAt: number | undefined
  for (let after = -1; ; ) {
    const from = after
    const { changes, redactions, execution } = await inCenter(async (tx) => {
      await inOneMoment(tx)
      return {
        changes: await changesAfter(tx, targets, from),
        redactions: await redactionsOfRecord(tx, targets),
        execution: await findExecution(tx, uuid),
      }
    })
    for (const change of changes) {
      const others = {
        version: null,
        shared: null,
        actionType: null,
        passkey: null,
        member: null,
        group: null,
        freeze: null,
      }
      const facts = { entry: change, row: rowOf(change), redactions, execution, ...others }
      const reason = entryFault(change, log) ?? faultOrCrash(() => historyFault(facts))
      if (reason !== null) return { finding: { at: change.idx, reason }, redacted: [] }
      if (change.type === 'metadata') metadataAt = change.idx
      after = change.idx
    }
    if (changes.length > 0) continue
    const standing = redactedPaths(redactions, metadataAt)
    const redacted = [...redactedPaths(redactions)].sort()
    return { finding: null, redacted: redacted.filter((path) => path !== 'metadata' || standing.has(path)) }
  }
}

const rowOf = ({ disclosed, salts }: HistoryEntryRow) => (disclosed && salts ? { disclosed, salts } : null)

function entryFault(change: HistoryEntryRow, log: string): string | null {
  const { idx, previous_hash } = change
  const after = { chainLength: idx, genesisHash: '', headHash: previous_hash as string, sealedAt: '' }
  const verifier = chainVerifier({ log, domain: 'history', after, anyGeneration: true })
  verifier.add(entryOf('history', change))
  return verifier.result().reason
}
