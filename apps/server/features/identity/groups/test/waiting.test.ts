/** From when people of a group count, and who confirms them before. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { newUuid } from '../../../../lib/ids.ts'
import type { Colleague } from '../../../evidence/decisions/test/fixture.ts'
import { type OldOffice, openOldOffice } from '../../eligibility/test/fixture.ts'
import { type GroupsByPerson, groupsOf, needGroups, readGroups } from '../api.ts'

let mailbox: Mailbox
let server: TestServer
let office: OldOffice
let other: Colleague
let third: Colleague
let instructor: Colleague
beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url, ELIGIBILITY_SECONDS: '86400' } })
})
beforeEach(async () => {
  const opened = await openOldOffice(server, mailbox, 4)
  office = opened
  ;[other, third, instructor] = opened.others as [Colleague, Colleague, Colleague]
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const path = () => `/api/centers/${office.center.id}/groups`
const call = (who: Colleague, method: string, of = '', body?: object) =>
  server.call(method, `${path()}${of}`, { token: who.token, ...(body && { body }) })
const code = ({ status, body }: Awaited<ReturnType<TestServer['call']>>) => [status, body?.error?.code]
const make = async (by: Colleague, ...people: Colleague[]) =>
  (await call(by, 'POST', '', { name: 'Finance', actorIds: people.map(({ id }) => id) })).body.data
const confirm = (by: Colleague, id: string, ...people: Colleague[]) =>
  call(by, 'POST', `/${id}/confirm`, { actorIds: people.map((each) => each.id) })
const mayConfirm = async (who: Colleague) => (await call(who, 'GET')).body.data[0].mayConfirm
const counting = (at = new Date()): Promise<GroupsByPerson> => {
  const caller = { requestId: 'req_groups', actorId: null, centerId: office.center.id }
  return server.services.cells.of('main').inTenant(caller, (tx) => readGroups(tx, at), 'read')
}
const actionsOf = async (id: string) =>
  (
    await server.world.query<{ action: string }>(
      `select h.disclosed ->> 'action' as action from cell.chain_entries c join cell.history h using (center_id, idx)
       where c.center_id = $1 and c.domain = 'history' and c.target = $2 order by c.idx`,
      [office.center.id, id],
      true,
    )
  ).map(({ action }) => action)
const dayMs = 86_400_000

describe('a person who is added', () => {
  it('counts a day later', async () => {
    const group = await make(office.admin, instructor)
    expect(Date.parse(group.people[0].countsFrom) - Date.parse(group.changedAt)).toBe(dayMs)
    expect(await counting()).toEqual(new Map())
    const later = new Date(Date.parse(group.people[0].countsFrom))
    expect(await counting(later)).toEqual(new Map([[instructor.id, [{ id: group.id, since: expect.any(Number) }]]]))
  })

  it('counts in a batch as for a reader, by the time of the batch', async () => {
    const group = await make(office.admin, instructor, third)
    await confirm(other, group.id, third)
    const { centers, sequencer } = server.services
    const center = await centers.profile(office.center.id)
    const caller = { requestId: 'req_groups', actorId: null, centerId: office.center.id }
    const holds = { chains: ['history'], rows: [needGroups] } as const
    const judged = await sequencer.seal({ center, caller, holds, judge: (batch) => [...groupsOf(batch)] })
    expect(judged).toEqual({ result: [...(await counting())] })
    expect([...(await counting()).keys()]).toEqual([third.id])
  })

  it('does not delay those who were there, and waits again after having been removed', async () => {
    const group = await make(office.admin, instructor)
    await confirm(other, group.id, instructor)
    const before = await counting()
    expect([...before.keys()]).toEqual([instructor.id])
    const actorIds = [instructor.id, third.id]
    await call(office.admin, 'PATCH', `/${group.id}`, { actorIds })
    expect(await counting()).toEqual(before)
    await call(office.admin, 'PATCH', `/${group.id}`, { actorIds: [third.id] })
    expect(await counting()).toEqual(new Map())
    await call(office.admin, 'PATCH', `/${group.id}`, { actorIds })
    expect(await counting()).toEqual(new Map())
  })

  it('stops counting at once when the group ends', async () => {
    const group = await make(office.admin, instructor)
    await confirm(other, group.id, instructor)
    expect((await call(office.admin, 'DELETE', `/${group.id}`)).status).toBe(204)
    expect(await counting()).toEqual(new Map())
  })
})

describe('POST /centers/{center}/groups/{id}/confirm', () => {
  it('200: makes them count at once, sealed with the name of a second ADMIN; the entry is that of the confirmation', async () => {
    const group = await make(office.admin, instructor, third)
    expect([await mayConfirm(office.admin), await mayConfirm(other), await mayConfirm(third)]).toEqual([
      false,
      true,
      false,
    ])
    const answer = await confirm(other, group.id, instructor)
    expect(answer.status).toBe(200)
    const [entry] = await server.world.query<{ idx: number; disclosed: object }>(
      `select c.idx::int as idx, h.disclosed from cell.chain_entries c join cell.history h using (center_id, idx)
       where c.center_id = $1 and c.domain = 'history' and c.target = $2 order by c.idx desc limit 1`,
      [office.center.id, group.id],
      true,
    )
    expect(entry?.disclosed).toMatchObject({ action: 'confirmed', by: { id: other.id } })
    expect(await counting()).toEqual(new Map([[instructor.id, [{ id: group.id, since: entry?.idx }]]]))
    expect(await mayConfirm(other)).toBe(true)
    expect((await confirm(other, group.id, third)).status).toBe(200)
    expect(await mayConfirm(other)).toBe(false)
    const { body } = await server.call('GET', '/api/dpu/verify-chain?mode=records', { token: office.admin.token })
    expect(body.data.domains.history).toMatchObject({ valid: true })
  })

  it('200: one entry for fifty at once and for one that is sent again', async () => {
    const group = await make(office.admin, instructor)
    const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(other, group.id, instructor)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.data.people[0].countsFrom)).size).toBe(1)
    expect(await actionsOf(group.id)).toEqual(['created', 'confirmed'])
  })

  it('403 FORBIDDEN: whoever added them, and the person themselves, also after others changed the group', async () => {
    const group = await make(office.admin, third)
    await call(other, 'PATCH', `/${group.id}`, { name: 'Accounting' })
    for (const who of [office.admin, third]) {
      expect(code(await confirm(who, group.id, third))).toEqual([403, 'FORBIDDEN'])
    }
    await call(other, 'PATCH', `/${group.id}`, { actorIds: [third.id, instructor.id] })
    expect(code(await confirm(office.admin, group.id, instructor))).toEqual([403, 'FORBIDDEN'])
    expect(code(await confirm(other, group.id, third))).toEqual([403, 'FORBIDDEN'])
    expect(await counting()).toEqual(new Map())
  })

  it('403: an ADMIN does not have a second account that they invited add or confirm for them', async () => {
    const second = await office.invited(office.admin, 'ADMIN')
    const byFirst = await make(office.admin, instructor)
    // The second one does not count: they cannot confirm.
    expect(code(await confirm(second, byFirst.id, instructor))).toEqual([409, 'CONFLICT'])
    const bySecond = await make(second, instructor)
    expect(code(await confirm(office.admin, bySecond.id, instructor))).toEqual([403, 'FORBIDDEN'])
    expect((await confirm(other, bySecond.id, instructor)).status).toBe(200)
  })

  it('409 CONFLICT: for somebody who is no longer in the group', async () => {
    const group = await make(office.admin, instructor)
    await call(office.admin, 'PATCH', `/${group.id}`, { actorIds: [third.id] })
    expect(code(await confirm(other, group.id, instructor))).toEqual([409, 'CONFLICT'])
    expect(await counting()).toEqual(new Map())
  })

  it('400, 404', async () => {
    const group = await make(office.admin, instructor)
    expect(code(await confirm(other, group.id))).toEqual([400, 'VALIDATION_ERROR'])
    expect(code(await call(other, 'POST', `/${group.id}/confirm`, {}))).toEqual([400, 'MISSING_REQUIRED_FIELD'])
    expect(code(await confirm(other, newUuid(), instructor))).toEqual([404, 'NOT_FOUND'])
  })
})

it('403 stepUp: twenty minutes after signing in, every change of a group asks for the password again', async () => {
  const group = await make(office.admin, instructor)
  await server.world.query(
    `update directory.sessions set signed_in_at = now() - interval '20 minutes' where actor_id = $1`,
    [other.id],
  )
  const { sid } = JSON.parse(Buffer.from(other.token.split('.')[1] ?? '', 'base64url').toString())
  server.services.authenticate.forget(`session:${sid}`)
  for (const [method, of, body] of [
    ['POST', '', { name: 'x', actorIds: [instructor.id] }],
    ['PATCH', `/${group.id}`, { name: 'x' }],
    ['POST', `/${group.id}/confirm`, { actorIds: [instructor.id] }],
    ['DELETE', `/${group.id}`],
  ] as const) {
    const answer = await call(other, method, of, body)
    expect([method, answer.status, answer.body?.error?.details]).toEqual([method, 403, { reason: 'stepUp' }])
  }
  expect((await call(other, 'GET')).body.data).toMatchObject([{ id: group.id, name: 'Finance' }])
})
