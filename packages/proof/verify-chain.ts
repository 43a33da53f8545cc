/**
 * Checks a chain entry by entry in constant memory: hash, link, index and form of each. This shows that the entries are
 * consistent; signed checkpoints show that the chain was not truncated and not recomputed as a whole.
 */

import { sha256Hex } from '#sha256'
import { canonical, isCanonical, type Json } from './canonical.ts'
import { type ChainContent, type Domain, preimageName } from './chain.ts'
import { familyOf, type Succession, successionAt } from './generations.ts'
import { type QuickCheck, quickCheck } from './quick-check.ts'
import { timePattern } from './verify-entry.ts'

/** An entry as stored, or as a line of the NDJSON of the chain. */
export interface ChainEntry {
  readonly index: number
  readonly id: string
  readonly hash: string
  readonly previousHash: string | null
  readonly sealedAt: string
  /** The canonical text, its bytes in UTF-8, or the parsed object. */
  readonly content: string | Uint8Array | object
}

export interface ChainVerdict {
  readonly valid: boolean
  /** The number of entries read, from the genesis on. */
  readonly chainLength: number
  readonly genesisHash: string | null
  /** The hash of the last valid entry. */
  readonly headHash: string | null
  /** The lowest index at which the chain is broken; null when it is not. */
  readonly brokenAt: number | null
  readonly reason: string | null
  /** The log that the last valid entry names; null for an empty chain whose log is not known. */
  readonly log: string | null
  /** The declared losses, oldest first. Their roots are not compared here. */
  readonly successions: readonly ChainSuccession[]
}

export interface ChainSuccession extends Succession {
  /** The log that begins with this statement. */
  readonly log: string
  readonly index: number
  readonly declaredAt: string
}

/** The end of an earlier verification, to continue from. */
export interface ChainHead {
  readonly chainLength: number
  readonly genesisHash: string
  readonly headHash: string
  readonly sealedAt: string
}

export interface ChainOptions {
  /**
   * The log that the first entry must name; by default the one that it names. A statement of succession begins the next
   * generation of it.
   */
  readonly log?: string | undefined
  /** For single entries out of a chain: any generation of the log is accepted, without its statement. */
  readonly anyGeneration?: boolean | undefined
  /** Likewise the domain. */
  readonly domain?: Domain | undefined
  readonly after?: ChainHead | undefined
}

export interface ChainVerifier {
  /** Entries in the order of the chain. Never throws. */
  readonly add: (entry: ChainEntry) => void
  readonly result: () => ChainVerdict
}

export function chainVerifier(options: ChainOptions = {}): ChainVerifier {
  const { log: expectedLog, domain: expectedDomain, after, anyGeneration = false } = options
  let log = expectedLog
  let domain: string | undefined = expectedDomain
  let length = after?.chainLength ?? 0
  let genesisHash = after?.genesisHash ?? null
  let headHash = after?.headHash ?? null
  let lastSealedAt = after?.sealedAt ?? ''
  let quickly: QuickCheck | undefined
  let brokenAt: number | null = null
  let reason: string | null = null
  const successions: ChainSuccession[] = []

  /** Whether the entry begins another generation; then the next entries name that. */
  function begins({ log: named, index, succession }: ChainContent, sealedAt: string): boolean {
    const said = successionAt(named, index, succession, log)
    const isOther =
      anyGeneration && typeof named === 'string' && familyOf(named).first === familyOf(log as string).first
    if (said === null && !isOther) return false
    if (said !== null) successions.push({ ...said, log: named, index, declaredAt: sealedAt })
    log = named
    quickly = undefined
    return true
  }

  function fault({ index, id, hash, previousHash, sealedAt, content }: ChainEntry): string | null {
    if (index !== length) return `the entry here has the index ${index}`
    if (previousHash !== headHash) return "previousHash isn't the hash of the previous entry"
    if (typeof sealedAt !== 'string' || !timePattern.test(sealedAt)) return "sealedAt isn't a time"
    if (sealedAt < lastSealedAt) return 'sealedAt is earlier than in the previous entry'
    const { bytes, ends } = preimage(content, previousHash, sealedAt)
    if (`sha256:${sha256Hex(bytes.subarray(0, ends.whole))}` !== hash) return "the hash doesn't match the content"
    if (log !== undefined && domain !== undefined) {
      quickly ??= quickCheck({ v: preimageName, log, domain })
      if (quickly(bytes, ends.content, index, id)) return null
    }
    const text = decoder.decode(bytes.subarray(0, ends.content))
    const members = JSON.parse(text) as ChainContent
    if (!isCanonical(text, members)) return "the content isn't in canonical form"
    if (members.v !== preimageName) return `the content isn't ${preimageName}`
    if (members.index !== index) return 'the content has a different index'
    if (members.id !== id) return 'the content has a different id'
    log ??= members.log
    domain ??= members.domain
    if (members.domain !== domain) return 'the content names a different log'
    return members.log === log || begins(members, sealedAt) ? null : 'the content names a different log'
  }

  return {
    add(entry) {
      if (length === 0 && typeof entry?.hash === 'string') genesisHash = entry.hash
      if (brokenAt === null) {
        reason = faultOrCrash(fault, entry)
        if (reason !== null) brokenAt = length
        else {
          headHash = entry.hash
          lastSealedAt = entry.sealedAt
        }
      }
      length++
    },
    result: () => ({
      ...{ valid: brokenAt === null, chainLength: length, genesisHash, headHash, brokenAt, reason },
      ...{ log: log ?? null, successions },
    }),
  }
}

const encoder = new TextEncoder()
/** Invalid UTF-8 is an error and not a replacement character; a byte order mark is not canonical. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Reused for every entry, to avoid an allocation for each. */
let scratch = new Uint8Array(65_536)

/** The hashed bytes, and the end of the content in them. */
function preimage(content: unknown, previousHash: string | null, sealedAt: string) {
  const isBytes = content instanceof Uint8Array
  const text = isBytes ? '' : typeof content === 'string' ? content : canonical(content as Json)
  const tail = `${previousHash ?? ''}${sealedAt}`
  const most = (isBytes ? content.length : text.length * 3) + tail.length * 3
  if (most > scratch.length) scratch = new Uint8Array(most)
  if (isBytes) scratch.set(content)
  const end = isBytes ? content.length : encoder.encodeInto(text, scratch).written
  const whole = end + encoder.encodeInto(tail, scratch.subarray(end)).written
  return { bytes: scratch, ends: { content: end, whole } }
}

function faultOrCrash(fault: (entry: ChainEntry) => string | null, entry: ChainEntry): string | null {
  try {
    return fault(entry)
  } catch (error) {
    return `the entry can't be read: ${error instanceof Error ? error.message : String(error)}`
  }
}
