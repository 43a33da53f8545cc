import { countEventsJob } from '@countersign/server/features/evidence/decision-events/count-events.job.ts'
import { housekeepingJob } from '@countersign/server/housekeeping.job.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { globalTables, tenantTables } from '../../../../tests/isolation/tables.ts'
import { filledCenter } from '../../../../tests/isolation/two-centers.ts'
import { filledPartner } from '../../../../tests/isolation/two-partners.ts'
import { type Mailbox, openMailbox } from '../../../../tests/support/mailbox.ts'
import { sampleEvent } from '../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { plantRows, stillThere } from './expired-rows.ts'

const path = '/api/v1/decision-events'
const times = { expired: '-1 second', valid: '1 minute' }
const patience = { timeout: 30_000, interval: 200 }

async function census(server: TestServer): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of [...Object.keys(tenantTables), ...Object.keys(globalTables)]) {
    counts[table] = (await server.world.query(`select from ${table}`)).length
  }
  return counts
}

const complaints = (lines: string[]): string =>
  lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 40).join('\n')

describe('housekeeping', () => {
  let server: TestServer
  let mailbox: Mailbox
  beforeAll(async () => {
    mailbox = await openMailbox()
    server = await startServer({ env: { SMTP_URL: mailbox.url } })
    await filledCenter(server)
    await filledPartner(server)
    // The invitation of the new center is being sent until its row is deleted.
    await vi.waitFor(async () => expect(await server.world.query('select from directory.mails')).toEqual([]), patience)
  })
  afterAll(async () => {
    await server.close()
    await mailbox.close()
  })

  it('deletes expired rows and no others', async () => {
    const { expired, valid } = await plantRows(server, times)
    expect(await stillThere(server, [...expired, ...valid])).toHaveLength(expired.length + valid.length)
    const before = await census(server)
    const mayBeEmpty = [
      'cell.chain_checks',
      'cell.log_generations',
      'directory.cells',
      'cell.shared_policies',
      'cell.shared_freezes',
      'directory.policy_versions',
      // Written when a server starts.
      'directory.passkey_host',
      'directory.log_signers',
      // Emptied when the binding of a new member's key is sealed.
      'directory.passkey_joins',
      // Written when a key of the log is stolen.
      'directory.stolen_log_keys',
      // Written when a person chooses.
      'directory.notification_settings',
      'directory.calendar_feeds',
      'directory.logos',
    ]
    const empty = Object.entries(before).flatMap(([table, rows]) => (rows === 0 ? [table] : []))
    expect(empty.filter((table) => !mayBeEmpty.includes(table))).toEqual([])

    const saidBefore = server.logs.length
    await housekeepingJob(server.services, 'main')

    expect(await stillThere(server, expired)).toEqual([])
    expect(await stillThere(server, valid)).toEqual(valid)
    const gone: Record<string, number> = {}
    for (const { table } of expired) gone[table] = (gone[table] ?? 0) + 1
    const left = Object.fromEntries(Object.entries(before).map(([table, rows]) => [table, rows - (gone[table] ?? 0)]))
    expect(await census(server)).toEqual(left)
    expect(complaints(server.logs.slice(saidBefore))).toBe('')
  })

  it('deletes more rows than one step holds, and finds none the second time', async () => {
    await server.world.query(
      `insert into cell.idempotency_records (center_id, principal, method, path, key, fingerprint, expires_at)
       select 1, 'caller', 'POST', '/x', n::text, '', now() - interval '1 day' from generate_series(1, 2500) n`,
    )
    await housekeepingJob(server.services, 'main')
    await housekeepingJob(server.services, 'main')
    const said = server.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'housekeeping')
    expect(said.slice(-2).map(({ deleted }) => deleted['cell.idempotency_records'])).toEqual([2500, 0])
  })
})

