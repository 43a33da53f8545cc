import { randomBytes } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../tests/support/database.ts'
import { withClient } from '../../../../tools/postgres.ts'
import { makeLog } from '../../lib/log.ts'
import { scramVerifier, setUpLogins } from '../login-setup.ts'
import { loginRoles, loginUrl, type Role, requireLogin, serviceRoles, settingsOf, withoutPasswords } from '../logins.ts'
import { openPool } from '../pool.ts'

const tag = randomBytes(4).toString('hex')
const roles: string[] = []
let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(async () => {
  await database.drop()
  await asOwner((client) => client.query(roles.map((role) => `drop role if exists ${role}`).join(';')))
})

const asOwner = <T>(work: (client: pg.Client) => Promise<T>) => withClient(inject('postgres'), work)
const as = <T>(role: string, work: (client: pg.Client) => Promise<T>) =>
  withClient(loginUrl(database.url, role as Role, withoutPasswords), work)

/** A role of this test with all settings of our logins. */
async function plant(name: string, attributes: string, also: (role: string) => string = () => ''): Promise<string> {
  const role = `planted_${name}_${tag}`
  roles.push(role)
  const settings = Object.entries(settingsOf('cs_api')).map(
    ([key, value]) => `alter role ${role} set ${key} = '${value}';`,
  )
  await asOwner((client) => client.query(`create role ${role} login ${attributes}; ${settings.join('')} ${also(role)}`))
  return role
}

const fault = (url: string, role: string) =>
  withClient(url, (client) =>
    requireLogin(client, role as Role).then(
      () => null,
      (error: Error) => error.message,
    ),
  )
const faultOf = (role: string) => fault(loginUrl(database.url, role as Role, withoutPasswords), role)

describe('a connection', () => {
  it.each(loginRoles)('of %s is that role and no other, with limits', async (role) => {
    expect(await faultOf(role)).toBeNull()
    const { rows } = await as(role, (client) =>
      client.query(`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('TimeZone') as zone, current_setting('jit') as jit, current_setting('enable_seqscan') as seqscan`),
    )
    const seqscan = role === 'cs_sequencer' ? 'off' : 'on'
    expect(rows).toEqual([{ statement: '5s', lock: '3s', zone: 'UTC', jit: 'off', seqscan }])
  })

  it('of another user who has taken the role is refused', async () => {
    const url = new URL(database.url)
    url.searchParams.set('options', '-c role=cs_api')
    expect(await fault(url.href, 'cs_api')).toMatch(
      /^A database connection for cs_api was closed: it runs as "cs_api" and is logged in as "\w+"\. /,
    )
  })

  it.each<[string, string, (role: string) => string, RegExp]>([
    ['a role without faults', '', () => '', /^$/],
    ['BYPASSRLS', 'bypassrls', () => '', /row-level security does not bind it/],
    ['SUPERUSER', 'superuser', () => '', /row-level security does not bind it/],
    ['membership of the owner', '', (role) => `grant cs_owner to ${role}`, /it may become cs_owner/],
    ['membership without inheritance', 'noinherit', (role) => `grant cs_operator to ${role}`, /become cs_operator/],
    ['no time-out', '', (role) => `alter role ${role} set statement_timeout = 0`, /\(statement_timeout\)\. Run npm/],
    ['another time zone', '', (role) => `alter role ${role} set TimeZone = 'Asia/Seoul'`, /\(TimeZone\)\. Run npm/],
  ])('is judged by %s', async (_, attributes, also, expected) => {
    const role = await plant(`n${roles.length}`, attributes, also)
    expect((await faultOf(role)) ?? '').toMatch(expected)
  })
})

describe('a pool', () => {
  it('hands out no connection of a wrong login, and logs it once', async () => {
    const lines: string[] = []
    const log = makeLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) })
    const role = (await plant('pool', 'bypassrls')) as Role
    const pool = openPool({ url: database.url, role, logins: withoutPasswords, prepared: true, max: 2, log })
    for (let i = 0; i < 3; i++) await expect(pool.query('select 1')).rejects.toThrow(/row-level security/)
    expect(pool.totalCount).toBe(0)
    await pool.end()
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      `A database connection for ${role} was closed: row-level security does not bind it. Revoke SUPERUSER and BYPASSRLS from it and from its groups.`,
    ])
  })
})

/** Forwards the start of a connection, and nothing after it. */
async function openMute(url: string) {
  const target = new URL(url)
  const sockets: Socket[] = []
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname)
    sockets.push(near, far)
    let started = false
    near.on('data', (data) => started || far.write(data))
    far.on('data', (data) => {
      if (!started) near.write(data)
      started ||= data.includes(Buffer.from('Z\0\0\0\x05I'))
    })
    for (const socket of [near, far]) socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  target.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { url: target.href, close }
}

