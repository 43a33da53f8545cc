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
     from pg_attribute where attrelid = 'cell.decision_events'::regclass and attnum > 0 and not attisdropped`,
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
  expect(Object.keys(event).sort()).toEqual(
    columns
      .map(({ name }) => name)
      .filter((name) => name !== 'seq')
      .sort(),
  )
})

it('every column but the status and its time is kept while a decision is open', async () => {
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_triggerdef(oid) as definition from pg_trigger where tgname = 'recorded' and tgrelid = 'cell.decision_events'::regclass`,
  )
  const [, listed = ''] = /UPDATE OF (.*) ON/.exec(rows[0]?.definition ?? '') ?? []
  const kept = columns.map(({ name }) => name).filter((name) => name !== 'status' && name !== 'updated_at')
  expect(listed.split(', ').sort()).toEqual(kept.sort())
})

it('no field has the name of what the service adds', () => {
  const added = ['id', 'decisionId', 'status', 'evidence', 'actionDigest', 'actionSalt', 'createdAt', 'updatedAt']
  expect(Object.keys(decisionFields).filter((name) => added.includes(name))).toEqual([])
})
