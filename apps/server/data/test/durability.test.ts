/** What a process says of databases that may lose what they have acknowledged. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spawnBeside } from '../../../../tests/support/child-server.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { withClient } from '../../../../tools/postgres.ts'
import type { DurabilityMode } from '../../config/config.ts'
import { makeLog } from '../../lib/log.ts'
import { type DurabilitySettings, durabilityFaults, NotDurable } from '../durability.ts'
import { requireSchemas } from '../schema-check.ts'

const durable: DurabilitySettings = {
  is_standby: false,
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  synchronous_standby_names: 'ANY 1 (a, b)',
  of_roles: [],
}

describe('the faults of a database', () => {
  it.each<[what: string, change: Partial<DurabilitySettings>, faults: string[]]>([
    ['none: it waits for the disk of a standby', {}, []],
    ['none: it waits until a standby shows the commit', { synchronous_commit: 'remote_apply' }, []],
    ['none: a role that waits too', { of_roles: ['cs_api=on', 'cs_jobs=remote_apply'] }, []],
    ['no write reaches the disk', { fsync: 'off' }, ['fsync is off']],
    ['pages may be torn', { full_page_writes: 'off' }, ['full_page_writes is off']],
    ...['off', 'local', 'remote_write'].map((value): [string, Partial<DurabilitySettings>, string[]] => [
      `a commit does not wait for the disk of a standby (${value})`,
      { synchronous_commit: value },
      [`synchronous_commit is ${value}`],
    ]),
    [
      'a role does not wait',
      { of_roles: ['cs_api=on', 'cs_recorder=off'] },
      ['some roles have their own synchronous_commit (cs_recorder=off)'],
    ],
    ['no standby', { synchronous_standby_names: '' }, ['synchronous_standby_names is empty']],
    [
      'several',
      { fsync: 'off', synchronous_standby_names: '' },
      ['fsync is off', 'synchronous_standby_names is empty'],
    ],
    ['a standby, whose other settings do not count', { is_standby: true, fsync: 'off' }, ['it is a standby']],
  ])('%s', (_, change, faults) => {
    expect(durabilityFaults({ ...durable, ...change }).map(([fault]) => fault)).toEqual(faults)
  })
})

describe('a process', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
    const { databaseUrl } = server.services.config
    const name = new URL(databaseUrl).pathname.slice(1)
    await withClient(databaseUrl, async (client) => {
      await client.query(`alter database ${name} set synchronous_commit = local`)
      await client.query(`alter role cs_recorder in database ${name} set synchronous_commit = off`)
    })
  })
  afterAll(() => server.close())

  const expected =
    /^The directory database may lose what it has acknowledged: .*synchronous_commit is local; some roles have their own synchronous_commit \(cs_recorder=off\).*\. To fix this: .*reset synchronous_commit for these roles.*; see "Durability" in docs\/runbook\.md\.$/
  const warnings = async (durability?: DurabilityMode) => {
    const lines: string[] = []
    const log = makeLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) })
    const { databaseUrl, cells } = server.services.config
    const target = { databaseUrl, cells, ...(durability && { durability }) }
    await (await requireSchemas(target, { exclude: () => {}, admit: () => {} }, log)).stop()
    return lines.map((line) => JSON.parse(line).msg as string)
  }

  it('says nothing with off', async () => {
    expect([await warnings(), await warnings('off')]).toEqual([[], []])
  })

  it('says it in one line of the log with warn, once for a database that is directory and cell', async () => {
    expect(await warnings('warn')).toEqual([expect.stringMatching(expected)])
  })

  it('does not start with strict', async () => {
    await expect(warnings('strict')).rejects.toThrow(NotDurable)
    const refused = await spawnBeside(server, { DURABILITY: 'strict' }).catch((error: Error) => error.message)
    const [, line] =
      /ended with 1 before it was ready:\nCountersign couldn't start: (.*)\n$/.exec(String(refused)) ?? []
    expect(line).toMatch(expected)
  })
})
