/** The Python of the README and of the guide: the same program waits, runs once after the approval, and then says that it's done. */
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf, read } from '../docs/blocks.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { compiled, folder, python, temporary } from './environment.ts'

const run = promisify(execFile)
const inPython = (page: string) => blocksOf(read(page)).filter(({ language }) => language === 'python')
let server: TestServer
let fixture: ProofFixture
let place: string
let program: string

beforeAll(async () => {
  program = await python()
  server = await startServer()
  fixture = await openProofFixture(server)
  await fixture.policy({ humanReview: true }, { match: { actionTypes: ['refund'] }, approval: { identity: 'session' } })
  place = await temporary()
  const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
  await writeFile(join(place, 'trust.txt'), policy)
}, 600_000)
afterAll(async () => {
  await server?.close()
  if (place) await rm(place, { recursive: true, force: true })
})

it('the README shows the program of the guide', () => {
  const [first] = inPython('docs/guides/python.md')
  expect(first?.text).toContain('Guard("refund-agent"')
  for (const page of ['README.md', 'README.ko.md', 'docs/ko/guides/python.md'])
    expect(inPython(page)[0]?.text, page).toBe(first?.text)
})

it('the program waits, runs what was approved, and says the third time that it is done', async () => {
  await writeFile(join(place, 'refund.py'), inPython('docs/guides/python.md')[0]?.text ?? '')
  const env = {
    ...{ ...compiled, PATH: process.env.PATH, PYTHONPATH: join(folder, 'src'), HOME: place },
    ...{ COUNTERSIGN_URL: server.url, COUNTERSIGN_API_KEY: fixture.key, COUNTERSIGN_CENTER: String(fixture.center.id) },
    COUNTERSIGN_TRUST_FILE: join(place, 'trust.txt'),
  }
  const said = async () => (await run(program, ['refund.py'], { cwd: place, env })).stdout.trim()
  const [, event = ''] = /^waiting http\S+\/approve\/(evt_\w+)$/.exec(await said()) ?? []
  expect(event).not.toBe('')
  expect((await fixture.approveAsMember(event, { result: 'approved' })).status).toBe(200)
  expect(await said()).toBe('Refunded 820000 won.')
  expect(await said()).toMatch(/^done\b/)
}, 180_000)
