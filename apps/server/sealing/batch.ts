/**
 * A batch between reading and writing: the heads and rows that it has locked, and what it will write. Items are judged
 * one after another on this state, so the second of two conflicting items sees the effect of the first.
 */
import { type Domain, domains, entryContent, entryHash, type Prepared } from '@countersign/proof/chain.ts'
import type { Cell } from '../data/cells.ts'
import type { CenterProfile } from '../data/center-profile.ts'
import type { Caller } from '../data/directory.ts'
import { type StoredEntry, splitEntry } from '../data/stored-entry.ts'
import { failpoint } from '../lib/failpoint.ts'
import { Problem } from '../lib/problem.ts'
import type { Claim } from './claims.ts'
import type { Lost } from './fence/fence.ts'
import type { Receipt } from './log-keys.ts'
import {
  type AnyKind,
  type CenterRow,
  type Need,
  type RowKind,
  type RowState,
  type Rows,
  rowState,
} from './sealed-rows.ts'
import type { HeadRow, LogBook, RestoredHead, Trees } from './trees.ts'

/** The heads that a batch has locked. They advance with every entry and are written once. */
interface Next {
  readonly generation: number
  readonly next_index: number
  readonly last_hash: string | null
  readonly last_sealed_at: string
}

/** From the present generation of a log to another one. */
export interface Step extends RestoredHead {
  readonly from: number
  readonly to: number
  readonly size: number
  readonly lost: readonly Lost[]
}

export interface Heads {
  next(centerId: number, domain: Domain): Next
  advance(centerId: number, domain: Domain, hash: string, sealedAt: string): HeadRow
  /** The next entry begins another generation. Throws unless the head is the given one. */
  succeed(centerId: number, domain: Domain, step: Step): void
  readonly changed: ReadonlySet<HeadRow>
  /** Heads that differ from the signed ones, with the reason. */
  readonly faults: ReadonlyMap<HeadRow, string>
}

export const headKey = (centerId: number, domain: Domain): string => `${centerId} ${domain}`

export const refusal = (domain: Domain, brokenAt: number, why: string): Problem =>
  new Problem(
    'CHAIN_BROKEN',
    `The "${domain}" chain ${why}. Contact the operator; nothing can be added to the chain until they've checked it.`,
    { details: { domain, brokenAt } },
  )

const unverifiable = (domain: Domain, at: number, reason: string): Problem =>
  refusal(domain, at, `can't be verified at entry ${at + 1}: ${reason}`)

export function makeHeads(heads: ReadonlyMap<string, HeadRow>, at: string, trees: Trees): Heads {
  const changed = new Set<HeadRow>()
  const faults = new Map<HeadRow, string>()
  const head = (centerId: number, domain: Domain): HeadRow => {
    const row = heads.get(headKey(centerId, domain))
    if (!row) throw new Error(`the chain ${domain} of center ${centerId} is not held by this batch`)
    return row
  }
  return {
    changed,
    faults,
    next(centerId, domain) {
      const row = head(centerId, domain)
      const { generation, next_index, last_hash, last_sealed_at, broken_at, closed } = row
      if (closed)
        throw new Problem(
          'CONFLICT',
          `The "${domain}" log is closed because the center has left this server. Record decisions in another center.`,
          { details: { reason: 'centerLeft' } },
        )
      if (broken_at !== null) throw refusal(domain, broken_at, `was found to be broken at entry ${broken_at + 1}`)
      const fault = trees.fault(row)
      if (fault !== null) {
        faults.set(row, fault)
        throw unverifiable(domain, Math.max(0, next_index - 1), fault)
      }
      // Clocks step back and differ between processes; the time of a chain does neither. The fixed form allows
      // comparison as text.
      return {
        generation,
        next_index,
        last_hash,
        last_sealed_at: last_sealed_at !== null && last_sealed_at > at ? last_sealed_at : at,
      }
    },
    succeed(centerId, domain, { from, to, size, lost, ...restored }) {
      const row = head(centerId, domain)
      if (row.generation !== from || row.next_index !== size) {
        throw new Problem(
          'CONFLICT',
          `The "${domain}" chain has changed in the meantime, so nothing was declared. Run the command again.`,
        )
      }
      // A chain that lacks entries is marked at its end. Any other mark needs an operator who looks at it.
      const { broken_at } = row
      if (broken_at !== null && broken_at < size - 1) {
        throw refusal(domain, broken_at, `was found to be broken at entry ${broken_at + 1}`)
      }
      const fault = trees.succeed(row, to, restored, lost)
      if (fault !== null) throw unverifiable(domain, Math.max(0, size - 1), fault)
      row.broken_at = null
      faults.delete(row)
    },
    advance(centerId, domain, hash, sealedAt) {
      const row = head(centerId, domain)
      row.next_index += 1
      row.last_hash = hash
      row.last_sealed_at = sealedAt
      changed.add(row)
      trees.add(row, hash)
      return row
    },
  }
}

