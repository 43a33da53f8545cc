/** Audits one chain: every entry, the tree over them, the signed checkpoint, and the checkpoints of earlier audits. */
import {
  type ChainSuccession,
  type Domain,
  type Frontier,
  familyOf,
  fromBase64,
  generationName,
  lossOf,
  rootOf,
  toBase64,
  verifyConsistency,
  verifyInclusion,
} from '@countersign/proof'
import { type Check, check, type SignedCheckpoint } from './checks.ts'
import { type Download, downloadTree } from './download-tree.ts'
import type { ValuedEntry } from './entry-lines.ts'
import type { Contradiction, LogMemory, Seen } from './memory.ts'
import { ChainBroken, type Service, ServiceError } from './service.ts'

export interface ChainAudit {
  readonly checks: readonly Check[]
  /** Stored for later audits; only for a chain that is valid. */
  readonly seen: Omit<Seen, 'at'> | null
  /** The earlier checkpoint that the new one contradicts, with the proof for third parties. */
  readonly contradicted: { readonly seen: Seen; readonly prefix: Contradiction['prefix'] } | null
}

const sampled = 8

/** Random entries, and always the first and the last. */
function sampleOf(size: number): readonly number[] {
  const chosen = new Set([0, size - 1])
  for (let tries = 0; tries < sampled; tries++) chosen.add(Math.floor(Math.random() * size))
  return [...chosen].sort((one, other) => one - other)
}

export async function auditChain(
  service: Service,
  domain: Domain,
  checkpoint: SignedCheckpoint,
  memoryOf: (log: string) => LogMemory,
  arrived: (done: number) => void,
  { withValues, watch }: { withValues: boolean; watch: (entry: ValuedEntry) => void },
): Promise<ChainAudit> {
  const { size, root, origin } = checkpoint
  const { first, generation } = familyOf(origin)
  const remembered = memoryOf(origin)
  const before = Array.from({ length: generation - 1 }, (_, at) => generationName(first, at + 1))
  const closed = before.flatMap((log) => memoryOf(log).audits.map((seen) => ({ log, seen })))
  const earlier = remembered.audits.filter((seen) => seen.size <= size)
  const samples = sampleOf(size)
  const download = await downloadTree(service.entries(domain, withValues), {
    domain,
    log: first,
    size,
    stops: [...earlier, ...closed.map(({ seen }) => seen)].map((seen) => seen.size),
    samples,
    arrived,
    watch,
  })
  const checks = [
    entriesCheck(download, size, origin),
    ...(size > 0 ? [rootCheck(download, checkpoint)] : []),
    ...download.verdict.successions.map((said) => successionCheck(said, download)),
    ...closed.map(({ log, seen }) => closedCheck(log, seen, download)),
  ]
  // Entries that differ from the signed ones are not evidence against the signed checkpoint.
  const isSigned = checks.every(({ status }) => status === 'yes')
  const since = continuation(download, remembered, size)
  checks.push(since.check)
  const contradicted = isSigned ? since.contradicted : null
  // For an invalid chain proofs have no value, and the request may fail.
  if (size > 0 && checks.every(({ status }) => status !== 'no')) {
    const last = earlier.at(-1)
    if (last) checks.push(...(await consistencyCheck(service, domain, last, checkpoint)))
    checks.push(await proofsCheck(service, domain, download, checkpoint))
  }
  const seen = { size, root: toBase64(root), frontier: joined(download.frontier), note: checkpoint.note }
  return {
    checks,
    seen: checks.every(({ status }) => status !== 'no') ? seen : null,
    contradicted: contradicted && {
      seen: contradicted,
      prefix: await prefixProof(service, domain, download.frontiers.get(contradicted.size), checkpoint),
    },
  }
}

/** Null for a log that is too short now, or a server that refuses the proof. */
async function prefixProof(
  service: Service,
  domain: Domain,
  before: Frontier | undefined,
  { size, root }: SignedCheckpoint,
): Promise<Contradiction['prefix']> {
  if (before === undefined) return null
  try {
    const proof = await hashesOf(service.consistencyProof(domain, before.size, size))
    const holds = proof && verifyConsistency(before.size, rootOf(before), size, root, proof)
    return holds ? { root: toBase64(rootOf(before)), proof: proof.map(toBase64) } : null
  } catch {
    return null
  }
}

const joined = ({ hashes }: Frontier): string => Buffer.concat(hashes).toString('base64')

/** What a statement of succession says. Its root is compared with the entries before it. */
function successionCheck(said: ChainSuccession, { frontiers }: Download): Check {
  const { log, index, restored, lost, reason, declaredBy, declaredAt } = said
  const [continued] = lost
  const facts = { log, index, reason, by: declaredBy, at: declaredAt, kept: restored.size, size: continued?.size ?? 0 }
  const root = frontiers.get(restored.size)
  if (root && toBase64(rootOf(root)) !== restored.root) return check('generations', 'no', 'a succession-root', facts)
  return check('generations', 'unknown', 'a succession', facts)
}

