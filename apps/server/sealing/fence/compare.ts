/** Compares a database with the store: everything that was confirmed must be in it, with the same roots. */
import { familyOf } from '@countersign/proof/generations.ts'
import type { Cell } from '../../data/cells.ts'
import type { FencedLog } from './fence.ts'
import { type FoundHead, headsLike } from './queries.ts'
import type { FenceStore, Found } from './store.ts'

export interface Comparison {
  readonly compared: number
  /** Confirmed entries that the database does not have. */
  readonly lost: readonly string[]
  /** Another root than the confirmed one. */
  readonly differing: readonly string[]
  /** More entries than the store has confirmed or reserved. */
  readonly beyond: readonly string[]
  /** Reservations whose batch the database has, although no process confirmed it. */
  readonly resolved: readonly Found[]
  /** Of the store before the first comparison. */
  readonly writes: number
}

const perPage = 1000

/** Null when the connections led to different databases meanwhile. */
export async function compareHeads(
  cell: Cell,
  store: FenceStore,
  identity: string,
  onPage: (compared: number) => void = () => {},
): Promise<Comparison | null> {
  const { writes } = (await store.read([])).state
  const found = { lost: [] as string[], differing: [] as string[], beyond: [] as string[] }
  const resolved: Found[] = []
  let compared = 0
  for (let after = ''; ; ) {
    const stored = await store.page(after, perPage)
    const last = stored.at(-1)
    if (!last) return { compared, ...found, resolved, writes }
    after = last.name
    // Entries of a closed log may be missing: the statement in its next generation says so.
    const page = stored.filter(({ successor }) => successor === null)
    const heads = await headsLike(
      cell,
      page.map(({ name, confirmed }) => ({ ...placeOf(name), size: confirmed?.size ?? 0 })),
    )
    if (heads.some((head) => head.identity !== identity)) return null
    const byPlace = new Map(heads.map((head) => [`${head.center_id}/${head.domain}`, head]))
    for (const log of page) {
      const { center_id, domain } = placeOf(log.name)
      const verdict = verdictOn(log, byPlace.get(`${center_id}/${domain}`) as FoundHead)
      if (typeof verdict === 'string') found[verdict].push(log.name)
      else if (verdict) resolved.push({ log: log.name, ...verdict })
    }
    compared += stored.length
    onPage(compared)
  }
}

function verdictOn({ confirmed, reserved }: FencedLog, head: FoundHead) {
  const size = head.next_index ?? 0
  if (size < (confirmed?.size ?? 0)) return 'lost'
  if (confirmed && head.root !== confirmed.root) return 'differing'
  if (size === (confirmed?.size ?? 0)) return null
  return reserved && reserved.size === size && reserved.root === head.head_root ? reserved : 'beyond'
}

/** The place of a log in the database, by its name: `host/c/7/proof`, `host/sandbox/7/proof`, or `host/c/7/proof/2`. */
export function placeOf(log: string): { readonly center_id: number; readonly domain: string } {
  const [, center, domain] = /\/(?:c|sandbox)\/(\d+)\/([a-z]+)$/.exec(familyOf(log).first) ?? []
  if (domain === undefined) throw new Error(`the fence store has a log with the name "${log}", which is not ours`)
  return { center_id: Number(center), domain }
}
