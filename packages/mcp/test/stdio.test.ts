/** The program as a client starts it, driven by the official client in both eras of the protocol. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { done, openCenter, refund } from '../../../apps/server/features/automation/mcp/test/fixture.ts'
import { eras, overStdio } from '../../../tests/support/mcp.ts'
import type { ProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'

const main = new URL('../main.ts', import.meta.url).pathname
let server: TestServer
let fixture: ProofFixture
let folder: string
beforeAll(async () => {
  server = await startServer()
  fixture = await openCenter(server)
  folder = mkdtempSync(join(tmpdir(), 'countersign-mcp-'))
  const { body } = await server.call('GET', '/.well-known/countersign-log.json')
  writeFileSync(join(folder, 'countersign.trust'), body.policy)
}, 600_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server.close()
})

const settings = () => ({
  PATH: process.env.PATH,
  COUNTERSIGN_URL: server.url,
  COUNTERSIGN_API_KEY: fixture.key,
  COUNTERSIGN_TRUST_FILE: join(folder, 'countersign.trust'),
  COUNTERSIGN_CENTER: String(fixture.center.id),
})

it.each(eras)(
  'in the revision %s it sends its user to the page, and takes the approval under the trust policy of its own',
  async (era) => {
    const client = await overStdio(
      { command: process.execPath, args: [main], env: settings() },
      {
        era,
        async onUrl(url) {
          await fixture.approveAsMember(url.split('/').at(-1) as string)
          return 'accept'
        },
      },
    )
    const { status, eventId } = await done(client, 'request_approval', refund())
    expect(status).toBe('allowed')
    const { type, input } = refund().action
    const { receipt, chainHash: hash } = await done(client, 'consume_approval', { eventId, action: { type, input } })
    expect(await done(client, 'verify_receipt', { receipt, hash })).toMatchObject({ holds: true, under: 'own' })
    await client.close()
  },
)

it('takes no approval of another center, although its own ADMIN gave it', async () => {
  const other = await openCenter(server)
  const env = { ...settings(), COUNTERSIGN_API_KEY: other.key }
  const client = await overStdio({ command: process.execPath, args: [main], env }, { era: '2026-07-28' })
  const { eventId } = await done(client, 'request_approval', refund())
  expect((await other.approveAsMember(eventId)).status).toBe(200)
  const { type, input } = refund().action
  const taken = await client.callTool({ name: 'consume_approval', arguments: { eventId, action: { type, input } } })
  expect(taken).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('not from center') }] })
  const { data } = (await other.v1('GET', `/api/v1/decision-events/${eventId}`)).body
  expect(data.execution).toBeNull()
  await client.close()
})

const reachable = { COUNTERSIGN_URL: 'http://x', COUNTERSIGN_API_KEY: 'csk_x' }

describe('settings', () => {
  async function ends(env: object, ...args: string[]) {
    const child = spawn(process.execPath, [main, ...args], { env: { PATH: process.env.PATH, ...env } })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        output += data
      })
    child.stdin.end()
    const [code] = await once(child, 'exit')
    return [code, output]
  }

  it.each([
    [2, /COUNTERSIGN_URL isn't set\. Add the server's address/, {}, []],
    [2, /COUNTERSIGN_API_KEY isn't set\. Add one of the center's API keys/, { COUNTERSIGN_URL: 'http://x' }, []],
    [2, /apiKey isn't an API key/, { COUNTERSIGN_URL: 'http://x', COUNTERSIGN_API_KEY: 'eyJ' }, []],
    [2, /no such file/, { ...reachable, COUNTERSIGN_TRUST_FILE: '/no', COUNTERSIGN_CENTER: '7' }, []],
    [2, /COUNTERSIGN_CENTER isn't set/, { ...reachable, COUNTERSIGN_TRUST_FILE: '/no' }, []],
    [2, /center isn't a center ID/, { ...reachable, COUNTERSIGN_TRUST_FILE: '/dev/null', COUNTERSIGN_CENTER: 'x' }, []],
    [0, /^countersign-mcp \d+\.\d+\.\d+\n$/, {}, ['--version']],
    [0, /COUNTERSIGN_TRUST_FILE/, {}, ['--help']],
    [2, /COUNTERSIGN_TRUST_FILE/, {}, ['start']],
    [0, /^$/, reachable, []],
  ])('end with %i and %s', async (code, output, env, args) => {
    expect(await ends(env, ...args)).toEqual([code, expect.stringMatching(output)])
  })
})
