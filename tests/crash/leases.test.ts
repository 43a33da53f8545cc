/**
 * One table of crashes and of slow workers for both kinds of leased work. `deliver.test.ts` and `execute.test.ts` check
 * what consumers and auditors see of the same crashes; this file checks the leases.
 */
import { leaseSeconds } from '@countersign/server/concurrency/leases.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Consumer, startConsumer } from '../support/consumer.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { localNetworks } from '../support/webhook-fixture.ts'
import { type Ground, openGround } from './execute-setup.ts'
import { startKillable } from './killable-server.ts'
import { deliveries, executions, type LeaseKind, leaseFailpoints } from './lease-kinds.ts'
import { publishAndRelease } from './lost-wake.ts'

let server: TestServer
let ground: Ground
let consumer: Consumer
beforeAll(async () => {
  server = await startServer({ env: localNetworks })
  consumer = await startConsumer()
  const { config } = server.services
  const environment = {
    ROLE: 'worker',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: config.databaseUrl,
    PUBLIC_URL: config.publicUrl,
    SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
  }
  ground = await openGround(server.world, environment)
})
afterAll(async () => {
  await ground.close()
  await consumer.close()
  await server.close()
})

const kinds: readonly [string, () => LeaseKind][] = [
  ['deliveries', () => deliveries(server, ground.environment, consumer)],
  ['executions', () => executions(ground)],
]

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)
/** Resolves when every lease that is taken now has expired. */
const afterExpiry = () => inSeconds(leaseSeconds + 1)
const take = async ({ store, idOf }: LeaseKind, id: string, at: Date) =>
  (await store.take(at, new Date(at.getTime() + leaseSeconds * 1000), 100, [])).find((lease) => idOf(lease) === id)

/** Resolves when the failpoint has killed the worker. */
async function dieAt({ worker }: LeaseKind, failpoint: string): Promise<void> {
  const doomed = await startKillable({ ...worker.environment, FAILPOINT: failpoint }, { file: worker.file }).catch(
    (error: Error) => {
      if (/\(SIGKILL\) before it was ready/.test(error.message)) return null
      throw error
    },
  )
  if (doomed) expect(await doomed.ended).toBe('SIGKILL')
}

const crashes = [
  { place: 'before the take', failpoint: ({ name }: LeaseKind) => `${name}.take`, epoch: 0, leased: false, writes: 0 },
  { place: 'after the take', failpoint: ({ name }: LeaseKind) => `${name}.taken`, epoch: 1, leased: true, writes: 0 },
  { place: 'before a write', failpoint: (kind: LeaseKind) => kind.beforeWrite, epoch: 1, leased: true, writes: 0 },
  { place: 'after a write', failpoint: (kind: LeaseKind) => kind.afterWrite, epoch: 1, leased: true, writes: 1 },
]

describe.each(kinds)('%s', (_, open) => {
  it('has a crash in the table for every failpoint of the lease module', () => {
    const kind = open()
    const inTable = crashes.map(({ failpoint }) => failpoint(kind))
    expect(leaseFailpoints(kind.name)).toHaveLength(2)
    expect(inTable).toEqual(expect.arrayContaining([...leaseFailpoints(kind.name)]))
  })

  it.each(crashes)('resumes the work after a kill $place', async ({ failpoint, epoch, leased, writes }) => {
    const kind = open()
    const id = await kind.make()
    await dieAt(kind, failpoint(kind))
    expect(await kind.state(id)).toEqual({ epoch, leased, writes })
    // A valid lease excludes other workers; an expired one does not.
    if (leased) expect(await take(kind, id, inSeconds(0))).toBeUndefined()
    const successor = await take(kind, id, afterExpiry())
    expect(Number(successor?.epoch)).toBe(epoch + 1)
    expect(successor?.taken_over).toBe(leased)
    expect(await kind.write(successor as NonNullable<typeof successor>)).toBe(true)
    expect((await kind.state(id)).writes).toBe(writes + 1)
    await kind.remove(id)
  })

  it('keeps the writes of a successor when a slow worker writes, renews or releases with an old epoch', async () => {
    const kind = open()
    const id = await kind.make()
    const slow = await take(kind, id, inSeconds(0))
    const successor = await take(kind, id, afterExpiry())
    if (!slow || !successor) throw new Error('The work was not taken twice.')
    expect(Number(successor.epoch)).toBe(Number(slow.epoch) + 1)
    expect(await kind.write(successor)).toBe(true)
    const before = await kind.state(id)
    expect(await kind.write(slow)).toBe(false)
    expect(await kind.store.renew?.([slow], inSeconds(3600))).toEqual(kind.store.renew && [])
    await kind.store.release(slow, inSeconds(-10))
    expect(await kind.state(id)).toEqual(before)
    expect(await take(kind, id, inSeconds(0))).toBeUndefined()
    await kind.remove(id)
  })

  it('makes the work due again when its worker releases it, and not before', async () => {
    const kind = open()
    const id = await kind.make()
    const lease = await take(kind, id, inSeconds(0))
    if (!lease) throw new Error('The work was not taken.')
    await kind.store.release(lease, inSeconds(2))
    expect(await take(kind, id, inSeconds(1))).toBeUndefined()
    expect(Number((await take(kind, id, inSeconds(3)))?.epoch)).toBe(Number(lease.epoch) + 1)
    await kind.remove(id)
  })

  it('keeps the lease with its worker as long as the worker renews it or writes', async () => {
    const kind = open()
    const id = await kind.make()
    const lease = await take(kind, id, inSeconds(0))
    if (!lease) throw new Error('The work was not taken.')
    if (kind.store.renew) expect(await kind.store.renew([lease], inSeconds(60))).toEqual([lease])
    else expect(await kind.write(lease)).toBe(true)
    expect(await take(kind, id, afterExpiry())).toBeUndefined()
    expect(await kind.write(lease)).toBe(true)
    await kind.remove(id)
  })
})

it('an endpoint stays due for deliveries that fifty transactions schedule while a worker releases it', async () => {
  const [contenders, waves] = [50, 4]
  const { sent, releases, lost } = await publishAndRelease(server, contenders, waves)
  expect(lost).toBe(0)
  expect(sent).toBe(contenders * waves)
  // Without releases between publications the test would prove nothing.
  expect(releases).toBeGreaterThan(2 * waves)
})
