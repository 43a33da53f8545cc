/** A director who teaches: which of the two roles counts since when, and what the proof says. */
import { verifyProof } from '@countersign/proof'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Colleague } from '../../../evidence/decisions/test/fixture.ts'
import { type OldOffice, openOldOffice } from './fixture.ts'

let mailbox: Mailbox
let server: TestServer
beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url, ELIGIBILITY_SECONDS: '86400' } })
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const line = (...steps: object[]) => ({ approval: { steps } })
const teacher = { title: 'Teacher', roles: ['INSTRUCTOR'] }
const head = { title: 'Director', roles: ['ADMIN'] }

async function opened(...policies: object[]): Promise<OldOffice & { director: Colleague; other: Colleague }> {
  const office = await openOldOffice(server, mailbox, 2)
  for (const policy of policies) await office.policy(policy)
  return { ...office, director: office.admin, other: office.others[0] as Colleague }
}

const waiting = async (who: Colleague) =>
  (await server.call('GET', '/api/memberships/waiting', { token: who.token })).body.data
const exportOf = async (office: OldOffice, id: string) => {
  const { evidence } = await office.read(id)
  const path = `/api/dpu/${evidence.id.replace('evd_', 'dpu_')}/export?policies=text`
  return (await server.call('GET', path, { token: office.admin.token })).body
}
/** The domains of the center whose records do not match what was sealed. */
const broken = async (office: OldOffice) => {
  const { body } = await server.call('GET', '/api/dpu/verify-chain?mode=records', { token: office.admin.token })
  const domains = Object.entries(body.data.domains as Record<string, { valid: boolean }>)
  return domains.flatMap(([domain, { valid }]) => (valid ? [] : [domain]))
}

describe('the role that was added', () => {
  it('does not count for a day, while the one that was there goes on counting', async () => {
    const office = await opened(line(teacher), { name: 'Heads', match: { actionTypes: ['other'] }, ...line(head) })
    const { director, other } = office
    expect((await office.changeRole(other, director, 'ADMIN', 'INSTRUCTOR')).status).toBe(200)
    const { id } = await office.record()
    const early = await office.decide(director, id)
    expect([early.status, early.body.error?.details]).toMatchObject([409, { reason: 'eligibility' }])
    expect(Date.parse(early.body.error.details.countsFrom)).toBeGreaterThan(Date.now() + 86_000_000)
    expect(await waiting(other)).toMatchObject([{ actorId: director.id, role: 'INSTRUCTOR', mayConfirm: false }])
    const check = { agent: { id: 'planner' }, action: { type: 'plan.adjust' } }
    const { body } = await server.call('POST', '/api/policies/check', { token: director.token, body: check })
    expect(body.data.approval.problem).toEqual(expect.any(String))
    // As an ADMIN she counts as before: she confirms whom the other one added.
    const colleague = await office.invited(other, 'INSTRUCTOR')
    expect((await office.confirm(director, colleague)).body.data).toMatchObject({ confirmedBy: director.id })
    const entries = await office.entriesAbout(director)
    expect(entries.at(-1)?.disclosed).toMatchObject({
      action: 'role',
      role: 'ADMIN',
      roles: [
        { role: 'ADMIN', since: entries[0]?.idx },
        { role: 'INSTRUCTOR', makers: [other.id], confirmedBy: null },
      ],
    })
    expect((await office.decide(colleague, id)).status).toBe(200)
  })

  it('counts at once when another ADMIN confirms it, and the proof names that entry', async () => {
    const office = await opened(line(teacher))
    const { director, other } = office
    await office.changeRole(director, director, 'ADMIN', 'INSTRUCTOR')
    const { id } = await office.record()
    expect((await office.decide(director, id)).status).toBe(409)
    expect((await office.confirm(director, director, { role: 'INSTRUCTOR' })).status).toBe(403)
    const confirmed = await office.confirm(other, director, { role: 'INSTRUCTOR' })
    expect(confirmed.body.data).toMatchObject({ role: 'INSTRUCTOR', confirmedBy: other.id })
    expect((await office.decide(director, id)).status).toBe(200)
    const whole = await exportOf(office, id)
    const since = (await office.entriesAbout(director)).at(-1)?.idx
    expect(whole.evidence.control.admitted).toEqual([expect.objectContaining({ step: 0, by: 'role', since })])
    expect(verifyProof(whole, null).facts.decision?.line).toMatchObject({ status: 'unknown', why: 'unvouched' })
    expect(await broken(office)).toEqual([])
  })
})

