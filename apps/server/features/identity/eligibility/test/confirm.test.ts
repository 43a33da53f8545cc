import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../../../../../tests/journeys/operator-shell.ts'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { newUuid, typedId } from '../../../../lib/ids.ts'
import type { Colleague } from '../../../evidence/decisions/test/fixture.ts'
import { type OldOffice, openOldOffice } from './fixture.ts'

let mailbox: Mailbox
let server: TestServer
let office: OldOffice
let other: Colleague
beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url, ELIGIBILITY_SECONDS: '86400' } })
  const opened = await openOldOffice(server, mailbox, 2)
  office = opened
  other = opened.others[0] as Colleague
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const code = ({ status, body }: Awaited<ReturnType<TestServer['call']>>) => [status, body.error?.code]
const waiting = async (who: Colleague) =>
  (await server.call('GET', '/api/memberships/waiting', { token: who.token })).body.data

describe('200', () => {
  it('makes the role count at once, sealed with the name of a second ADMIN', async () => {
    await office.policy()
    const { id } = await office.record()
    const colleague = await office.invited(office.admin, 'INSTRUCTOR')
    expect((await office.decide(colleague, id)).status).toBe(409)
    const membershipId = await office.membershipOf(colleague)
    const answer = await office.confirm(other, colleague, { role: 'INSTRUCTOR' })
    expect(answer.body.data).toMatchObject({ membershipId, role: 'INSTRUCTOR', confirmedBy: other.id })
    const [, entry] = await office.entriesAbout(colleague)
    expect(entry?.disclosed).toMatchObject({
      action: 'confirmed',
      actorId: colleague.id,
      role: 'INSTRUCTOR',
      status: 'ACTIVE',
      by: { id: other.id },
      makers: [office.admin.id],
    })
    expect((await office.decide(colleague, id)).status).toBe(200)
    expect((await office.read(id)).status).toBe('sealed')
  })

  it('seals one entry for fifty confirmations at the same time, and for one that is sent again', async () => {
    const colleague = await office.invited(office.admin, 'INSTRUCTOR')
    await server.services.eligibility.deliver()
    const answers = await Promise.all(Array.from({ length: 50 }, () => office.confirm(other, colleague)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.data.countsFrom)).size).toBe(1)
    expect((await office.entriesAbout(colleague)).map(({ disclosed }) => disclosed.action)).toEqual([
      'admitted',
      'confirmed',
    ])
  })

  it('lets only one of a confirmation and a change of the role hold for the new role', async () => {
    const colleague = await office.invited(office.admin, 'INSTRUCTOR')
    await Promise.all([
      office.changeRole(office.admin, colleague, 'ADMIN'),
      ...Array.from({ length: 9 }, () => office.confirm(other, colleague, { role: 'INSTRUCTOR' })),
    ])
    await server.services.eligibility.deliver()
    const { disclosed } = (await office.entriesAbout(colleague)).at(-1) ?? { disclosed: {} }
    expect(disclosed).toMatchObject({ action: 'role', role: 'ADMIN' })
    const { id } = await office.record()
    expect((await office.decide(colleague, id)).status).toBe(409)
  })

  it('for a partner of the center', async () => {
    const partner = await server.world.partner()
    const person = await server.world.person()
    await server.world.account(person, partner)
    const own = await openOldOffice(server, mailbox)
    await server.world.query('update directory.centers set partner_id = $2 where id = $1', [own.center.id, partner.id])
    const colleague = await own.invited(own.admin, 'ADMIN')
    const { accessToken: token } = await server.signIn(person)
    const tasks = async () => (await server.call('GET', '/api/partner/stats/dashboard', { token })).body.data.waiting
    await server.services.eligibility.deliver()
    expect(await tasks()).toMatchObject([
      { kind: 'ROLE', centerId: own.center.id, membershipId: await own.membershipOf(colleague), role: 'ADMIN' },
    ])
    const path = `/api/partner/centers/${own.center.id}/memberships/${await own.membershipOf(colleague)}/confirm`
    const answer = await server.call('POST', path, { token })
    expect(answer.body.data).toMatchObject({ actorId: colleague.id, confirmedBy: person.actorId })
    expect(await tasks()).toEqual([])
    // A second administrator counts now, and confirms the next one: nothing waits for the partner.
    await own.invited(own.admin, 'INSTRUCTOR')
    await server.services.eligibility.deliver()
    expect(await tasks()).toEqual([])
    expect(
      code(await server.call('POST', path.replace(String(own.center.id), String(office.center.id)), { token })),
    ).toEqual([404, 'CENTER_NOT_FOUND'])
    const nowhere = path.replace(/memberships\/\w+/, 'memberships/unknown')
    expect(code(await server.call('POST', nowhere, { token }))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('from outside', () => {
  it('the operator confirms it by a command', async () => {
    const own = await openOldOffice(server, mailbox)
    const colleague = await own.invited(own.admin, 'ADMIN')
    const settings = { PUBLIC_URL: server.services.config.publicUrl, ELIGIBILITY_SECONDS: '86400' }
    const args = ['confirm-member', own.center.domain, colleague.person.email]
    expect(await run(server, args, settings)).toMatchObject({ code: 0, said: expect.stringContaining('ADMIN') })
    const { disclosed } = (await own.entriesAbout(colleague)).at(-1) ?? { disclosed: {} }
    expect(disclosed).toMatchObject({ action: 'confirmed', by: { id: 'operator' } })
  })

  it('who was ACTIVE when the rule was installed is entered once and counts at once', async () => {
    const own = await openOldOffice(server, mailbox)
    await own.policy()
    const { id } = await own.record()
    const veteran = await own.join('INSTRUCTOR')
    await server.world.query(`update directory.member_changes set action = 'existing' where actor_id = $1`, [
      veteran.id,
    ])
    expect((await own.decide(veteran, id)).status).toBe(200)
    expect((await own.entriesAbout(veteran)).map(({ disclosed }) => disclosed.action)).toEqual(['existing'])
  })

  it('a sandbox waits for nobody', async () => {
    const owner = await openOldOffice(server, mailbox)
    const sandbox = await server.world.sandbox(owner.center, owner.admin.person)
    await server.world.query(`update directory.centers set created_at = now() - interval '9 days' where id = $1`, [
      sandbox.id,
    ])
    await server.services.eligibility.deliver()
    const rows = await server.world.query(
      'select from cell.eligibilities where center_id = $1 and counts_from <= since_at',
      [sandbox.id],
    )
    expect(rows).toHaveLength(1)
  })
})

describe('the list of those who wait', () => {
  it('says from when each counts and whether the reader may confirm it', async () => {
    const colleague = await office.invited(office.admin, 'ADMIN')
    const of = async (who: Colleague) =>
      (await waiting(who)).find(({ actorId }: { actorId: string }) => actorId === colleague.id)
    expect(await of(other)).toMatchObject({ role: 'ADMIN', mayConfirm: true, confirmedBy: null })
    expect(await of(office.admin)).toMatchObject({ mayConfirm: false })
    expect(await of(colleague)).toMatchObject({ mayConfirm: false })
    await office.confirm(other, colleague)
    expect(await of(other)).toBeUndefined()
    expect((await server.call('GET', '/api/memberships/waiting')).status).toBe(401)
    const teacher = await office.join('INSTRUCTOR')
    const refused = await server.call('GET', '/api/memberships/waiting', { token: teacher.token })
    expect(code(refused)).toEqual([403, 'INSUFFICIENT_ROLE'])
  })
})

describe('4xx', () => {
  it('409 for an ADMIN whose own role does not count yet, and for a role that has changed', async () => {
    const [fresh, colleague] = [await office.invited(office.admin, 'ADMIN'), await office.invited(other, 'INSTRUCTOR')]
    expect(code(await office.confirm(fresh, colleague))).toEqual([409, 'CONFLICT'])
    expect(code(await office.confirm(office.admin, colleague, { role: 'ADMIN' }))).toEqual([409, 'CONFLICT'])
    expect((await office.entriesAbout(colleague)).length).toBe(1)
  })

  it('404 for a membership of another center, an unknown one, and one that gives no right to approve', async () => {
    const elsewhere = await openOldOffice(server, mailbox)
    const parent = await office.join('PARENT')
    const post = (id: string) => server.call('POST', `/api/memberships/${id}/confirm`, { token: other.token, body: {} })
    for (const id of [
      await elsewhere.membershipOf(elsewhere.admin),
      typedId('membership', newUuid()),
      'mbr_nothing',
      await office.membershipOf(parent),
    ]) {
      expect(code(await post(id))).toEqual([404, 'NOT_FOUND'])
    }
  })

  it('400 for a role that cannot approve, 401 without a session, 403 for an INSTRUCTOR', async () => {
    const teacher = await office.join('INSTRUCTOR')
    const colleague = await office.invited(office.admin, 'INSTRUCTOR')
    expect((await office.confirm(other, colleague, { role: 'PARENT' })).status).toBe(400)
    expect((await office.confirm({ ...other, token: '' }, colleague)).status).toBe(401)
    expect(code(await office.confirm(teacher, colleague))).toEqual([403, 'INSUFFICIENT_ROLE'])
  })
})

describe('everybody is told', () => {
  it('all ADMINs and the member, once, from when it counts and who can confirm it', async () => {
    const own = await openOldOffice(server, mailbox, 2)
    const before = mailbox.messages.length
    const colleague = await own.invited(own.admin, 'INSTRUCTOR')
    await Promise.all([server.services.eligibility.deliver(), server.services.eligibility.deliver()])
    const told = () =>
      mailbox.messages
        .slice(before)
        .filter(({ text }) => text.includes(`/c/${own.center.domain}/members`) && /확인할 수 없습니다/.test(text))
    const addresses = [own.admin, ...own.others, colleague].map(({ person }) => person.email).toSorted()
    await expect
      .poll(
        () =>
          told()
            .flatMap(({ to }) => to)
            .toSorted(),
        { timeout: 10_000 },
      )
      .toEqual(addresses)
    await server.services.eligibility.deliver()
    await server.services.mail.sendDue()
    expect(told()).toHaveLength(3)
  })
})

describe('policies/check', () => {
  it('counts only people who count now', async () => {
    const own = await openOldOffice(server, mailbox)
    await own.policy({ guards: { dualApproval: true } })
    const colleague = await own.invited(own.admin, 'ADMIN')
    const body = { agent: { id: 'planner' }, action: { type: 'plan.adjust' } }
    const check = async () =>
      (await server.call('POST', '/api/policies/check', { token: own.admin.token, body })).body.data.approval
    expect(await check()).toMatchObject({ actorIds: [own.admin.id], problem: expect.any(String) })
    await server.world.query(
      `update cell.eligibilities set counts_from = now() where center_id = $1 and actor_id = $2`,
      [own.center.id, colleague.id],
      true,
    )
    expect(await check()).toMatchObject({ actorIds: [own.admin.id, colleague.id].toSorted(), problem: null })
  })
})