/** A checkpoint of a closed log: the next generation has its entries, or its statement admits that it has not. */
function closedCheck(log: string, seen: Seen, { verdict, frontiers }: Download): Check {
  const { at, size } = seen
  const loss = lossOf(log, size - 1, verdict.successions)
  if (loss === null) {
    const now = frontiers.get(size)
    if (now && joined(now) === seen.frontier) return check('generations', 'yes', 'a closed-kept', { log, at, size })
    return check('generations', 'no', 'a closed-differs', { log, at, size })
  }
  const facts = { log, at, size, kept: loss.lost.kept, most: loss.lost.size }
  const isSame = size !== loss.lost.size || loss.lost.root === null || seen.root === loss.lost.root
  if (!loss.admitted || !isSame) return check('generations', 'no', 'a closed-denied', facts)
  return check('generations', 'unknown', 'a closed-lost', facts)
}

function entriesCheck({ verdict, found }: Download, size: number, origin: string): Check {
  if (!verdict.valid) {
    return check('entries', 'no', 'a chain-broken', {
      index: verdict.brokenAt ?? 0,
      reason: verdict.reason ?? '',
    })
  }
  if (found < size) return check('entries', 'no', 'a chain-short', { size, found })
  if (size > 0 && verdict.log !== origin) return check('entries', 'no', 'a another-log', { log: origin })
  return size === 0 ? check('entries', 'yes', 'a empty') : check('entries', 'yes', 'a chain-holds', { size })
}

function rootCheck({ root, found }: Download, checkpoint: SignedCheckpoint): Check {
  if (found < checkpoint.size || !Buffer.from(root).equals(checkpoint.root))
    return check('root', 'no', 'a root-differs')
  return check('root', 'yes', 'a root-equal', { root: toBase64(root) })
}

/** Compared with every earlier audit, smallest first: the first that differs bounds the position of the difference. */
function continuation(
  { frontiers }: Download,
  { audits }: LogMemory,
  size: number,
): { check: Check; contradicted: Seen | null } {
  const last = audits.at(-1)
  if (!last) return { check: check('continues', 'unknown', 'a first-audit'), contradicted: null }
  let unchanged = 0
  for (const seen of audits) {
    const { at } = seen
    if (seen.size > size) {
      const facts = { at, size: seen.size, now: size }
      return { check: check('continues', 'no', 'a shortened', facts), contradicted: seen }
    }
    const now = frontiers.get(seen.size)
    if (now === undefined || joined(now) !== seen.frontier) {
      const first = Math.max(unchanged, now ? firstDifference(now, seen.frontier) : 0)
      const facts = { at, size: seen.size, first, last: seen.size - 1 }
      return { check: check('continues', 'no', 'a rewritten', facts), contradicted: seen }
    }
    unchanged = seen.size
  }
  return { check: check('continues', 'yes', 'a continues', { at: last.at, size: last.size }), contradicted: null }
}

/** The first leaf of the first complete subtree that has changed. */
function firstDifference({ size, hashes }: Frontier, before: string): number {
  const bytes = Buffer.from(before, 'base64')
  let [first, rest] = [0, size]
  for (const [at, hash] of hashes.entries()) {
    if (!bytes.subarray(32 * at, 32 * at + 32).equals(hash)) return first
    let width = 1
    while (width * 2 <= rest) width *= 2
    first += width
    rest -= width
  }
  return first
}

async function consistencyCheck(
  service: Service,
  domain: Domain,
  { size: from, root: before }: Seen,
  { size, root }: SignedCheckpoint,
): Promise<readonly Check[]> {
  if (from === 0 || from === size) return []
  const hashes = await hashesOf(service.consistencyProof(domain, from, size))
  const oldRoot = fromBase64(before) ?? new Uint8Array()
  if (hashes && verifyConsistency(from, oldRoot, size, root, hashes)) return []
  return [check('proofs', 'no', 'a consistency-bad', { size: from, now: size })]
}

async function proofsCheck(
  service: Service,
  domain: Domain,
  { leaves }: Download,
  { size, root }: SignedCheckpoint,
): Promise<Check> {
  for (const [index, leaf] of leaves) {
    const hashes = await hashesOf(service.inclusionProof(domain, index, size))
    if (!hashes || !verifyInclusion(leaf, index, size, hashes, root)) {
      return check('proofs', 'no', 'a proof-bad', { index })
    }
  }
  return check('proofs', 'yes', 'a proofs-hold', { count: leaves.size })
}

/** Null where the server refuses the proof or sends an invalid one. */
async function hashesOf(asked: Promise<readonly string[]>): Promise<readonly Uint8Array[] | null> {
  try {
    const hashes = (await asked).map((hash) => fromBase64(hash))
    return hashes.every((hash) => hash?.length === 32) ? (hashes as Uint8Array[]) : null
  } catch (error) {
    // A refused key, a network error or a server error is not evidence about the log.
    if (!(error instanceof ChainBroken) && !(error instanceof ServiceError && error.status === 404)) throw error
    return null
  }
}
