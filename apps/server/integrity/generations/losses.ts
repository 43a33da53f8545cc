/** What a database lacks of the logs that the fence store has confirmed. */
import type { Domain } from '@countersign/proof/chain.ts'
import { familyOf, generationName } from '@countersign/proof/generations.ts'
import { emptyRoot } from '@countersign/proof/tree.ts'
import type { Cell } from '../../data/cells.ts'
import { Problem } from '../../lib/problem.ts'
import { placeOf } from '../../sealing/fence/compare.ts'
import type { Lost } from '../../sealing/fence/fence.ts'
import type { FenceStore, StoredLog } from '../../sealing/fence/store.ts'
import { inHex, isSigned } from '../../sealing/log-keys.ts'
import type { LogBook } from '../../sealing/trees.ts'
import { type RestoredHead, restoredHeads } from './queries.ts'

/** A log with lost entries: the state of the database, and the generations that end. */
export interface Loss {
  readonly centerId: number
  readonly domain: Domain
  /** The name of the first generation. */
  readonly first: string
  /** Of the database. */
  readonly generation: number
  readonly size: number
  /** In hex. */
  readonly root: string
  /** The largest size that a signature in the database covers. */
  readonly signed: number
  /** Oldest first: the generation of the database, and those that it does not know. */
  readonly lost: readonly (Lost & { readonly kept: number })[]
  readonly next: number
}

const perPage = 1000

interface Finding {
  readonly cell: Cell
  readonly store: FenceStore
  readonly book: Pick<LogBook, 'nameOf' | 'keys'>
  /** The database that must answer. */
  readonly identity: string
  /** Null for all centers. */
  readonly center: number | null
}

export async function findLosses(finding: Finding, onPage: (logs: number) => void): Promise<readonly Loss[]> {
  const { cell, store, identity, center } = finding
  const losses: Loss[] = []
  let logs = 0
  for (let after = ''; ; ) {
    const page = await store.page(after, perPage)
    const last = page.at(-1)
    if (!last) return losses
    after = last.name
    const newest = page
      .filter(({ successor }) => successor === null)
      .map((log) => ({ ...placeOf(log.name), first: familyOf(log.name).first, log }))
      .filter(({ center_id }) => center === null || center_id === center)
    const wanted = newest.map(({ log: _, ...place }) => place)
    const heads = newest.length === 0 ? [] : await restoredHeads(cell, wanted)
    const byFirst = new Map(newest.map(({ first, log }) => [first, log]))
    for (const head of heads) {
      if (head.identity !== identity) refuse('the connections lead to different databases. Point them at the same one.')
      const last = byFirst.get(head.first) as StoredLog
      const isBehind = (last.confirmed?.size ?? 0) > head.next_index || familyOf(last.name).generation > head.generation
      const loss = isBehind ? lossOf(finding.book, await generationsOf(store, head.first), head) : null
      if (loss) losses.push(loss)
    }
    logs += page.length
    onPage(logs)
  }
}

const refuse = (reason: string): never => {
  throw new Problem('CONFLICT', `Nothing was changed, because ${reason}`)
}

const mostGenerations = 200

/** All generations of a log: in the order of names they are next to each other. */
async function generationsOf(store: FenceStore, first: string): Promise<readonly StoredLog[]> {
  const { logs } = await store.read([first])
  const later = (await store.page(first, mostGenerations)).filter(({ name }) => familyOf(name).first === first)
  const all = [...logs.values(), ...later.filter(({ name }) => name !== first)]
  return all.sort((a, b) => familyOf(a.name).generation - familyOf(b.name).generation)
}

/** Null where the database has everything. */
function lossOf(book: Finding['book'], generations: readonly StoredLog[], head: RestoredHead): Loss | null {
  const { center_id, domain, first, generation, next_index: size } = head
  const lost: Loss['lost'][number][] = []
  let last = generation
  for (const { name: log, confirmed, begunAt } of generations) {
    const { generation: number } = familyOf(log)
    if (number < generation || !confirmed) continue
    // A generation that was reserved and never confirmed has no entry of its own.
    const isLost = number === generation ? confirmed.size > size : confirmed.size > begunAt
    if (!isLost) continue
    lost.push({ log, ...confirmed, kept: number === generation ? size : Math.min(size, begunAt) })
    last = number
  }
  const [continued] = lost
  if (!continued) return null
  if (familyOf(continued.log).generation !== generation) {
    refuse(`the database has all of ${generationName(first, generation)}, whose loss was declared in ${continued.log}.`)
  }
  const root = size === 0 ? inHex(emptyRoot) : (head.root ?? '')
  return {
    centerId: center_id,
    domain,
    first,
    generation,
    size,
    root,
    signed: signedUpTo(book, head),
    lost,
    next: last + 1,
  }
}

/** The largest size of the restored chain that a signature of ours covers. */
function signedUpTo(
  { nameOf, keys }: Finding['book'],
  { center_id, domain, signed_generation, signed_size, signed_root, line }: RestoredHead,
): number {
  if (signed_generation === null || signed_size === null || signed_root === null) return 0
  const log = nameOf({ center_id, domain, generation: signed_generation })
  return isSigned(log, keys, line, { size: signed_size, root: signed_root }) ? signed_size : 0
}
