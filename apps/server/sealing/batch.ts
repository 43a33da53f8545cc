/**
 * A batch between reading and writing: the heads and rows that it has locked, and what it will write. Items are judged
 * one after another on this state, so the second of two conflicting items sees the effect of the first.
 */
import { type Domain, entryContent, entryHash, type Prepared } from '@countersign/proof/chain.ts'
import type { CenterProfile } from '../data/center-profile.ts'
import type { Caller } from '../data/directory.ts'
import { failpoint } from '../lib/failpoint.ts'
import type { Claim } from './claims.ts'
import { type Heads, makeHeads, type Step } from './heads.ts'
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
import type { HeadRow, LogBook, Trees } from './trees.ts'

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
}

export interface OpenBatch {
  of(centerId: number): Batch
  /** How many writes the judge functions have made. */
  effects(): number
  readonly entries: readonly object[]
  /** The canonical text of each entry, in the same order. */
  readonly contents: readonly string[]
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
  const contents: string[] = []
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
    contents.push(content)
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
    contents,
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
