/** A process is killed while it brings a registered passkey into its center: the binding is sealed, and sealed once. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerPasskey } from '../support/passkeys.ts'
import { startServer, type TestServer, testRedis } from '../support/server.ts'
import { some } from '../support/some.ts'
import { startKillable } from './killable-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const environment = ({ services: { config } }: TestServer): Record<string, string> => ({
  DATABASE_URL: config.databaseUrl,
  SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
  PUBLIC_URL: config.publicUrl,
  REDIS_URL: testRedis,
  REDIS_PREFIX: config.redisPrefix,
  ROLE: 'worker',
  LOG_LEVEL: 'fatal',
})

it.each(some(['seal.append', 'seal.committed', 'passkeys.sealed'], 2))(
  'killed at %s',
  { timeout: 60_000 },
  async (failpoint) => {
    const center = await server.world.center()
    const person = await server.world.person()
    await server.world.member(person, center, 'ADMIN')
    const { accessToken: token } = await server.signIn(person, center.domain)
    // Who may approve is sealed too: before, so that the process dies at the passkey.
    const before = await startKillable(environment(server))
    const told = () => server.world.query('select from directory.member_changes')
    await expect.poll(async () => (await told()).length, { timeout: 30_000 }).toBe(0)
    await before.stop()
    const dying = await startKillable({ ...environment(server), FAILPOINT: failpoint })
    const { id } = await registerPasskey(server, token)
    expect(await dying.ended).toBe('SIGKILL')
    const next = await startKillable(environment(server))
    const due = () => server.world.query('select from directory.passkey_deliveries where delivered_at is null')
    const noted = () => server.world.query('select from directory.passkey_deliveries where center_id = $1', [center.id])
    await expect.poll(async () => [(await noted()).length, (await due()).length], { timeout: 30_000 }).toEqual([1, 0])
    await next.stop()
    const entries = await server.world.query(
      `select from cell.chain_entries where center_id = $1 and domain = 'history' and target = $2`,
      [center.id, id],
    )
    expect(entries).toHaveLength(1)
    const { body } = await server.call('GET', '/api/dpu/verify-chain?mode=records', { token })
    expect(body.data.domains.history).toMatchObject({ valid: true })
  },
)
