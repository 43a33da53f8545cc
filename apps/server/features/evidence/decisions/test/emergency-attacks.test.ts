/** Emergency approvals against those who would confirm themselves, and against many at once. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { hour, openUrgentOffice, outcome, type UrgentOffice } from './emergency-fixture.ts'
import type { Colleague } from './fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const line = [{ roles: ['INSTRUCTOR'] }, { title: 'Director', roles: ['ADMIN'] }]
const office = async (choose: (own: UrgentOffice) => readonly Colleague[], steps: readonly object[] = line) => {
  const own = await openUrgentOffice(server)
  const actorIds = choose(own).map(({ id }) => id)
  return { own, policyId: await own.urgent({ steps, emergency: { actorIds, confirmWithinSeconds: hour } }) }
}
const byNurse = async () => (await office(({ nurse }) => [nurse])).own
const used = async (own: UrgentOffice, who: Colleague) => {
  const event = await own.record()
  expect(outcome(await own.emergency(who, event.id))).toEqual([200])
  return event
}
const objecting = { result: 'objected', reason: 'It could wait.' }

/** Both have confirmed the same phone number. */
const areOnePerson = (...accounts: readonly Colleague[]) =>
  server.world.query('update directory.actors set phone = $1, phone_verified_at = now() where id = any ($2)', [
    `+8210${String(Math.random()).slice(2, 10)}`,
    accounts.map(({ id }) => id),
  ])

describe('another account of whoever used it', () => {
  it('neither confirms it nor objects', async () => {
    const own = await byNurse()
    await areOnePerson(own.nurse, own.teacher)
    const alone = await own.record()
    expect(outcome(await own.emergency(own.nurse, alone.id))).toEqual([422, 'POLICY_VIOLATION', 'nobodyConfirms'])
    const other = await own.join('INSTRUCTOR')
    const { id } = await used(own, own.nurse)
    for (const body of [{}, objecting]) {
      expect(outcome(await own.confirm(own.teacher, id, body))).toEqual([422, 'POLICY_VIOLATION', 'ownEmergency'])
    }
    expect((await own.see(own.teacher, id)).emergency).toMatchObject({ mayConfirm: false, mayObject: false })
    expect(outcome(await own.confirm(other, id))).toEqual([200])
  })

  it('gives no further one in its place, and does not close it', async () => {
    const { own } = await office(({ director, admin }) => [director, admin])
    await areOnePerson(own.director, own.admin)
    const another = await own.join()
    const { id } = await used(own, own.director)
    expect(outcome(await own.confirm(own.teacher, id, objecting))).toEqual([200])
    const next = await own.record()
    for (const who of [own.director, own.admin]) {
      expect(outcome(await own.emergency(who, next.id))).toEqual([409, 'CONFLICT', 'unconfirmed'])
      expect(outcome(await own.close(who, id))).toEqual([403, 'FORBIDDEN', 'ownEmergency'])
      expect((await own.see(who, id)).emergency.mayClose).toBe(false)
    }
    expect(outcome(await own.close(another, id))).toEqual([200])
    expect(outcome(await own.emergency(own.admin, next.id))).toEqual([200])
  })
})

describe('whoever used it, as the deputy of another who may', () => {
  it('gives no further one while theirs is not settled', async () => {
    const { own } = await office(({ nurse, director }) => [nurse, director])
    const { id } = await used(own, own.nurse)
    expect(outcome(await own.confirm(own.teacher, id, objecting))).toEqual([200])
    await own.deputy(own.director, own.nurse)
    const next = await own.record()
    expect(outcome(await own.emergency(own.nurse, next.id))).toEqual([409, 'CONFLICT', 'unconfirmed'])
  })
})

