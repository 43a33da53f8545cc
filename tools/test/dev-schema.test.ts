/** `npm run dev` on a database created by an older set of migrations. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { type DevDatabase, prepareSchema } from '../dev-schema.ts'
import { withClient } from '../postgres.ts'

let database: TestDatabase
let folder: string
let dev: DevDatabase
beforeEach(async () => {
  database = await cloneDatabase()
  folder = mkdtempSync(join(tmpdir(), 'dev-schema-'))
  const target = { databaseUrl: database.url, cells: new Map([['main', database.url]]) }
  dev = { target, embedded: true, fenceFolder: folder, rebuild: false, ask: null }
  await query('create table directory.kept (n integer)')
  await query(`update countersign_migrations.applied set checksum = 'older' where name like 'directory/%'`)
})
afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const query = async (text: string) => (await withClient(database.url, (client) => client.query(text))).rows
const isKept = async () => (await query(`select to_regclass('directory.kept') is not null as kept`))[0].kept

it('rebuilds it after a yes on the terminal, and deletes the checkpoints that were seen in it', async () => {
  const questions: string[] = []
  mkdirSync(join(folder, 'seen'))
  const ask = async (question: string) => {
    questions.push(question)
    return 'y'
  }
  expect(await prepareSchema({ ...dev, embedded: false, ask })).toBe('rebuilt')
  expect(questions).toEqual([expect.stringMatching(/migrations.*Delete all its data\? \[y\/N\]/)])
  expect(await isKept()).toBe(false)
  expect(await prepareSchema(dev)).toBe('up to date')
})

it('changes nothing after any other answer', async () => {
  await expect(prepareSchema({ ...dev, ask: async () => '' })).rejects.toThrow("wasn't rebuilt")
  expect(await isKept()).toBe(true)
})

it('rebuilds its own database with --rebuild and without a terminal', async () => {
  await expect(prepareSchema(dev)).rejects.toThrow('npm run dev -- --rebuild')
  expect(await prepareSchema({ ...dev, rebuild: true })).toBe('rebuilt')
  expect(await isKept()).toBe(false)
})

it('never rebuilds a named database without a question', async () => {
  await expect(prepareSchema({ ...dev, embedded: false, rebuild: true })).rejects.toThrow('where it asks first')
  expect(await isKept()).toBe(true)
})
