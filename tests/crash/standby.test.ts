/** Connections lead to a real standby, which answers 25006 to every write: the service says 503, until it is promoted. */
import { randomBytes } from 'node:crypto'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseUrl } from '../../tools/postgres.ts'
import { openClient } from '../support/client.ts'
import { type Cluster, type Clusters, follow, openClusters, untilFollowing } from '../support/postgres-cluster.ts'
import { sampleEvent } from '../support/samples.ts'
import { openWire, type Wire } from '../support/tcp-proxy.ts'
import { openWorld } from '../support/world.ts'
import { type KillableServer, startKillable } from './killable-server.ts'

let clusters: Clusters
let standby: Cluster
let way: Wire
let server: KillableServer
let key: string

beforeAll(async () => {
  clusters = openClusters()
  const primary = await clusters.make('primary')
  await primary.start()
  await primary.query('create database chaos')
  const url = databaseUrl(primary.url, 'chaos')
  await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
  const world = await openWorld(url)
  key = await world.key(await world.center())
  await world.close()
  standby = await clusters.backUp(primary, 'standby')
  await follow(standby, `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`)
  await standby.start()
  await untilFollowing(primary, false)
  way = await openWire(url)
  server = await startKillable({
    ROLE: 'api',
    LOG_LEVEL: 'silent',
    DATABASE_URL: way.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
  })
}, 120_000)
afterAll(async () => {
  await server?.stop()
  await way?.close()
  await clusters?.close()
})

it('is 503 with Retry-After, and 201 after the promotion', async () => {
  const client = openClient(server.url)
  const record = async () => {
    const body = sampleEvent()
    const answer = await client.call('POST', '/api/v1/decision-events', { token: key, body })
    return [answer.status, answer.body.error?.code ?? null, answer.headers.get('retry-after')]
  }
  const ready = async () => (await client.call('GET', '/health/ready')).status
  expect(await record()).toEqual([201, null, null])
  way.leadTo(standby.url)
  for (let tries = 0; tries < 3; tries++) expect(await record()).toEqual([503, 'SERVICE_UNAVAILABLE', '1'])
  expect(await ready()).toBe(503)
  await standby.promote()
  await expect.poll(record, { timeout: 20_000 }).toEqual([201, null, null])
  await expect.poll(ready, { timeout: 20_000 }).toBe(200)
})