describe('a server that accepts a connection and then says nothing', () => {
  it.each([true, false])(
    'does not hold a caller (pipeline: %s)',
    async (pipeline) => {
      const mute = await openMute(database.url)
      const log = makeLog({ logLevel: 'silent' })
      const login = { url: mute.url, role: 'cs_api', logins: withoutPasswords, log } as const
      const pool = openPool({ ...login, prepared: true, max: 1, pipeline })
      await expect(pool.connect()).rejects.toThrow(/timeout/)
      expect(pool.totalCount).toBe(0)
      await pool.end()
      mute.close()
    },
    10_000,
  )
})

describe('a server that asks for the password in clear', () => {
  it('gets none, and the log names it once', async () => {
    const got: Buffer[] = []
    const lines: string[] = []
    const log = makeLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) })
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (data) => got.push(data))
      // AuthenticationCleartextPassword.
      socket.once('data', () => socket.write(Buffer.from('R\0\0\0\x08\0\0\0\x03', 'latin1')))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const logins = { password: () => 'of-all-databases', operatorPassword: null }
    const login = { url: `postgres://127.0.0.1:${port}/cell`, role: 'cs_api', logins } as const
    const pool = openPool({ ...login, log, prepared: true, max: 1 })
    const message = `The database at 127.0.0.1:${port} asks for the password in clear, and it was not sent. Use scram-sha-256 in its pg_hba.conf.`
    for (let i = 0; i < 2; i++) await expect(pool.connect()).rejects.toThrow(message)
    await pool.end()
    await new Promise((resolve) => server.close(resolve))
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([message])
    expect(Buffer.concat(got).toString('latin1')).toMatch(/cs_api/)
    expect(Buffer.concat(got).toString('latin1')).not.toMatch(/of-all-databases/)
  })
})

/** What an injected statement would try on a connection of the service. */
describe.each(serviceRoles)('an attacker on a connection of %s', (role) => {
  const refused = '42501'
  const code = (client: pg.Client, text: string) =>
    client.query(text).then(
      () => 'done',
      (error: pg.DatabaseError) => error.code,
    )

  it('keeps the role, whatever they set', async () => {
    await as(role, async (client) => {
      const whoami = async () => (await client.query('select current_user as me')).rows[0].me
      for (const way of [
        'set role none',
        'reset role',
        'reset all',
        'set session authorization default',
        'discard all',
      ]) {
        expect([way, await code(client, way), await whoami()]).toEqual([way, 'done', role])
      }
      const others = [...loginRoles, 'cs_owner', 'postgres'].filter((other) => other !== role)
      for (const other of others) {
        for (const way of [`set role ${other}`, `set session authorization ${other}`]) {
          expect([way, await code(client, way)]).toEqual([way, refused])
        }
      }
    })
  })

  it('cannot disable row-level security or read past it', async () => {
    await as(role, async (client) => {
      for (const change of [
        'alter table cell.recorded_decisions disable row level security',
        'alter table cell.recorded_decisions no force row level security',
        'drop policy tenant on cell.recorded_decisions',
        `alter role ${role} bypassrls`,
        'grant cs_owner to current_user',
      ]) {
        expect([change, await code(client, change)]).toEqual([change, refused])
      }
    })
  })
})

describe('setting up the logins', () => {
  it('changes nothing where nothing is missing, and tolerates others who do the same', async () => {
    const runs = Array.from({ length: 4 }, () => asOwner((client) => setUpLogins(client, withoutPasswords)))
    await Promise.all(runs)
    const queries: string[] = []
    await asOwner(async (client) => {
      const query = client.query.bind(client) as (...given: unknown[]) => Promise<pg.QueryResult>
      client.query = ((...given: unknown[]) => {
        queries.push(String(given[0]))
        return query(...given)
      }) as typeof client.query
      await setUpLogins(client, withoutPasswords)
    })
    expect(queries).toEqual([expect.stringMatching(/^select/)])
  })

  it('stores what PostgreSQL itself would store for a password', async () => {
    const role = await plant('scram', `password 'a password'`)
    const { rows } = await asOwner((client) =>
      client.query<{ kept: string }>('select rolpassword as kept from pg_authid where rolname = $1', [role]),
    )
    const kept = rows[0]?.kept as string
    const salt = Buffer.from(/^SCRAM-SHA-256\$4096:([^$]+)\$/.exec(kept)?.[1] ?? '', 'base64')
    expect(scramVerifier('a password', salt)).toBe(kept)
    expect(scramVerifier('a password')).not.toBe(kept)
  })

  it('puts the role and the password of the settings in place of those in the address', () => {
    const logins = { password: () => 'p&w+', operatorPassword: () => 'other' }
    const of = (url: string, role: Role) => new pg.Client({ connectionString: loginUrl(url, role, logins) })
    const client = of('postgres://owner:secret@db.example:5433/main?sslmode=disable', 'cs_api')
    expect([client.user, client.password, client.host, client.port, client.database]).toEqual([
      'cs_api',
      'p&w+',
      'db.example',
      5433,
      'main',
    ])
    const socket = of('postgres:///main?host=/run/postgresql', 'cs_operator')
    expect([socket.user, socket.password, socket.host, socket.database]).toEqual([
      'cs_operator',
      'other',
      '/run/postgresql',
      'main',
    ])
  })
})
