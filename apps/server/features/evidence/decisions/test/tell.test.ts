import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { plain } from '../../../../../../tests/support/pages-fixture.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { nowMs, useClock } from '../../../../lib/clock.ts'
import { waitingDecisionsJob } from '../waiting-decisions.job.ts'

let mailbox: Mailbox
let server: TestServer

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url, AUTH_URL: 'https://auth.example/x' } })
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

async function member(center: Center, role: string): Promise<Person> {
  const person = await server.world.person()
  await server.world.member(person, center, role)
  return person
}

const policyOf = (approval?: object) => ({
  name: 'Plans need a person',
  match: { actionTypes: ['plan.*'] },
  guards: { humanReview: true },
  ...(approval && { approval }),
})

async function place(approval?: object | ((people: { admin: Person; instructor: Person }) => object)) {
  const center = await server.world.center()
  const [admin, instructor] = [await member(center, 'ADMIN'), await member(center, 'INSTRUCTOR')]
  const token = (await server.signIn(admin, center.domain)).accessToken
  const key = await server.world.key(center)
  const given = typeof approval === 'function' ? approval({ admin, instructor }) : approval
  const { status } = await server.call('POST', '/api/policies', { token, body: policyOf(given) })
  expect(status).toBe(201)
  const record = async (overrides = {}) =>
    (await server.call('POST', '/api/v1/decision-events', { token: key, body: sampleEvent(overrides) })).body.data
  return { center, admin, instructor, token, key, record }
}

/** Runs the job and waits until the mail server has all that was queued. */
async function tell(center: Center): Promise<void> {
  await waitingDecisionsJob(server.services, 'main', { centerId: center.id })
  await server.services.mail.close()
}

const lettersTo = ({ email }: Person) => mailbox.messages.filter(({ to }) => to.includes(email)).map(({ text }) => text)

describe('members who may approve', () => {
  it('get one mail in the language of the center, with links and without a credential', async () => {
    const { center, admin, instructor, record } = await place()
    const child = await member(center, 'CHILD')
    const [one, two] = [await record(), await record()]
    await tell(center)
    expect([admin, instructor, child].map((person) => lettersTo(person).length)).toEqual([1, 1, 0])
    const raw = lettersTo(admin)[0] as string
    for (const { id } of [one, two]) expect(raw).toContain(`https://auth.example/approve/${id}`)
    expect(raw).not.toMatch(/cs[kip]_|eyJ/)
    expect(raw).toContain('결정이 2건')
    const html = mailbox.messages.findLast(({ to }) => to.includes(admin.email))?.html
    expect(html).toContain('<html lang="ko">')
    for (const { id } of [one, two]) expect(html).toContain(`<a href="https://auth.example/approve/${id}">`)
  })

  it('read in it that decisions wait, and nothing of what they say', async () => {
    const { center, admin, record } = await place()
    const action = {
      type: 'plan.pay',
      description: 'Refund for Mina Seo',
      input: { amount: 820_000, name: 'Mina Seo' },
    }
    await record({
      action,
      reason: 'Mina Seo fell ill',
      actor: { id: 'agent-7', type: 'ai_agent', name: 'Agent Mina' },
    })
    await tell(center)
    const { text = '', html = '' } = mailbox.messages.findLast(({ to }) => to.includes(admin.email)) ?? {}
    for (const said of ['Mina', '820', 'plan.pay', 'Refund'])
      expect([said, plain(text).includes(said), html.includes(said)]).toEqual([said, false, false])
  })

  it('get at most one mail in ten minutes, over all centers, and then one about all the rest', async () => {
    const { center, admin, record } = await place()
    const elsewhere = await place()
    await server.world.member(admin, elsewhere.center, 'ADMIN')
    await record()
    await tell(center)
    const later = await record()
    await elsewhere.record()
    await tell(center)
    await tell(elsewhere.center)
    expect(lettersTo(admin)).toHaveLength(1)
    const restore = useClock(() => Date.now() + 601_000)
    try {
      await tell(center)
    } finally {
      restore()
    }
    expect(lettersTo(admin)).toHaveLength(2)
    expect(lettersTo(admin)[1]).toContain(later.id)
  })

  it('are those whom the policies name, and after the stated time those of the escalation', async () => {
    const { center, admin, instructor, record } = await place(({ instructor: named }) => ({
      actorIds: [named.actorId],
      escalateTo: { roles: ['ADMIN'], afterSeconds: 60 },
    }))
    const { id } = await record()
    await tell(center)
    expect([lettersTo(admin).length, lettersTo(instructor).length]).toEqual([0, 1])
    const start = nowMs()
    const restore = useClock(() => start + 61_000)
    try {
      await tell(center)
    } finally {
      restore()
    }
    expect([lettersTo(admin).length, lettersTo(instructor).length]).toEqual([1, 1])
    expect(lettersTo(admin)[0]).toContain(id)
  })

  it('include the deputy of a member who is absent', async () => {
    const { center, admin, instructor, token, record } = await place(({ admin: named }) => ({
      actorIds: [named.actorId],
    }))
    const day = 86_400_000
    const until = new Date(Date.now() + day).toISOString()
    await server.call('PUT', '/api/decisions/deputy', {
      token,
      body: { actorId: instructor.actorId, from: new Date(Date.now() - day).toISOString(), until },
    })
    await record()
    await tell(center)
    expect([lettersTo(admin).length, lettersTo(instructor).length]).toEqual([1, 1])
  })

  it('get no mail about a decision that was sealed before it was sent', async () => {
    const { center, admin, token, record } = await place()
    const { id } = await record()
    await server.call('POST', `/api/decisions/${id}/approvals`, { token, body: { result: 'rejected' } })
    await tell(center)
    expect(lettersTo(admin)).toEqual([])
  })

  it('get English in a center whose locale is not Korean', async () => {
    const { center, admin, token, record } = await place()
    await server.call('PATCH', `/api/centers/${center.id}/settings`, { token, body: { locale: 'en-US' } })
    // Profiles of centers are cached; where changes are not received, as through a pooler, for a second.
    await expect.poll(async () => (await server.services.centers.profile(center.id)).locale).toBe('en-US')
    await record()
    await tell(center)
    expect(lettersTo(admin)[0]).toContain('is waiting for your approval')
  })
})
