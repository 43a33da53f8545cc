/** What each engine needs before its workers start. */
import { randomBytes } from 'node:crypto'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { withClient } from '../../../tools/postgres.ts'
import { entryOf } from '../../interop/installed.ts'
import { dbosPackages, dbosVersion } from '../../support/dbos.ts'
import { openWorld } from '../../support/world.ts'
import { settings } from '../place.ts'
import { openTemporal, temporalBytes, temporalVersions } from './temporal-server.ts'
import { figuresOf, type ProcessFigures } from './worker.ts'

export interface Opened {
  /** The program of a worker, beside this file. */
  readonly file: string
  readonly env: Readonly<Record<string, string>>
  /** A process beside the workers and PostgreSQL. */
  readonly server: (ProcessFigures & { restart(): Promise<void> }) | null
  /** How many have ended by the word of the engine, or else by their third step. */
  ended(prefix: string, bySteps: () => Promise<number>): Promise<number>
  bytes(): Promise<number>
  close(): Promise<void>
}

export interface Engine {
  readonly name: string
  readonly version: string
  /** `url` names an empty database. */
  open(url: string): Promise<Opened>
}

const numberFrom = (url: string, sql: string, values: unknown[] = []) =>
  withClient(url, async (client) => Number(Object.values((await client.query(sql, values)).rows[0])[0]))
const bytesOf = (url: string) => numberFrom(url, 'select pg_database_size(current_database())')
const nothing = { server: null, close: async () => {} }

export const oursEngine: Engine = {
  name: 'ours',
  version: 'this commit',
  async open(url) {
    await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
    const world = await openWorld(url)
    const centers: number[] = []
    for (let n = 0; n < 8; n++) centers.push((await world.center()).id)
    await world.close()
    const place = { url, cells: new Map([['main', url]]), close: async () => {} }
    const env = {
      ...settings(place, 'worker'),
      SECRET_KEY: randomBytes(32).toString('base64'),
      CENTERS: centers.join(),
    }
    return {
      ...nothing,
      ...{ file: 'ours.process.ts', env },
      // An execution ends when its record is sealed, which is after its third step.
      ended: (prefix) =>
        numberFrom(
          url,
          `select count(*) from cell.executions where status = 'COMPLETED' and parameters ->> 'id' like $1 || '-%'`,
          [prefix],
        ),
      bytes: () => bytesOf(url),
    }
  },
}

export const pgBossEngine: Engine = {
  name: 'pg-boss',
  version: '12.35.0',
  open: async (url) => ({
    ...nothing,
    ...{ file: 'pg-boss.process.ts', env: { DATABASE_URL: url } },
    ended: (_prefix, bySteps) => bySteps(),
    bytes: () => bytesOf(url),
  }),
}

export const dbosEngine: Engine = {
  name: 'DBOS',
  version: dbosVersion,
  async open(url) {
    const packages = await dbosPackages()
    return {
      ...nothing,
      ...{ file: 'dbos.process.ts', env: { DATABASE_URL: url, PACKAGES: entryOf(packages, 'sdk') } },
      ended: (prefix) =>
        numberFrom(
          url,
          `select count(*) from dbos.workflow_status where status = 'SUCCESS' and workflow_uuid like $1 || '-%'`,
          [prefix],
        ),
      bytes: () => bytesOf(url),
    }
  },
}

export const temporalEngine: Engine = {
  name: 'Temporal',
  version: `server ${temporalVersions.server}, SDK ${temporalVersions.sdk}`,
  async open(url) {
    const server = await openTemporal(url)
    return {
      file: 'temporal.process.ts',
      env: { DATABASE_URL: url, ...server.env },
      server: {
        ...figuresOf(server.pid),
        async restart() {
          await server.kill()
          await server.start()
        },
      },
      ended: (_prefix, bySteps) => bySteps(),
      bytes: () => temporalBytes(url),
      close: () => server.close(),
    }
  },
}
