/** Rows that were closed for ever open for a redaction, and exactly as far as its entry says: tried with the role that seals. */
import { uuidOf } from '@countersign/server/lib/ids.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attempt, refused } from '../isolation/attempts.ts'
import { type ProofFixture, startProofFixture } from '../support/proof-fixture.ts'

let fixture: ProofFixture & { close(): Promise<void> }
let client: pg.Client
/** Two decisions and two units; of the first of each something was redacted. */
let redacted: { event: string; unit: string }
let whole: { event: string; unit: string }

beforeAll(async () => {
  fixture = await startProofFixture()
  client = new pg.Client({ connectionString: fixture.server.services.config.databaseUrl })
  await client.connect()
  const make = async () => {
    const { id } = await fixture.record({ tags: ['kept', 'plan'] })
    await fixture.approve(id, { reason: 'It is right.' })
    const unit = await fixture.unit({ content: 'Two sessions a week' })
    await fixture.platform('PUT', `/api/dpu/${unit.id}`, { metadata: { who: 'Ms Jo' } })
    return { event: uuidOf('decisionEvent', id) as string, unit: uuidOf('dpu', unit.id) as string, ids: [id, unit.id] }
  }
  whole = await make()
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

/** What a sealed row is made to say, by table. `of` is the condition that finds the row. */
const attempts: readonly [what: string, text: (of: { event: string; unit: string }) => string][] = [
  ['a unit loses its reference', ({ unit }) => `update cell.dpus set reference_id = 'x' where id = '${unit}'`],
  ['a unit gets other words', ({ unit }) => `update cell.dpus set content = 'other words' where id = '${unit}'`],
  ['a unit loses a salt', ({ unit }) => `update cell.dpus set ${without('salts', 'createdBy')} where id = '${unit}'`],
  ['a unit loses its author', ({ unit }) => `update cell.dpus set created_by = null where id = '${unit}'`],
  [
    'evidence loses a salt',
    ({ event }) => `update cell.dpus set ${without('salts', 'event.actor.id')} where id = '${event}'`,
  ],
  ['evidence gets metadata', ({ event }) => `update cell.dpus set metadata = '{"a":1}' where id = '${event}'`],
  ['evidence gets another time', ({ event }) => `update cell.dpus set updated_at = now() where id = '${event}'`],
  [
    'an actor loses the id',
    ({ event }) => `update cell.decision_events set ${without('actor', 'id')} where id = '${event}'`,
  ],
  [
    'an actor gets a name',
    ({ event }) =>
      `update cell.decision_events set actor = '{"id":"agent-7","name":"X","type":"ai_agent"}' where id = '${event}'`,
  ],
  [
    'an actor changes kind',
    ({ event }) => `update cell.decision_events set actor = '{"id":"agent-7","type":"human"}' where id = '${event}'`,
  ],
  ['an event gets tags', ({ event }) => `update cell.decision_events set tags = '{other}' where id = '${event}'`],
  [
    'an event is open again',
    ({ event }) => `update cell.decision_events set status = 'recorded' where id = '${event}'`,
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

describe.each(['whole', 'redacted'] as const)('a record that is %s', (which) => {
  it.each(attempts)('%s: refused', async (_, text) => {
    expect(await asSequencer(text(which === 'whole' ? whole : redacted))).toBe(refused)
  })
})

describe('what a redaction would delete', () => {
  it.each([
    [
      'the name of an actor',
      () => `update cell.decision_events set ${without('actor', 'name')} where id = '${whole.event}'`,
    ],
    ['the tags of an event', () => `update cell.decision_events set tags = '{}' where id = '${whole.event}'`],
    [
      'the name of an approver',
      () => `update cell.approvals set ${without('approver', 'name')} where event_id = '${whole.event}'`,
    ],
    ['the words of a unit', () => `update cell.dpus set content = '' where id = '${whole.unit}'`],
  ])('stays without its entry: %s', async (_, text) => {
    expect(await asSequencer(text())).toBe(refused)
  })

  it('goes by name and not by wish: told to redact a record of which nothing was redacted, nothing happens', async () => {
    const text = `select cell.redact('[{"center_id":${fixture.center.id},"id":"${whole.event}"},{"center_id":${fixture.center.id},"id":"${whole.unit}"}]')`
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

it('a count goes only when nothing is left to count', async () => {
  await fixture.server.world.query(
    `insert into cell.decision_event_counts (center_id, tag, type, status, events)
     values ($1, 'one', 'custom', 'sealed', 1), ($1, 'none', 'custom', 'sealed', 0)`,
    [fixture.center.id],
  )
  expect(await asSequencer(`delete from cell.decision_event_counts where tag = 'one'`)).toBe(refused)
  expect(await asSequencer(`delete from cell.decision_event_counts where tag = 'none'`)).toBe(1)
})

it('an event that is not sealed cannot be rewritten either', async () => {
  const { id } = await fixture.record()
  const uuid = uuidOf('decisionEvent', id)
  for (const change of [`actor = '{}'`, `tags = '{}'`, `reason = 'x'`, 'fingerprint = null']) {
    expect(await asSequencer(`update cell.decision_events set ${change} where id = '${uuid}'`)).toBe(refused)
  }
})

it('nobody else may try', async () => {
  for (const role of ['cs_api', 'cs_recorder', 'cs_jobs', 'cs_public']) {
    const text = `update cell.approvals set reason = null where event_id = '${whole.event}'`
    expect(await attempt(client, { role, center: fixture.center.id }, text)).toBe(refused)
  }
})
