/** Packing from a clone. tests/journeys/packages.test.ts installs what `npm run pack` makes. */
import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inShell, plainEnvironment } from '../../tests/journeys/shell.ts'

const root = new URL('../../', import.meta.url).pathname
const env = plainEnvironment()
const failing = (folder: string, command: string): Promise<string> =>
  inShell({ folder: join(root, folder), env }, command).then(
    (said) => Promise.reject(new Error(`it passed: ${said}`)),
    (error: Error) => error.message,
  )

it('npm pack in a source folder fails, and names the command that packs', async () => {
  expect(await failing('packages/sdk', 'npm pack')).toContain('npm-run-pack')
  expect(globSync('packages/sdk/*.tgz', { cwd: root })).toEqual([])
})

it.each([
  ['without a folder', '', 'npm run pack -- --into FOLDER'],
  ['into the clone itself', '--into ./mine', 'is in this clone'],
  ['of a package that does not exist', `--into ${join(tmpdir(), 'none')} sdk nothing`, 'There is no package "nothing"'],
])('npm run pack %s says what is wrong', async (_, options, said) => {
  expect(await failing('packages', `npm run --silent pack -- ${options}`)).toContain(said)
})
