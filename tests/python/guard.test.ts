/** The guard in Python against a real server: many at once, and the context managers. */
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { compiled, folder, python } from './environment.ts'

let interpreter: string
let server: TestServer
let fixture: ProofFixture

beforeAll(async () => {
  interpreter = await python()
  server = await startServer()
  fixture = await openProofFixture(server)
}, 600_000)
afterAll(() => server.close())

it('runs sixty-four coroutines, each once, and one call once for all that make it', { timeout: 240_000 }, async () => {
  const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
  const SCENE = JSON.stringify({
    url: server.url.replace(/\/$/, ''),
    key: fixture.key,
    policy,
    center: fixture.center.id,
  })
  const env = { ...process.env, SCENE, ...compiled }
  const { stdout } = await promisify(execFile)(interpreter, [join(folder, 'tests/many.py')], { env })
  const { alone, block, ...counts } = JSON.parse(stdout)
  expect(counts).toEqual({ ran: 65, events: 64, same: 1 })
  expect(block).toMatch(/^evt_/)
  expect(alone).toEqual(['no money', 'done: An earlier attempt ran this call, and it failed: no money', 'many/failing'])
})

it('has the tests of the package, its layout and its generated files', { timeout: 300_000 }, () => {
  for (const args of [
    ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'],
    ['-m', 'ruff', 'check', '--no-cache', '.'],
    ['-m', 'ruff', 'format', '--no-cache', '--check', '.'],
    ['tools/generate.py', '--check'],
  ]) {
    const env = { ...process.env, ...compiled }
    const { status, stdout, stderr } = spawnSync(interpreter, args, { cwd: folder, encoding: 'utf8', env })
    expect(status, stdout + stderr).toBe(0)
  }
})