/** Faults that sealing finds. The chain is marked before any caller is answered. */
interface BrokenLink {
  readonly domain: Domain
  readonly at: number
  readonly reason: string
}

/**
 * The trigger `cell.check_links` compares a new entry with the stored one before it. The new entry follows a head that is
 * locked and signed, so a refusal means that the stored entry was altered or deleted.
 */
function brokenLink(error: unknown): BrokenLink | null {
  const cause = error instanceof Problem ? error.cause : error
  const { constraint, message = '' } = (cause ?? {}) as { constraint?: string; message?: string }
  if (constraint !== 'chain_entries_links') return null
  const [, index, name] = /^entry (\d+) of chain \d+\/(\w+) /.exec(message) ?? []
  const domain = domains.find((each) => each === name)
  return domain
    ? { domain, at: Number(index) - 1, reason: "the chain's last entry isn't the one that was sealed" }
    : null
}

export interface SealingFault extends BrokenLink {
  readonly generation?: number
}

/** Marks the chain of a center. It does not throw. */
export type OnFault = (cell: Cell, centerId: number, found: SealingFault) => Promise<void>

interface FaultTools {
  readonly cell: Cell
  readonly onFault: OnFault
}

/** A caller who gets CHAIN_BROKEN finds the chain marked. */
export async function reportFaults({ cell, onFault }: FaultTools, faults: ReadonlyMap<HeadRow, string>): Promise<void> {
  for (const [{ center_id, domain, generation, next_index }, reason] of faults)
    await onFault(cell, center_id, { domain, generation, at: Math.max(0, next_index - 1), reason })
}

/** The database refused an entry because of the stored entry before it: marks the chain and refuses the item. */
export async function explainBrokenLink(
  { cell, onFault }: FaultTools,
  centerId: number,
  error: unknown,
): Promise<unknown> {
  const broken = brokenLink(error)
  if (!broken) return error
  await onFault(cell, centerId, broken)
  return unverifiable(broken.domain, broken.at, broken.reason)
}

/** What a caller submits to the sequencer: the rows to lock, and the judge function that runs while they are locked. */
export interface SealItem<T> {
  readonly center: CenterProfile
  readonly caller: Caller
  /** The chains that it may append to, and the rows that must not change while it is judged. */
  readonly holds: { readonly chains: readonly Domain[]; readonly rows?: readonly Need[] }
  /** The size of what it brings. */
  readonly bytes?: number
  /**
   * Decides first and writes after: it throws a Problem before its first write or not at all. It runs again when the
   * batch is repeated, so it keeps no state outside the batch.
   */
  readonly judge: (batch: Batch) => T
}

export interface WaitingSeal {
  readonly item: SealItem<unknown>
  readonly claim: Claim<unknown> | null
}

export interface Linked {
  readonly hash: string
  readonly previousHash: string | null
  readonly sealedAt: string
}

export interface Entry extends Linked {
  readonly index: number
  /** Available once the whole batch is closed: for the renderer of the answer, never for a judge function. */
  readonly receipt: () => Receipt
  /** The size of the log after the batch. */
  readonly checkpoint: () => string
}