describe('a person of the line who may approve in an emergency too', () => {
  it('keeps the place that they had, and others confirm the rest', async () => {
    const { own } = await office(({ teacher }) => [teacher])
    const event = await own.record()
    expect(outcome(await own.decide(own.teacher, event.id))).toEqual([200])
    expect(outcome(await own.emergency(own.teacher, event.id))).toEqual([200])
    const made = await own.exported(event.id)
    expect(made.evidence.prior0.control.admitted.map(({ by }: { by: string }) => by)).toEqual(['role'])
    expect(made.evidence.control.admitted.map(({ by }: { by: string }) => by)).toEqual(['emergency'])
    expect(verifyExport(made).problems).toEqual([])
    for (const body of [{}, objecting]) {
      expect(outcome(await own.confirm(own.teacher, event.id, body))).toEqual([422, 'POLICY_VIOLATION', 'ownEmergency'])
    }
    expect((await own.confirm(own.director, event.id)).body.data.complete).toBe(true)
  })

  it('gives none where nobody else could confirm it any more', async () => {
    const { own } = await office(({ teacher }) => [teacher], [{ roles: ['INSTRUCTOR'] }])
    const { id } = await own.record()
    expect((await own.see(own.teacher, id)).waiting.emergency).not.toBeNull()
    await server.world.setMembership(own.nurse.person, own.center, { status: 'SUSPENDED' })
    expect(outcome(await own.emergency(own.teacher, id))).toEqual([422, 'POLICY_VIOLATION', 'nobodyConfirms'])
    expect((await own.see(own.teacher, id)).waiting.emergency).toBeNull()
  })
})

describe('a policy whose emergency nobody else could confirm', () => {
  const guarded = { name: 'Plans', match: { actionTypes: ['plan.*'] }, guards: { humanReview: true } }
  it('is 400, however it says so, and however it becomes that', async () => {
    const { own, policyId } = await office(({ director }) => [director])
    const { director, admin } = own
    const emergency = { actorIds: [director.id], confirmWithinSeconds: hour }
    const send = (method: string, path: string, body: object) =>
      server.call(method, `/api/policies${path}`, { token: admin.token, body })
    for (const approval of [
      { actorIds: [director.id], emergency },
      { steps: [{ actorIds: [director.id] }], emergency },
      { steps: [{ roles: ['ADMIN'], count: 2 }], emergency },
      { steps: [{ roles: ['INSTRUCTOR'] }, { roles: ['ADMIN'], count: 2 }], emergency },
    ]) {
      expect(outcome(await send('POST', '', { ...guarded, approval }))).toEqual([
        400,
        'VALIDATION_ERROR',
        'nobodyConfirms',
      ])
      expect(outcome(await send('PATCH', `/${policyId}`, { approval }))).toEqual([
        400,
        'VALIDATION_ERROR',
        'nobodyConfirms',
      ])
    }
    const file = { version: 1, policies: [{ ...guarded, approval: { actorIds: [director.id], emergency } }] }
    expect(outcome(await send('PUT', '/import', file))).toEqual([400, 'VALIDATION_ERROR', 'nobodyConfirms'])
  })
})

describe('at once', () => {
  it('of fifty who confirm the last place one does', async () => {
    const own = await byNurse()
    const { id } = await used(own, own.nurse)
    expect(outcome(await own.confirm(own.teacher, id))).toEqual([200])
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => own.confirm(at % 2 === 0 ? own.director : own.admin, id)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    const { evidence } = await own.exported(id)
    expect(evidence.history).toHaveLength(2)
  })

  it.each([0, 20, 60, 150])(
    'of fifty executors, %d ms after people object, nobody takes it after the first objection',
    async (delay) => {
      const own = await byNurse()
      const event = await used(own, own.nurse)
      const answers = await Promise.all(
        Array.from({ length: 50 }, async (_, at) => {
          if (at % 5 === 0) return own.confirm(own.director, event.id, objecting)
          // An objection reads more than an executor before it is judged.
          await new Promise((begin) => setTimeout(begin, delay + at))
          return own.consume(event)
        }),
      )
      const refused = answers.filter(({ status }) => status !== 200).map(({ status }) => status)
      expect(new Set(refused)).toEqual(new Set([409]))
      const made = await own.exported(event.id)
      const actions = made.evidence.history.map(({ action }: { action: string }) => action)
      expect([['objected'], ['consumed', 'objected']]).toContainEqual(actions)
      expect(answers).toHaveLength(actions.length + refused.length)
      expect(verifyExport(made).problems).toEqual([])
      expect(outcome(await own.consume(event))[0]).toBe(409)
    },
  )
})
