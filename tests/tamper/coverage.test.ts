import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { read } from '../docs/blocks.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { provenTables, uncovered } from './coverage.ts'

let database: TestDatabase
let catalog: string[]
beforeAll(async () => {
  database = await cloneDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'cell' and table_name = any ($1) and is_generated = 'NEVER'`,
    [provenTables],
  )
  catalog = rows.map(({ name }) => name)
  await client.end()
})
afterAll(() => database.drop())

const page = read('docs/formats/what-is-covered.md')
const rowsUnder = (heading: string): string[][] => {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^\| (`.*) \|$/gm)].map(([, row]) => (row as string).split(' | '))
}
const named = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string)

it('documents the columns that the tests leave out, with the same reasons', () => {
  const documented = rowsUnder('Not covered').map(([column, reason]) => [named(column as string)[0], reason])
  expect(Object.fromEntries(documented)).toEqual(uncovered)
})

it('lists every column of every proven table once, as covered or not', () => {
  const covered = rowsUnder('Covered').flatMap(([table, columns]) =>
    named(columns as string).map((column) => `${named(table as string)[0]}.${column}`),
  )
  expect([...covered, ...Object.keys(uncovered)].sort()).toEqual(catalog.sort())
})