describe('two roles that count', () => {
  it('fill a place by either, each by its own entry, and one place of a line only', async () => {
    const office = await opened(line(teacher, head))
    const { director, other } = office
    await office.changeRole(director, director, 'ADMIN', 'INSTRUCTOR')
    await office.confirm(other, director)
    const { id } = await office.record()
    expect((await office.decide(director, id)).status).toBe(200)
    expect((await office.decide(director, id)).status).toBe(409)
    expect((await office.decide(other, id)).status).toBe(200)
    const { evidence } = await exportOf(office, id)
    const entries = await office.entriesAbout(director)
    expect(evidence.prior0.control.admitted).toEqual([
      expect.objectContaining({ step: 0, by: 'role', since: entries.at(-1)?.idx }),
    ])
    expect(evidence.control.admitted).toEqual([expect.objectContaining({ step: 1, by: 'role' })])

    const { id: next } = await office.record()
    const colleague = await office.invited(other, 'INSTRUCTOR')
    await office.confirm(director, colleague)
    expect((await office.decide(colleague, next)).status).toBe(200)
    expect((await office.decide(director, next)).status).toBe(200)
    expect((await exportOf(office, next)).evidence.control.admitted).toEqual([
      expect.objectContaining({ step: 1, by: 'role', since: entries[0]?.idx }),
    ])
    expect(await broken(office)).toEqual([])
  })

  it('losing one counts at once: an approval by it is void, and the other role keeps its day', async () => {
    const office = await opened(line(teacher, head))
    const { director, other } = office
    await office.changeRole(director, director, 'ADMIN', 'INSTRUCTOR')
    await office.confirm(other, director)
    const { id } = await office.record()
    expect((await office.decide(director, id)).status).toBe(200)
    await office.changeRole(other, director, 'ADMIN')
    const colleague = await office.invited(other, 'INSTRUCTOR')
    await office.confirm(director, colleague)
    const answer = await office.decide(other, id)
    expect([answer.status, answer.body.error?.code]).toEqual([409, 'CONFLICT'])
    expect((await office.decide(colleague, id)).status).toBe(200)
    expect((await office.decide(director, id)).status).toBe(200)
    const { evidence } = await exportOf(office, id)
    expect(evidence.prior0.control).toMatchObject({ void: 'order' })
    const [first] = await office.entriesAbout(director)
    expect(evidence.control.admitted).toEqual([expect.objectContaining({ step: 1, since: first?.idx })])
    expect(await broken(office)).toEqual([])
  })

  it('mail names the role that was added, to every ADMIN and to the person, once', async () => {
    const office = await opened()
    await office.changeRole(office.other, office.director, 'ADMIN', 'INSTRUCTOR')
    await server.services.eligibility.deliver()
    await server.services.eligibility.deliver()
    const isNews = ({ to, text }: (typeof mailbox.messages)[number]) =>
      to.includes(office.director.person.email) && text.includes('강사')
    await expect.poll(() => mailbox.messages.filter(isNews).length).toBe(1)
  })
})

it('a role that counts earlier than its entry says is found', async () => {
  const office = await opened()
  await office.changeRole(office.other, office.director, 'ADMIN', 'INSTRUCTOR')
  await server.services.eligibility.deliver()
  expect(await broken(office)).toEqual([])
  await server.world.query(
    `update cell.eligibilities set standings = jsonb_set(standings, '{1,countsFrom}', '"2026-01-01T00:00:00.000Z"')
     where center_id = $1 and actor_id = $2`,
    [office.center.id, office.director.id],
    true,
  )
  expect(await broken(office)).toEqual(['history'])
})

it('an instructor who becomes an ADMIN too cannot act as one before the day is over', async () => {
  const office = await opened(line(head))
  const { director, other } = office
  const colleague = await office.invited(director, 'INSTRUCTOR')
  await office.confirm(other, colleague)
  await office.changeRole(director, colleague, 'ADMIN', 'INSTRUCTOR')
  const third = await office.invited(director, 'INSTRUCTOR')
  expect((await office.confirm(colleague, third)).body.error).toMatchObject({ details: { reason: 'eligibility' } })
  const { id } = await office.record()
  expect((await office.decide(colleague, id)).body.error?.details).toMatchObject({ reason: 'eligibility' })
  // Whoever made an ADMIN that does not count yet stands behind what that one makes.
  const fourth = await office.invited(colleague, 'INSTRUCTOR')
  expect((await office.confirm(director, fourth)).status).toBe(403)
  expect((await office.confirm(other, fourth)).status).toBe(200)
})