describe('the job engine', () => {
  let server: TestServer
  let mailbox: Mailbox
  beforeAll(async () => {
    mailbox = await openMailbox()
    server = await startServer({ jobs: true, env: { SMTP_URL: mailbox.url } })
  })
  afterAll(async () => {
    await server.close()
    await mailbox.close()
  })

  it('schedules housekeeping, checks of domains, the end of trials, messages to channels, recoveries of webhooks, figures, mail, faults of chains, verification and decisions that wait', async () => {
    const schedules = await server.world.query('select name, cron from pgboss.schedule order by name')
    expect(schedules).toEqual([
      { name: 'check-domains', cron: '*/10 * * * *' },
      { name: 'end-trials', cron: '*/5 * * * *' },
      { name: 'housekeeping', cron: '*/10 * * * *' },
      { name: 'notify-channels', cron: '* * * * *' },
      { name: 'pass-on-places', cron: '* * * * *' },
      { name: 'read-figures', cron: '* * * * *' },
      { name: 'recover-webhooks', cron: '*/5 * * * *' },
      { name: 'send-mail', cron: '* * * * *' },
      { name: 'send-push', cron: '* * * * *' },
      { name: 'tell-freezes', cron: '* * * * *' },
      { name: 'tell-integrity', cron: '* * * * *' },
      { name: 'tell-people', cron: '* * * * *' },
      { name: 'verify-chains', cron: '17 * * * *' },
      { name: 'waiting-decisions', cron: '* * * * *' },
    ])
  })

  it('sends mail that was queued before a crash, once', async () => {
    const { services, world } = server
    const facts = { url: 'https://auth.example/password/csp_x' }
    const message = { to: 'waiting@people.example', mail: 'newPassword' as const, facts }
    const caller = { requestId: 'req_crash', actorId: null, centerId: 0 }
    // As if the process had died between the commit and the sending.
    await services.directory.identity(caller, (tx) => services.mail.queue({ ...tx, afterCommit: () => {} }, message))
    expect(mailbox.messages).toEqual([])
    for (let n = 0; n < 3; n++) services.jobs.wake('main', 'send-mail', { centerId: 0 })
    await expect.poll(async () => (await world.query('select from directory.mails')).length, patience).toBe(0)
    await finished('send-mail')
    expect(mailbox.messages.map(({ to }) => to)).toEqual([[message.to]])
    expect(complaints(server.logs)).toBe('')
  })

  it('runs housekeeping as the role for jobs without an error', async () => {
    const { expired, valid } = await plantRows(server, times)
    server.services.jobs.wake('main', 'housekeeping', { centerId: 0 })
    await expect.poll(async () => (await stillThere(server, expired)).length, patience).toBe(0)
    expect(await stillThere(server, valid)).toEqual(valid)
    await finished('housekeeping')
    expect(complaints(server.logs)).toBe('')
  })

  it('counts events when a list asks for it, without an error', async () => {
    const center = await server.world.center()
    const token = await server.world.key(center)
    for (let n = 0; n < 3; n++) await server.call('POST', path, { token, body: sampleEvent() })
    server.services.jobs.wake('main', 'count-events', { centerId: center.id })
    const counted = async () =>
      (
        await server.world.query<{ events: number }>(
          `select events::int from cell.decision_event_counts where center_id = $1 and tag = ''`,
          [center.id],
        )
      )[0]?.events
    await expect.poll(counted, patience).toBe(3)
    expect((await server.call('GET', path, { token })).body.pagination.total).toBe(3)
    await finished('count-events')
    expect(complaints(server.logs)).toBe('')
  })

  it('queues one job for many requests, and another after it is done', async () => {
    const center = await server.world.center()
    const waiting = `select from pgboss.job where name = 'count-events' and singleton_key = $1`
    for (let n = 0; n < 20; n++) server.services.jobs.wake('main', 'count-events', { centerId: center.id })
    await expect.poll(async () => (await server.world.query(waiting, [String(center.id)])).length, patience).toBe(1)
    await finished('count-events')
    server.services.jobs.wake('main', 'count-events', { centerId: center.id })
    await expect.poll(async () => (await server.world.query(waiting, [String(center.id)])).length, patience).toBe(2)
    expect(complaints(server.logs)).toBe('')
  })

  it('retries a failed job', async () => {
    const center = await server.world.center()
    const token = await server.world.key(center)
    await server.call('POST', path, { token, body: sampleEvent() })
    await server.world.query('revoke insert on cell.decision_event_counts from cs_jobs')
    await expect(countEventsJob(server.services, 'main', { centerId: center.id })).rejects.toThrow()
    server.services.jobs.wake('main', 'count-events', { centerId: center.id })
    const state = async () =>
      (
        await server.world.query<{ state: string }>(
          `select state::text from pgboss.job where name = 'count-events' and singleton_key = $1`,
          [String(center.id)],
        )
      )[0]?.state
    await expect.poll(state, patience).toBe('retry')
    await server.world.query('grant insert on cell.decision_event_counts to cs_jobs')
    await expect.poll(state, patience).toBe('completed')
  })

  async function finished(queue: string): Promise<void> {
    const open = `select from pgboss.job where name = $1 and state < 'completed'`
    await expect.poll(async () => (await server.world.query(open, [queue])).length, patience).toBe(0)
  }
})
