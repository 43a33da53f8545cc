/** Verification of a center's three chains. */
import type { verifyChain, verifyDpu } from '@countersign/contract/dpu.ts'
import type { PayloadOf } from '@countersign/contract/operation.ts'
import { type Domain, domains, logName } from '@countersign/proof/chain.ts'
import { encodeFrontier, type Frontier } from '@countersign/proof/tree.ts'
import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import { raiseAlarm } from '../../../integrity/alarm.ts'
import {
  type Finding,
  headFault,
  type InCenter,
  type Scanned,
  scanChain,
  scanRecords,
} from '../../../integrity/scan.ts'
import { type Remembered, readSigned, rememberedOf, treeWalk } from '../../../integrity/signed-roots.ts'
import * as chain from '../../../integrity/verify-queries.ts'
import { now } from '../../../lib/clock.ts'
import type { Metrics } from '../../../lib/metrics.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { readRecords } from './records.ts'
import { findStray } from './strays.ts'

export type ChainVerdict = PayloadOf<(typeof verifyDpu)['spec'], 200>
export type CenterVerdict = PayloadOf<(typeof verifyChain)['spec'], 200>

export interface VerifierNeeds {
  readonly config: Pick<Config, 'logHost'>
  readonly log: Logger
  readonly logBook: LogBook
  readonly metrics: Metrics
}

export interface Verifying {
  readonly needs: VerifierNeeds
  readonly centerId: number
  readonly inCenter: InCenter
}

export async function verifyCenter(verifying: Verifying, mode: chain.VerificationMode): Promise<CenterVerdict> {
  const { needs, inCenter } = verifying
  const verifiedAt = now()
  const { heads, remembered } = await inCenter(async (tx) => ({
    // Before the heads.
    remembered: await rememberedOf(tx, needs.logBook),
    heads: await chain.readHeads(tx),
  }))
  const scans: Checked[] = []
  // Sequentially: a verification runs at most one statement at a time.
  for (const head of heads) scans.push(await checkDomain(verifying, head, mode, remembered.get(head.domain)))
  const recordsVerifiedAt = await inCenter(async (tx) => {
    for (const { head, scanned, finding, reached } of inLockOrder(scans)) {
      const [domain, brokenAt, reason] = [head.domain, finding?.at ?? null, finding?.reason ?? null]
      const { length: scannedTo, headHash } = scanned
      await chain.keepCheck(tx, { domain, mode, scannedTo, headHash, brokenAt, reason, verifiedAt, reached })
      if (finding) await raiseAlarm(tx, needs.log, mode, domain, { ...finding, generation: head.generation })
    }
    return chain.recordsCheckedAt(tx)
  })
  const verdicts = Object.fromEntries(
    scans.map(({ head, scanned, finding }) => [head.domain, verdictOf(scanned, finding ?? marked(head))]),
  ) as Record<Domain, ChainVerdict>
  const allValid = domains.every((domain) => verdicts[domain].valid)
  return {
    ...verdicts.dpu,
    valid: allValid,
    mode,
    verifiedAt: verifiedAt.toISOString(),
    allValid,
    recordsVerifiedAt: recordsVerifiedAt?.toISOString() ?? null,
    domains: verdicts,
  }
}

export interface Checked {
  readonly head: chain.Head
  readonly scanned: Scanned
  readonly finding: Finding | null
  /** Null with a finding, and for an empty chain. */
  readonly reached: chain.Reached | null
}

/** In the order in which a batch locks heads. */
export const inLockOrder = (scans: readonly Checked[]): readonly Checked[] =>
  scans.toSorted((a, b) => (a.head.domain < b.head.domain ? -1 : 1))

export function reachedOf({ generation }: chain.Head, scanned: Scanned, frontier: Frontier): chain.Reached | null {
  const { length: chainLength, genesisHash, headHash, lastSealedAt: sealedAt } = scanned
  if (genesisHash === null || headHash === null || sealedAt === null) return null
  const head = { chainLength, genesisHash, headHash, sealedAt }
  return { generation, head, frontier: Buffer.from(encodeFrontier(frontier)).toString('base64') }
}

async function checkDomain(
  verifying: Verifying,
  head: chain.Head,
  mode: chain.VerificationMode,
  remembered: Remembered | undefined,
): Promise<Checked> {
  const { domain, next_index } = head
  const { needs, inCenter } = verifying
  const { signed, fence } = await inCenter(async (tx) => ({
    signed: await readSigned(tx, needs.logBook, head, remembered),
    fence: needs.logBook.fenceOf(tx.cell),
  }))
  const walk = treeWalk(signed)
  const scanned = await scanDomain(verifying, domain, next_index, mode, walk.add)
  const inChain = scanned.finding ?? headFault(head, scanned) ?? walk.finding(head, scanned.length)
  // A process that only verifies remembers checkpoints too.
  const newest = signed.roots.at(-1)
  if (!inChain && newest) fence.remember(signed.log, newest)
  const stray = mode === 'records' ? await findStray(verifying.inCenter, domain, scanned.length) : null
  const finding = lowest(inChain, stray)
  return { head, scanned, finding, reached: finding ? null : reachedOf(head, scanned, walk.frontier()) }
}

const lowest = (one: Finding | null, other: Finding | null): Finding | null =>
  one && other ? (other.at < one.at ? other : one) : (one ?? other)

export function scanDomain(
  { needs: { config, metrics }, centerId, inCenter }: Verifying,
  domain: Domain,
  below: number,
  mode: chain.VerificationMode,
  onHash?: (hash: string) => void,
): Promise<Scanned> {
  const log = logName(config.logHost, centerId, domain)
  const onPage = (entries: number) => metrics.verified(mode, entries)
  // The head may have been tampered with and have any number.
  const scan = {
    log,
    domain,
    inCenter,
    below: Math.min(below, Number.MAX_SAFE_INTEGER),
    onPage,
    ...(onHash && { onHash }),
  }
  if (mode === 'chain') return scanChain(scan)
  return scanRecords({ ...scan, readPage: (tx, after, limit) => readRecords(tx, domain, after, scan.below, limit) })
}

/** The chain is marked and not cleared; consistent rows do not show who changed them. */
export const marked = ({ broken_at }: chain.Head): Finding | null =>
  broken_at === null
    ? null
    : {
        at: broken_at,
        reason: 'the chain was found broken here before, and no operator has cleared the alarm; its entries match now',
      }

export const verdictOf = ({ length, genesisHash }: Scanned, finding: Finding | null): ChainVerdict => ({
  valid: finding === null,
  chainLength: length,
  // The column may have been tampered with; a value that is not a hash is not shown.
  genesisHash: /^sha256:([0-9a-f]{64})$/.exec(genesisHash ?? '')?.[1] ?? '',
  brokenAt: finding?.at ?? null,
  reason: finding?.reason ?? null,
})
