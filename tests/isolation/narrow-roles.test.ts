import { newUuid } from '@countersign/server/lib/ids.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { attempt, refused } from './attempts.ts'
import { type FilledCenter, filledCenter } from './two-centers.ts'

let server: TestServer
let client: pg.Client
let mine: FilledCenter
let theirs: FilledCenter

beforeAll(async () => {
  server = await startServer()
  mine = await filledCenter(server)
  theirs = await filledCenter(server)
  client = new pg.Client({ connectionString: server.services.config.databaseUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await server.close()
})

const asApi = (text: string, values: unknown[] = [], settings: Record<string, string> = {}) =>
  attempt(client, { role: 'cs_api', center: mine.id, settings }, text, values)

describe('a person in a center', () => {
  const audited = `insert into directory.audit_entries (center_id, id, type, occurred_at, request_id, actor_id, target_type, target_id, details)
    values ($1, gen_random_uuid(), $2, now(), 'req', $3, 'membership', 'm', jsonb_build_object('action', $4::text))`

  it('sees their own membership elsewhere and no other', async () => {
    const look = 'select from directory.memberships where center_id = $1'
    await server.world.member(mine.admin, theirs, 'PARENT', 'INVITED')
    expect(await asApi(look, [theirs.id])).toBe(0)
    expect(await asApi(look, [theirs.id], { actor_id: mine.admin.actorId })).toBe(1)
    expect(await asApi(look, [theirs.id], { actor_id: newUuid() })).toBe(0)
  })

  it('changes no membership and writes no audit entry elsewhere, not even about their own', async () => {
    const own = { actor_id: mine.admin.actorId }
    for (const change of [`status = 'PENDING'`, `status = 'ACTIVE'`, `role = 'ADMIN'`]) {
      const text = `update directory.memberships set ${change} where center_id = $1`
      expect(await asApi(text, [theirs.id], own)).toBe(0)
    }
    const entry = [theirs.id, 'membership.transitioned', mine.admin.actorId, 'accept']
    expect(await asApi(audited, entry, own)).toBe(refused)
  })

  it('sees the people of their center only', async () => {
    const look = 'select id from directory.actors where id = $1'
    expect(await asApi(look, [mine.instructor.actorId])).toBe(1)
    expect(await asApi(look, [theirs.instructor.actorId])).toBe(0)
    expect(await asApi('select phone from directory.actors')).toBe(refused)
  })
})

describe('a center', () => {
  it('adds people without credentials, rights or a phone', async () => {
    const add = (columns: string, values: string) =>
      asApi(`insert into directory.actors (id, name, email${columns}) values (gen_random_uuid(), 'x', null${values})`)
    expect(await add('', '')).toBe(1)
    expect(await add(', is_operator', ', true')).toBe(refused)
    expect(await add(', email_verified_at', ', now()')).toBe(refused)
    expect(await add(', role', `, 'ADMIN'`)).toBe(refused)
  })

  it('creates invitations for itself only, and reads no invitation and no mail', async () => {
    const invite = (center: number) =>
      asApi(
        `insert into directory.invitations (hash, center_id, membership_id, approved, expires_at)
         select sha256('x'), $1, id, true, now() from directory.memberships where center_id = $2 limit 1`,
        [center, mine.id],
      )
    expect(await invite(mine.id)).toBe(1)
    expect(await invite(theirs.id)).toBe(refused)
    expect(await asApi('select hash from directory.invitations')).toBe(refused)
    expect(await asApi('delete from directory.invitations where center_id = $1', [theirs.id])).toBe(0)
    for (const table of ['mails', 'password_resets', 'sign_ups', 'address_changes']) {
      expect(await asApi(`select from directory.${table}`)).toBe(refused)
    }
  })

  it('changes only its own row, and inserts no center other than itself', async () => {
    const change = 'update directory.centers set member_count = member_count where id = $1'
    expect([await asApi(change, [mine.id]), await asApi(change, [theirs.id])]).toEqual([1, 0])
    expect(await asApi(`update directory.centers set status = 'SUSPENDED'`)).toBe(refused)
    const found = (id: number, column = '', value = '') =>
      asApi(
        `insert into directory.centers (id, domain, name, vertical, settings${column}) values ($1, 'new-one', 'x', 'education', '{}'${value})`,
        [id],
        { center_id: '900000000' },
      )
    expect(await found(900_000_000)).toBe(1)
    expect(await found(900_000_001)).toBe(refused)
    expect(await found(900_000_000, ', tenant_type', `, 'PROGRAM'`)).toBe(refused)
  })

  it('sees and claims only the order that it names', async () => {
    const [row] = await server.world.query<{ scope: string; order_id: string }>(
      'select scope, order_id from directory.provisioning_orders where center_id = $1',
      [theirs.id],
    )
    const orderId = `${row?.scope} ${row?.order_id}`
    const own = newUuid()
    const look = 'select from directory.provisioning_orders'
    expect(await asApi(look)).toBe(0)
    expect(await asApi(look, [], { order_id: `${own} ${row?.order_id}` })).toBe(0)
    expect(await asApi(look, [], { order_id: orderId })).toBe(1)
    const claim = `insert into directory.provisioning_orders (scope, order_id, center_id, fingerprint, created_at) values ($1, 'another', ${mine.id}, '', now())`
    expect(await asApi(claim, [own], { order_id: `${own} another` })).toBe(1)
    expect(await asApi(claim, [own], { order_id: orderId })).toBe(refused)
    expect(await asApi('update directory.provisioning_orders set created_at = now()')).toBe(refused)
  })

  it('counts words and deletes none that a center has', async () => {
    expect(await asApi('update directory.search_words set centers = centers')).toBeGreaterThan(0)
    expect(await asApi(`update directory.search_words set word = 'x'`)).toBe(refused)
    expect(await asApi('delete from directory.search_words')).toBe(0)
  })
})

describe('sign-in', () => {
  const asAuth = (text: string) => attempt(client, { role: 'cs_auth', center: null }, text)

  it('activates an invited membership, and changes nothing else of it', async () => {
    const become = (status: string) => asAuth(`update directory.memberships set status = '${status}'`)
    for (const status of ['INVITED', 'SUSPENDED', 'ENDED', 'REJECTED']) expect(await become(status)).toBe(refused)
    for (const status of ['PENDING', 'ACTIVE']) {
      expect(await become(status)).toBe(refused)
      expect(await become(`${status}' where status in ('SUSPENDED', 'ENDED') and status <> '`)).toBe(refused)
    }
    expect(await become(`PENDING' where status = 'INVITED' and status <> '`)).toBeGreaterThan(0)
    expect(await asAuth(`update directory.memberships set role = 'ADMIN'`)).toBe(refused)
  })

  it('counts a seat, and changes nothing else of a subscription', async () => {
    expect(await asAuth('update directory.subscriptions set seat_used = seat_used')).toBe(2)
    for (const change of ['seat_limit = 9999', `status = 'ACTIVE'`]) {
      expect(await asAuth(`update directory.subscriptions set ${change}`)).toBe(refused)
    }
    expect(await asAuth('delete from directory.subscriptions')).toBe(refused)
  })
})

describe('the operator commands', () => {
  const asOperator = (text: string) => attempt(client, { role: 'cs_operator', center: mine.id }, text, [])

  it.each([
    'sessions',
    'refresh_tokens',
    'sso_tokens',
    'push_subscriptions',
    'push_notices',
    'calendar_feeds',
    'signing_keys',
    'invitations',
    'mails',
    'password_resets',
    'sign_ups',
    'address_changes',
  ])('read and delete no row of %s', async (table) => {
    expect(await asOperator(`select from directory.${table}`)).toBe(refused)
    expect(await asOperator(`delete from directory.${table}`)).toBe(refused)
  })

  it('add mail', async () => {
    const mail = `insert into directory.mails (id, sealed, next_at, expires_at)
      values (gen_random_uuid(), '\\x00', now(), now())`
    expect(await asOperator(mail)).toBe(1)
  })

  it('delete no person, center, membership or audit entry', async () => {
    for (const table of ['actors', 'centers', 'memberships', 'audit_entries']) {
      expect(await asOperator(`delete from directory.${table}`)).toBe(refused)
    }
  })
})

describe('webhooks', () => {
  const asJobs = (text: string) => attempt(client, { role: 'cs_jobs', center: null }, text)
  const asSequencer = (text: string) => attempt(client, { role: 'cs_sequencer', center: mine.id }, text)

  it('are polled for due work before a center is entered, and leased', async () => {
    expect(await asJobs('select from cell.webhook_deliveries')).toBe(2)
    expect(await asJobs('update cell.webhook_endpoints set lease_until = now()')).toBe(2)
    expect(await asJobs('update cell.webhook_secrets set sealed = sealed')).toBe(2)
    const lease = `select from cell.lease_endpoints(now() + interval '1 hour', now() + interval '2 hours', 10)`
    // No delivery is due: the only one of each center has failed permanently.
    expect(await asJobs(lease)).toBe(0)
  })

  it('cannot be changed, created, moved or deleted by that, and their events are not visible', async () => {
    expect(await asJobs(`update cell.webhooks set url = 'https://elsewhere.example'`)).toBe(0)
    expect(await asJobs('update cell.webhook_deliveries set next_at = now()')).toBe(0)
    // No row has expired yet.
    expect(await asJobs('delete from cell.webhook_secrets')).toBe(0)
    expect(await asJobs('select from cell.webhook_events')).toBe(0)
    expect(await asJobs('select from cell.webhook_attempts')).toBe(0)
    for (const text of [
      `update cell.webhook_endpoints set center_id = ${theirs.id}`,
      'update cell.webhook_secrets set webhook_id = gen_random_uuid()',
      'delete from cell.webhook_endpoints',
      'delete from cell.webhooks',
      'insert into cell.webhook_endpoints (center_id, webhook_id) values (1, gen_random_uuid())',
      'delete from cell.webhook_events',
      'delete from cell.webhook_attempts',
    ]) {
      expect([text, await asJobs(text)]).toEqual([text, refused])
    }
  })

  it('are visible to the sequencer by their event types only', async () => {
    expect(await asSequencer('select id, events, active from cell.webhooks')).toBe(1)
    for (const text of [
      'select url from cell.webhooks',
      'select from cell.webhook_secrets',
      'select from cell.webhook_events',
      'select from cell.webhook_attempts',
      'update cell.webhooks set active = true',
    ]) {
      expect([text, await asSequencer(text)]).toEqual([text, refused])
    }
  })

  it('are managed by their center, which writes no attempt, takes no lease and deletes no sent event', async () => {
    for (const text of [
      'update cell.webhook_endpoints set lease_until = now()',
      'update cell.webhook_deliveries set attempts = 0',
      'update cell.webhook_events set data = data',
      'delete from cell.webhooks',
      'delete from cell.webhook_deliveries',
      'delete from cell.webhook_attempts',
      'delete from cell.webhook_event_ids',
      `insert into cell.webhook_attempts (webhook_id, event_id, number, at, ms, excerpt)
       values (gen_random_uuid(), gen_random_uuid(), 1, now(), 0, '')`,
    ]) {
      expect([text, await asApi(text)]).toEqual([text, refused])
    }
  })

  it('are retained in weekly partitions by housekeeping alone', async () => {
    const keep = `select cell.keep_webhook_weeks(now(), interval '30 days')`
    expect(await asJobs(keep)).toBe(1)
    for (const role of ['cs_api', 'cs_sequencer', 'cs_recorder', 'cs_auth', 'cs_operator', 'cs_public']) {
      expect([role, await attempt(client, { role, center: mine.id }, keep)]).toEqual([role, refused])
    }
  })
})

describe('public verification by record id', () => {
  const ids = async (level: string) => {
    const rows = await server.world.query<{ id: string }>(
      `select id from cell.dpus where center_id = $1 and (domain = 'proof' or evidence_level = 'AUDIT_READY') = $2`,
      [theirs.id, level === 'sealed'],
    )
    return rows.map(({ id }) => id)
  }
  const asPublic = (text: string, record: string | null, values: unknown[] = []) =>
    attempt(
      client,
      { role: 'cs_public', center: mine.id, settings: record === null ? {} : { record_id: record } },
      text,
      values,
    )
  const whose = 'select center_id, id, domain from cell.dpus'

  it('returns the center of a record that it names, and only if it is sealed', async () => {
    const [[sealed], [draft]] = [await ids('sealed'), await ids('draft')]
    expect(await asPublic(whose, sealed as string)).toBe(1)
    expect(await asPublic(`${whose} where id = $1`, null, [sealed])).toBe(0)
    expect(await asPublic(`${whose} where id = $1`, draft as string, [sealed])).toBe(0)
    expect(await asPublic(whose, draft as string)).toBe(0)
    expect(await asPublic(whose, '')).toBe(0)
  })

  it('reads no content of a record', async () => {
    const [sealed] = await ids('sealed')
    const { rows } = await client.query<{ column: string }>(
      `select attname as column from pg_attribute where attrelid = 'cell.dpus'::regclass and attnum > 0 and not attisdropped`,
    )
    const read: string[] = []
    for (const { column } of rows) {
      if ((await asPublic(`select ${column} from cell.dpus`, sealed as string)) !== refused) read.push(column)
    }
    expect(read.sort()).toEqual(['center_id', 'domain', 'id'])
    for (const table of [
      'chain_entries',
      'entries',
      'decision_events',
      'recorded_decisions',
      'approvals',
      'history',
      'public_verifications',
    ]) {
      expect([table, await asPublic(`select from cell.${table}`, sealed as string)]).toEqual([table, refused])
    }
    for (const change of ['update cell.dpus set id = id', 'delete from cell.dpus']) {
      expect([change, await asPublic(change, sealed as string)]).toEqual([change, refused])
    }
  })

  it('uses the index for record ids', async () => {
    const [sealed] = await ids('sealed')
    await client.query(
      `begin; set local role cs_public; set local enable_seqscan = off; set local app.record_id = '${sealed}'`,
    )
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain select center_id from cell.dpus where id = '${sealed}'`,
    )
    await client.query('rollback')
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('dpus_sealed_id')
  })
})
