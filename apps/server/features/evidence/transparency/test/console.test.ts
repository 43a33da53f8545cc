import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestServer } from '../../../../../../tests/support/server.ts'
import { forgeableServer, type VerifiedCenter, verifiedCenter } from '../../verification/test/fixture.ts'

let server: TestServer
let here: VerifiedCenter

beforeAll(async () => {
  server = await forgeableServer()
  here = await verifiedCenter(server)
  for (let n = 0; n < 4; n++) await here.seal()
})
afterAll(() => server.close())

const get = (path: string, token = here.token) => server.call('GET', path, { token })
const overview = async () => (await get('/api/console/integrity')).body.data

it('shows checkpoints, lengths and the verdicts of the server', async () => {
  await here.verify('chain')
  const { chains, alarms } = await overview()
  const proof = chains.find(({ domain }: { domain: string }) => domain === 'proof')
  expect(proof).toMatchObject({ length: 4, generation: 1, brokenAt: null, generations: [], witnesses: [] })
  expect(proof.checkpoint).toMatchObject({ size: 4, anchoring: 'logged' })
  expect(proof.checkpoint.note).toContain(`${proof.log}\n4\n`)
  expect(proof.checks).toMatchObject([{ mode: 'chain', scannedTo: 4, brokenAt: null }])
  expect(alarms).toEqual([])
})

it('gives the entries that the Proof API gives, from any index, as many as asked for', async () => {
  const whole = await server.call('GET', '/api/v1/chains/proof/entries', { token: here.key })
  const part = await get('/api/chains/proof/entries?from=1&limit=2')
  expect(part.body).toEqual(whole.body.slice(1, 3))
  expect((await get('/api/chains/proof/entries')).text).toBe(whole.text)
  expect((await get('/api/chains/proof/entries?from=4')).text).toBe('')
  for (const query of ['limit=10001', 'from=-1', 'to=3']) {
    expect((await get(`/api/chains/proof/entries?${query}`)).status).toBe(400)
  }
})

it('names the broken entry and the alarm, in this center only', async () => {
  const other = await verifiedCenter(server)
  await other.seal()
  await here.forge(
    `update cell.entries set template = replace(template, 'plan', 'Plan') where idx = 2 and domain = 'proof'`,
  )
  await here.verify('chain')
  const { chains, alarms } = await overview()
  const proof = chains.find(({ domain }: { domain: string }) => domain === 'proof')
  expect(proof.brokenAt).toBe(2)
  expect(proof.checks[0]).toMatchObject({ brokenAt: 2, reason: expect.any(String) })
  expect(alarms).toMatchObject([{ action: 'found', domain: 'proof', brokenAt: 2 }])
  const foreign = (await get('/api/console/integrity', other.token)).body.data
  expect(foreign.alarms).toEqual([])
  expect(foreign.chains.map(({ brokenAt }: { brokenAt: null }) => brokenAt)).toEqual([null, null, null])
})
