/** Requests to a large and a small center alternate, so that both see the same machine. */
import type { World } from '../support/world.ts'
import { type CenterList, centerLists, exactTotal } from './center-lists.ts'
import { percentile, type Running, say } from './place.ts'
import { sized } from './sized.ts'

const requestsEach = sized(200, 10)

interface Side {
  readonly centerId: number
  readonly token: string
}

interface Page {
  readonly ms: number
  readonly total: number
  readonly nextCursor: string | null
}

async function page(server: Running, list: CenterList, { centerId, token }: Side, query: string): Promise<Page> {
  const started = performance.now()
  const response = await fetch(`${server.url}${list.path(centerId)}?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const body = (await response.json()) as { pagination: { total: number; nextCursor: string | null } }
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  return { ms: performance.now() - started, ...body.pagination }
}

export interface ListResult {
  readonly large: number
  readonly small: number
  readonly ratio: number
  readonly total: number
}

const round = (value: number): number => Number(value.toFixed(2))

async function compare(server: Running, world: World, list: CenterList, sides: readonly [Side, Side], name: string) {
  const [query, condition] = list.filters[name] as readonly [string, string]
  const times: [number[], number[]] = [[], []]
  const cursors = await Promise.all(sides.map(async (side) => (await page(server, list, side, query)).nextCursor))
  for (let n = 0; n < requestsEach; n++) {
    for (const at of [0, 1] as const) {
      // Every other request reads on from the cursor, where there is a second page.
      const onwards = n % 2 && cursors[at] ? `${query}&cursor=${cursors[at]}` : query
      times[at].push((await page(server, list, sides[at], onwards)).ms)
    }
  }
  for (const side of sides) {
    const [shown, counted] = [
      (await page(server, list, side, query)).total,
      await exactTotal(world, list, side.centerId, condition),
    ]
    // A session of the bench itself leaves entries.
    if (counted !== null && shown !== counted)
      throw new Error(`total of "${name}" is ${shown}, but there are ${counted}`)
  }
  const [large, small] = times.map((each) => percentile(each, 0.5)) as [number, number]
  const { total } = await page(server, list, sides[0], query)
  return { large: round(large), small: round(small), ratio: round(large / small), total }
}

/** Median times in milliseconds, by list and filter. The sides are the large center and the small one. */
export async function measureLists(
  server: Running,
  world: World,
  sides: readonly [Side, Side],
): Promise<Record<string, ListResult>> {
  const results: Record<string, ListResult> = {}
  for (const [name, list] of Object.entries(centerLists)) {
    for (const filter of Object.keys(list.filters)) {
      const result = await compare(server, world, list, sides, filter)
      results[`${name}, ${filter}`] = result
      say(
        `${`${name}, ${filter}`.padEnd(26)} median ${result.large} ms against ${result.small} ms, total ${result.total}`,
      )
    }
  }
  return results
}
