/** An emergency approval that its line objected to: the partner and the operator close it only where no other ADMIN can. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emergencyForPartner, join } from '../isolation/emergencies.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { run } from './operator-shell.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const reason = 'We spoke about it.'

it('they leave it to another ADMIN while there is one', async () => {
  const { world } = server
  const [partner, person] = [await world.partner(), await world.person()]
  await world.account(person, partner)
  const { center, admin, params } = await emergencyForPartner(server, partner)
  const operator = () =>
    run(server, ['close-emergency', center.domain, params.eventId, reason], {
      PUBLIC_URL: server.services.config.publicUrl,
    })
  const byPartner = async () => {
    const { accessToken: token } = await server.signIn(person)
    const path = `/api/partner/centers/${center.id}/decisions/${params.eventId}/confirmations/close`
    const { status, body } = await server.call('POST', path, { token, body: { reason } })
    return [status, body.error?.code]
  }
  const tasks = async () => {
    const { accessToken: token } = await server.signIn(person)
    const { body } = await server.call('GET', '/api/partner/stats/dashboard', { token })
    return body.data.waiting.map(({ kind, eventId }: Record<string, unknown>) => [kind, eventId])
  }
  const other = await join(server, center, 'ADMIN')
  expect(await operator()).toMatchObject({ code: 1, complained: expect.stringContaining('Another administrator') })
  expect(await byPartner()).toEqual([403, 'FORBIDDEN'])
  expect(await tasks()).toEqual([])
  await world.setMembership(other, center, { status: 'SUSPENDED' })
  await server.services.eligibility.deliver()
  expect(await tasks()).toEqual([['EMERGENCY', params.eventId]])
  expect(await operator()).toMatchObject({ code: 0, said: expect.stringContaining('Closed in') })
  expect(await tasks()).toEqual([])
  expect(await operator()).toMatchObject({ code: 1, said: '' })
  expect(await byPartner()).toEqual([409, 'CONFLICT'])
  const { accessToken: token } = await server.signIn(admin, center.domain)
  const { body } = await server.call('GET', `/api/decisions/${params.eventId}`, { token })
  expect(body.data.emergency).toMatchObject({ state: 'objected', closedBy: 'operator', closeReason: reason })
})
