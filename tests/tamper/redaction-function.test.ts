/** Append-only rows can change in a redaction, and only as far as its entry says: tested with the role that seals. */
import { uuidOf } from '@countersign/server/lib/ids.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attempt, refused } from '../isolation/attempts.ts'
import { type ProofFixture, startProofFixture } from '../support/proof-fixture.ts'

let fixture: ProofFixture & { close(): Promise<void> }
let client: pg.Client
/** Two decisions and two DPUs; the first of each has a redaction. */
let redacted: { event: string; dpu: string }
let intact: { event: string; dpu: string }

beforeAll(async () => {
  fixture = await startProofFixture()
  client = new pg.Client({ connectionString: fixture.server.services.config.databaseUrl })
  await client.connect()
  const make = async () => {
    const { id } = await fixture.record({ tags: ['kept', 'plan'] })
    await fixture.approve(id, { reason: 'It is right.' })
    const dpu = await fixture.unit({ content: 'Two sessions a week' })
    await fixture.platform('PUT', `/api/dpu/${dpu.id}`, { metadata: { who: 'Ms Jo' } })
    return { event: uuidOf('decisionEvent', id) as string, dpu: uuidOf('dpu', dpu.id) as string, ids: [id, dpu.id] }
  }
  intact = await make()
  const { ids, ...rest } = await make()
  redacted = rest
  for (const [id, paths] of [
    [ids[0]?.replace('evt_', 'dpu_'), ['event.actor.name', 'event.tags', 'approval.approver.name']],
    [ids[1], ['content', 'metadata']],
  ]) {
    const { status } = await fixture.platform('POST', `/api/dpu/${id}/redactions`, { paths, reason: 'Asked for.' })
    if (status !== 201) throw new Error('could not be redacted')
  }
})
afterAll(async () => {
  await client.end()
  await fixture.close()
})

const asSequencer = (text: string) => attempt(client, { role: 'cs_sequencer', center: fixture.center.id }, text)
const without = (column: string, key: string) => `${column} = (${column}::jsonb - '${key}')::json`

/** Changes of a sealed row, by table. `of` identifies the rows. */
const attempts: readonly [what: string, text: (of: { event: string; dpu: string }) => string][] = [
  ['a DPU loses its reference', ({ dpu }) => `update cell.dpus set reference_id = 'x' where id = '${dpu}'`],
  ['a DPU gets another content', ({ dpu }) => `update cell.dpus set content = 'other words' where id = '${dpu}'`],
  ['a DPU loses a salt', ({ dpu }) => `update cell.dpus set ${without('salts', 'createdBy')} where id = '${dpu}'`],
  ['a DPU loses its author', ({ dpu }) => `update cell.dpus set created_by = null where id = '${dpu}'`],
  [
    'evidence loses a salt',
    ({ event }) =>
      `update cell.dpus set packed_salts = cell.packed_without(packed_salts, '{event.actor.id}') where id = '${event}'`,
  ],
  ['evidence loses its salts', ({ event }) => `update cell.dpus set packed_salts = null where id = '${event}'`],
  ['evidence gets a salt', ({ event }) => `update cell.dpus set salts = '{"event.tags":"00"}' where id = '${event}'`],
  ['evidence gets metadata', ({ event }) => `update cell.dpus set metadata = '{"a":1}' where id = '${event}'`],
  ['evidence gets another time', ({ event }) => `update cell.dpus set updated_at = now() where id = '${event}'`],
  [
    'an actor loses the id',
    ({ event }) => `update cell.recorded_decisions set ${without('actor', 'id')} where id = '${event}'`,
  ],
  [
    'an actor gets a name',
    ({ event }) =>
      `update cell.recorded_decisions set actor = '{"id":"agent-7","name":"X","type":"ai_agent"}' where id = '${event}'`,
  ],
  [
    'an actor changes type',
    ({ event }) => `update cell.recorded_decisions set actor = '{"id":"agent-7","type":"human"}' where id = '${event}'`,
  ],
  ['an event gets tags', ({ event }) => `update cell.recorded_decisions set tags = '{other}' where id = '${event}'`],
  [
    'an event becomes unsealed',
    ({ event }) => `insert into cell.open_decisions (center_id, seq, status)
        select center_id, event_seq, 'recorded' from cell.dpus where id = '${event}'`,
  ],
  [
    'an approver loses the id',
    ({ event }) => `update cell.approvals set ${without('approver', 'id')} where event_id = '${event}'`,
  ],
  [
    'an approver gets a name',
    ({ event }) =>
      `update cell.approvals set approver = '{"id":"therapist-4","name":"X","type":"human"}' where event_id = '${event}'`,
  ],
  [
    'an approval loses its reason',
    ({ event }) => `update cell.approvals set reason = null where event_id = '${event}'`,
  ],
  ['nothing changes', ({ event }) => `update cell.approvals set reason = reason where event_id = '${event}'`],
  ['an approval is gone', ({ event }) => `delete from cell.approvals where event_id = '${event}'`],
  ['the history forgets who', () => `update cell.history set ${without('disclosed', 'by')}, ${without('salts', 'by')}`],
  ['the history says something else', () => `update cell.history set disclosed = '{"metadata":{}}'`],
  ['the history is gone', () => 'delete from cell.history'],
  ['an event is taken from its list', () => `delete from cell.decision_event_tags where tag = 'kept'`],
]

