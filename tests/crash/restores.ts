/** The ways to restore a database. Each begins, is taken at one moment, and is made a running database later. */
import { appendFile, chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl } from '../../tools/postgres.ts'
import type { Cluster, Clusters } from '../support/postgres-cluster.ts'

export interface Restored {
  readonly url: string
  drop(): Promise<void>
}

export interface Origin {
  readonly clusters: Clusters
  /** Archives its log; see `archiving`. */
  readonly cluster: Cluster
  readonly other: Cluster
  readonly database: string
}

export interface Way {
  readonly name: string
  /** The database looks the same to the fence: no new timeline, server or database. */
  readonly keepsIdentity: boolean
  begin(origin: Origin): Promise<Take>
}

/** At the moment of the backup. */
type Take = () => Promise<() => Promise<Restored>>

const archiveIn = (folder: string): string => join(folder, 'archive')

export async function archiving(folder: string): Promise<string> {
  await mkdir(archiveIn(folder))
  // For the user that PostgreSQL runs as.
  await chmod(archiveIn(folder), 0o777)
  return `archive_mode = on\narchive_command = 'cp %p ${archiveIn(folder)}/%f'\n`
}

let made = 0

const dumpInto =
  (choose: (origin: Origin) => Cluster) =>
  async (origin: Origin): Promise<Take> =>
  async () => {
    const { clusters, cluster, database } = origin
    const name = `restored${++made}`
    const file = join(clusters.folder, name)
    await clusters.run('pg_dump', ['-Fc', '-d', databaseUrl(cluster.url, database), '-f', file])
    return async () => {
      const into = choose(origin)
      await into.query(`create database ${name}`)
      await clusters.run('pg_restore', ['-d', databaseUrl(into.url, name), file])
      return {
        url: databaseUrl(into.url, name),
        async drop() {
          await into.query(`drop database ${name} with (force)`)
          await rm(file)
        },
      }
    }
  }

/** A copy has the settings of its origin and must not write into the same archive. */
async function started(copy: Cluster, database: string, settings = ''): Promise<Restored> {
  await appendFile(join(copy.data, 'postgresql.conf'), `archive_mode = off\n${settings}`)
  await copy.start()
  return {
    url: databaseUrl(copy.url, database),
    async drop() {
      await copy.stop('immediate')
      await rm(copy.data, { recursive: true })
    },
  }
}

async function untilArchived(cluster: Cluster): Promise<void> {
  const [row] = await cluster.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
  const text = `select from pg_stat_archiver where last_archived_wal >= '${row?.file}'`
  for (let tries = 1; (await cluster.query(text)).length === 0; tries++) {
    if (tries === 200) throw new Error('the log is not archived')
    await sleep(50)
  }
}

async function untilWritable(cluster: Cluster): Promise<void> {
  for (let tries = 1; (await cluster.query('select where not pg_is_in_recovery()')).length === 0; tries++) {
    if (tries === 400) throw new Error('the recovery does not end')
    await sleep(50)
  }
}

export const ways: readonly Way[] = [
  { name: 'a dump in the same cluster', keepsIdentity: false, begin: dumpInto(({ cluster }) => cluster) },
  { name: 'a dump in another cluster', keepsIdentity: false, begin: dumpInto(({ other }) => other) },
  {
    name: 'a recovery to a point in time',
    keepsIdentity: false,
    async begin({ clusters, cluster, database }) {
      const point = `point${++made}`
      const copy = await clusters.backUp(cluster, point)
      return async () => {
        await cluster.query(`select pg_create_restore_point('${point}')`)
        return async () => {
          await untilArchived(cluster)
          await writeFile(join(copy.data, 'recovery.signal'), '')
          const restored = await started(
            copy,
            database,
            `restore_command = 'cp ${archiveIn(clusters.folder)}/%f %p'
recovery_target_name = '${point}'
recovery_target_action = 'promote'
`,
          )
          await untilWritable(copy)
          return restored
        }
      }
    },
  },
  {
    name: 'a copy of the files',
    keepsIdentity: true,
    begin:
      async ({ clusters, cluster, database }) =>
      async () => {
        await cluster.stop()
        const copy = await clusters.copy(cluster, `files${++made}`)
        await cluster.start()
        return () => started(copy, database)
      },
  },
  {
    name: 'a base backup without the archived log',
    keepsIdentity: true,
    begin:
      async ({ clusters, cluster, database }) =>
      async () => {
        const copy = await clusters.backUp(cluster, `base${++made}`)
        return () => started(copy, database)
      },
  },
]
