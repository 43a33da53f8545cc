/** The table of a decision's fields and the table of the database agree, so that SQL can go by the type of a row. */
import { decisionFields, fieldList } from '@countersign/proof/decision-fields.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts'
import { newEvent } from '../record.ts'

interface Column {
  readonly name: string
  readonly nullable: boolean
  readonly redactable: boolean
}

let database: TestDatabase
let client: pg.Client
let columns: Column[]
beforeAll(async () => {
  database = await cloneDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<Column>(
    `select attname as name, not attnotnull as nullable, has_column_privilege('cs_sequencer', attrelid, attnum, 'update') as redactable
     from pg_attribute where attrelid = 'cell.recorded_decisions'::regclass and attnum > 0 and not attisdropped`,
  )
  columns = rows
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const event = newEvent(
  { type: 'custom', actor: { id: 'a', type: 'human' }, action: { type: 'x' } },
  { centerId: 7, at: Date.UTC(2026, 0, 1), recordedBy: null, traceparent: null, key: null },
)
const columnOf = (name: string) => columns.find((column) => column.name === name)

describe('each field', () => {
  it.each(fieldList)('$name has its column, which a redaction can find by its name', ({ name, column }) => {
    expect(column).toBe(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    expect(columnOf(column)).toBeDefined()
  })

  it.each(fieldList)(
    '$name can be left out exactly where the column can be null, or has none',
    ({ name, column, optional }) => {
      expect(columnOf(column)?.nullable).toBe(optional && name !== 'tags')
    },
  )

  it.each(fieldList)('$name can be deleted if anything of it is committed', ({ name, column, sealed }) => {
    const committed = JSON.stringify(sealed).includes('committed')
    // The trace goes with the value of the model's context that may name the same one.
    expect(columnOf(column)?.redactable).toBe(committed || name === 'traceparent')
  })
})

it('a new event names every column but its number, because an insert of whole rows takes no defaults', () => {
  const { status, updated_at: _, ...recorded } = event
  expect([status, Object.keys(recorded).sort()]).toEqual([
    'recorded',
    columns
      .map(({ name }) => name)
      .filter((name) => name !== 'seq')
      .sort(),
  ])
})

it('what everybody reads has every column, and the state', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'cell.decision_events'::regclass and attnum > 0`,
  )
  expect(rows.map(({ name }) => name).sort()).toEqual(
    ['status', 'updated_at', ...columns.map(({ name }) => name)].sort(),
  )
})

it('a row changes by a redaction only, in every column', async () => {
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_triggerdef(oid) as definition from pg_trigger
     where tgname = 'append_only' and tgrelid = 'cell.recorded_decisions'::regclass`,
  )
  expect(rows[0]?.definition).toMatch(/ BEFORE UPDATE ON .* FOR EACH ROW EXECUTE FUNCTION cell.only_redacted\(\)$/)
})

it('no field has the name of what the service adds', () => {
  const added = ['id', 'decisionId', 'status', 'evidence', 'actionDigest', 'actionSalt', 'createdAt', 'updatedAt']
  expect(Object.keys(decisionFields).filter((name) => added.includes(name))).toEqual([])
})