/** What a judge function sees: one center's part of the batch, and no other's. */
export interface Batch {
  /** The time of the batch in ISO 8601. An entry's own time may be later, never earlier than its predecessor's. */
  readonly at: string
  rows<Row extends CenterRow, Key extends object>(kind: RowKind<Row, Key>): Rows<Row>
  /** Throws CHAIN_BROKEN when a verification found the chain broken. */
  append(domain: Exclude<Domain, 'history'>, id: string, prepared: Prepared): Entry
  /** An entry of the chain `history`, with the values that it commits to. */
  appendHistory(id: string, prepared: Prepared, disclosed: object): Entry
  /** An entry that begins another generation of the log. Throws unless the head is the given one. */
  succeed(domain: Domain, id: string, step: Step, prepared: Prepared): Entry
  /** The number of entries of a chain that the item holds, with those that this batch adds so far. */
  size(domain: Domain): number
  /** The time that the next entry of a chain gets, which the item holds. */
  time(domain: Domain): string
}

export interface OpenBatch {
  of(centerId: number): Batch
  /** How many writes the judge functions have made. */
  effects(): number
  readonly entries: readonly object[]
  /** The text of each entry as it is stored, in the same order. */
  readonly texts: readonly StoredEntry[]
  readonly history: readonly object[]
  readonly heads: Heads
  readonly trees: Trees
  /** The kinds with changes, in their order. */
  changes(): readonly (readonly [AnyKind, NonNullable<ReturnType<RowState['changes']>>])[]
}

export interface BatchParts {
  readonly at: string
  readonly heads: ReadonlyMap<string, HeadRow>
  readonly loaded: ReadonlyMap<AnyKind, readonly CenterRow[]>
  readonly nameOf: LogBook['nameOf']
  readonly trees: Trees
}

export function makeBatch({ at, heads: locked, loaded, nameOf, trees }: BatchParts): OpenBatch {
  const heads = makeHeads(locked, at, trees)
  const entries: object[] = []
  const texts: StoredEntry[] = []
  const history: object[] = []
  const states = new Map<AnyKind, RowState>()
  let effects = 0
  const counted = () => {
    effects++
  }
  const stateOf = (kind: AnyKind): RowState => {
    const state = states.get(kind) ?? rowState(kind, loaded.get(kind) ?? null, counted)
    states.set(kind, state)
    return state
  }

  function append(center_id: number, domain: Domain, id: string, prepared: Prepared): Entry {
    failpoint('seal.append')
    const next = heads.next(center_id, domain)
    const { generation, next_index: idx, last_hash: previous_hash, last_sealed_at: sealed_at } = next
    const log = nameOf({ center_id, domain, generation })
    const content = entryContent(prepared, { log, index: idx, sealedAt: sealed_at })
    const hash = entryHash(content, previous_hash, sealed_at)
    entries.push({ center_id, domain, idx, id, previous_hash, sealed_at, hash })
    texts.push(splitEntry(content, domain))
    counted()
    const row = heads.advance(center_id, domain, hash, sealed_at)
    return {
      index: idx,
      hash,
      previousHash: previous_hash,
      sealedAt: sealed_at,
      receipt: () => trees.receipt(row, idx),
      checkpoint: () => trees.note(row),
    }
  }

  const views = new Map<number, Batch>()
  const view = (centerId: number): Batch => {
    const rows: Batch['rows'] = (kind) => stateOf(kind).of(centerId) as Rows<never>
    return {
      at,
      rows,
      append: (domain, id, prepared) => append(centerId, domain, id, prepared),
      appendHistory(id, prepared, disclosed) {
        const entry = append(centerId, 'history', id, prepared)
        history.push({ center_id: centerId, idx: entry.index, disclosed, salts: prepared.salts })
        return entry
      },
      succeed(domain, id, step, prepared) {
        heads.succeed(centerId, domain, step)
        return append(centerId, domain, id, prepared)
      },
      size: (domain) => heads.next(centerId, domain).next_index,
      time: (domain) => heads.next(centerId, domain).last_sealed_at,
    }
  }

  return {
    of(centerId) {
      const known = views.get(centerId) ?? view(centerId)
      views.set(centerId, known)
      return known
    },
    effects: () => effects,
    entries,
    texts,
    history,
    heads,
    trees,
    changes: () =>
      [...states]
        .sort(([a], [b]) => a.order - b.order)
        .flatMap(([kind, state]) => {
          const changes = state.changes()
          return changes ? [[kind, changes] as const] : []
        }),
  }
}
