/** Compares what callers were shown with the fence store and with both databases of a failover. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Cluster } from '../support/postgres-cluster.ts'
import type { Site } from './failover-setup.ts'
import { type Fixture, logHost, readChain } from './ledger.ts'
import { type Decided, missingSeals } from './served.ts'

export const logOf = ({ center }: Fixture): string => `${logHost}/c/${center.id}/proof`

/** What the store has confirmed and a database does not have, except losses that were declared. */
export async function lacking(site: Site, cluster: Cluster): Promise<readonly string[]> {
  const store = new DatabaseSync(join(site.fence, 'main.fence'), { readOnly: true })
  const confirmed = store
    .prepare(
      `select name, confirmed_size as size from logs
       where name not in (select name from generations where successor is not null)`,
    )
    .all() as {
    name: string
    size: number
  }[]
  store.close()
  const rows = await site.inWorld(cluster, (world) =>
    world.query<{ name: string; size: number }>(
      `select center_id || '/' || domain || case when generation > 1 then '/' || generation else '' end as name,
         next_index::int as size
       from cell.chain_heads`,
    ),
  )
  const sizes = new Map(rows.map(({ name, size }) => [`${logHost}/c/${name}`, size]))
  return confirmed.filter(({ name, size }) => size > (sizes.get(name) ?? 0)).map(({ name }) => name)
}

/** Everything that callers and the databases say after the failover must agree. */
export async function examine(
  site: Site,
  fixtures: readonly Fixture[],
  decided: readonly Decided[],
  lostLogs: readonly string[],
  fault: (what: string) => void,
): Promise<{ lost: number; committedTwice: number }> {
  for (const { url, call } of site.apis) {
    for (const fixture of fixtures) {
      const { status, body } = await call('GET', '/api/v1/chains/proof/checkpoint', { token: fixture.key })
      if (body.data?.checkpoint) site.served.add(body.data.checkpoint, url)
      else if (status !== 200) fault(`a checkpoint was answered ${status} by ${url} after the failover`)
    }
  }
  const roots = (cluster: Cluster) =>
    site.inWorld(cluster, async (world) => {
      const rows = await world.query<{ name: string; root: string; signed: boolean }>(
        `select c.center_id || '/' || c.domain || case when c.generation > 1 then '/' || c.generation else '' end ||
           ' ' || c.size as name, encode(c.root, 'hex') as root,
           s.size is not null as signed
         from cell.checkpoints c left join cell.signatures s using (center_id, domain, size)
         where c.center_id = any ($1)`,
        [fixtures.map(({ center }) => center.id)],
      )
      return new Map(rows.map(({ name, root, signed }) => [`${logHost}/c/${name}`, { root, signed }]))
    })
  const [former, current] = [await roots(site.primary), await roots(site.standby)]
  const missing = await site.inWorld(site.standby, async (world) => {
    for (const fixture of fixtures) {
      for (const what of (await readChain(world, fixture.center, 'proof')).faults) fault(`${logOf(fixture)}: ${what}`)
      if (lostLogs.includes(logOf(fixture))) continue
      for (const [size, root] of site.served.rootsOf(logOf(fixture))) {
        if (current.get(`${logOf(fixture)} ${size}`)?.root !== root)
          fault(`a shown checkpoint of ${size} entries of ${logOf(fixture)} is gone, and no loss was declared`)
      }
    }
    return missingSeals(world, decided)
  })
  for (const { fixture, seal } of missing) {
    if (!lostLogs.includes(logOf(fixture))) fault(`the seal ${seal?.index} of ${logOf(fixture)} is lost without a name`)
  }
  const twice = [...former].filter(([name, { root }]) => (current.get(name)?.root ?? root) !== root)
  for (const [name, { signed }] of twice) if (signed) fault(`${name} is signed in both databases, with two roots`)
  return { lost: missing.length, committedTwice: twice.length }
}

/** The longest time without an acknowledged seal, from the last one before the disturbance on. */
export function longestGap(decided: readonly Decided[], from: number): number {
  const times = decided.filter(({ seal }) => seal).map(({ at }) => at)
  const last = Math.max(0, ...times.filter((at) => at <= from))
  const after = [last || from, ...times.filter((at) => at > from).toSorted((a, b) => a - b)]
  return Math.max(0, ...after.slice(1).map((at, n) => at - (after[n] as number)))
}