describe.each(['unredacted', 'redacted'] as const)('an %s record', (which) => {
  it.each(attempts)('refuses a change: %s', async (_, text) => {
    expect(await asSequencer(text(which === 'unredacted' ? intact : redacted))).toBe(refused)
  })
})

describe('data that a redaction would delete', () => {
  it.each([
    [
      'the name of an actor',
      () => `update cell.recorded_decisions set ${without('actor', 'name')} where id = '${intact.event}'`,
    ],
    ['the tags of an event', () => `update cell.recorded_decisions set tags = '{}' where id = '${intact.event}'`],
    [
      'the name of an approver',
      () => `update cell.approvals set ${without('approver', 'name')} where event_id = '${intact.event}'`,
    ],
    ['the content of a DPU', () => `update cell.dpus set content = '' where id = '${intact.dpu}'`],
  ])('cannot be deleted without a redaction entry: %s', async (_, text) => {
    expect(await asSequencer(text())).toBe(refused)
  })

  it('is kept when the function is called for a record without a redaction entry', async () => {
    const text = `select cell.redact('[{"center_id":${fixture.center.id},"id":"${intact.event}"},{"center_id":${fixture.center.id},"id":"${intact.dpu}"}]')`
    const before = await rows()
    expect(await asSequencer(text)).toBe(1)
    await client.query('begin')
    await client.query(`set local role cs_sequencer; set local app.center_ids = '{${fixture.center.id}}'`)
    await client.query(text)
    await client.query('commit')
    expect(await rows()).toEqual(before)
    const { data } = (await fixture.platform('GET', '/api/dpu/verify-chain?mode=records')).body
    expect(data).toMatchObject({ allValid: true })
  })
})

const rows = async () =>
  (
    await client.query(
      `select t::text from cell.dpus t union all select t::text from cell.decision_events t
       union all select t::text from cell.approvals t union all select t::text from cell.history t
       union all select t::text from cell.decision_event_tags t order by 1`,
    )
  ).rows

it('deletes a count only when it is zero', async () => {
  await fixture.server.world.query(
    `insert into cell.decision_event_counts (center_id, tag, type, status, events)
     values ($1, 'one', 'custom', 'sealed', 1), ($1, 'none', 'custom', 'sealed', 0)`,
    [fixture.center.id],
  )
  expect(await asSequencer(`delete from cell.decision_event_counts where tag = 'one'`)).toBe(refused)
  expect(await asSequencer(`delete from cell.decision_event_counts where tag = 'none'`)).toBe(1)
})

it('refuses to rewrite an unsealed event', async () => {
  const { id } = await fixture.record()
  const uuid = uuidOf('decisionEvent', id)
  for (const change of [`actor = '{}'`, `tags = '{}'`, `reason = 'x'`, 'fingerprint = null']) {
    expect(await asSequencer(`update cell.recorded_decisions set ${change} where id = '${uuid}'`)).toBe(refused)
  }
})

it('refuses every other role', async () => {
  for (const role of ['cs_api', 'cs_recorder', 'cs_jobs', 'cs_public']) {
    const text = `update cell.approvals set reason = null where event_id = '${intact.event}'`
    expect(await attempt(client, { role, center: fixture.center.id }, text)).toBe(refused)
  }
})
