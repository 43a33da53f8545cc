/** A gateway that is killed: what it held goes on in the next process, and nothing that was sent is sent again. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eras, type McpClient } from '../../../tests/support/mcp.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import {
  heldCall,
  openPlace,
  type Place,
  type RunningGateway,
  startGateway,
  textOf,
  until,
  waitFor,
} from './fixture.ts'

let server: TestServer
let place: Place
let gateway: RunningGateway
const open: McpClient[] = []
beforeAll(async () => {
  server = await startServer()
  place = await openPlace(server)
}, 600_000)
afterAll(async () => {
  for (const client of open) await client.close().catch(() => {})
  await gateway?.kill()
  place.close()
  await server.close()
})
const execution = async (eventId: string) => (await place.client.decisions.get(eventId)).execution
const ran = (text: string) => place.ran().filter((each) => each.text === text)
const start = async (limits = { waitSeconds: 2, callSeconds: 30 }) => {
  gateway = await startGateway(place, { limits })
  const client = await gateway.client('clerk', { era: eras[1] })
  open.push(client)
  return client
}

it('approved while it was dead and not forwarded: it runs once', { timeout: 120_000 }, async () => {
  const client = await start()
  const { handle, eventId } = await heldCall(client, 'notes_hold', { text: 'approved' })
  await gateway.kill()
  await place.approve(eventId)
  const again = await start()
  const result = await waitFor(again, handle)
  expect(textOf(result)).toBe('noted approved')
  expect(ran('approved')).toHaveLength(1)
  expect(await execution(eventId)).toMatchObject({ outcome: { status: 'succeeded' } })
  await gateway.kill()
})

it('forwarded without an answer: its outcome is unknown, and it is never sent again', {
  timeout: 120_000,
}, async () => {
  const client = await start({ waitSeconds: 60, callSeconds: 60 })
  const call = { name: 'notes_slow', arguments: { text: 'slow', ms: 60_000 } }
  void client.callTool(call).catch(() => {})
  await until(() => ran('slow').length === 1)
  await gateway.kill()
  const again = await start({ waitSeconds: 60, callSeconds: 60 })
  // The same call, made again, learns what became of the first.
  const result = await again.callTool(call)
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('may or may not have taken effect')])
  const { data } = await place.client.decisions.list({ limit: 20 })
  const mine = data.filter(({ action }) => action.type === 'notes.slow')
  expect(mine).toHaveLength(1)
  expect(await execution(mine[0]?.id as string)).toMatchObject({ outcome: { status: 'unknown' } })
  expect(ran('slow')).toHaveLength(1)
})

it('a second gateway on the same state folder does not start', { timeout: 60_000 }, async () => {
  await expect(startGateway(place)).rejects.toThrow(/in use by another process/)
})

it('a stopped gateway leaves what waits to the next one', { timeout: 120_000 }, async () => {
  const client = await gateway.client('clerk', { era: eras[0] })
  const called = client.callTool({ name: 'notes_hold', arguments: { text: 'stopped' } }).catch(() => null)
  await until(async () => (await place.client.decisions.list({ waiting: true })).data.length > 0)
  expect(await gateway.stop()).toBe(0)
  await called
  const again = await start()
  const { eventId, handle } = await heldCall(again, 'notes_hold', { text: 'stopped' })
  expect((await place.client.decisions.list({ waiting: true })).data).toHaveLength(1)
  await place.approve(eventId)
  expect(textOf(await waitFor(again, handle))).toBe('noted stopped')
})
