import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

let mailbox: Mailbox
let server: TestServer
let center: Center
let token: string
let count = 0

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url, MAX_INVITATIONS_PER_CENTER: '40' } })
  const made = await centerWithAdmin()
  center = made.center
  token = made.token
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

async function centerWithAdmin() {
  const own = await server.world.center()
  const admin = await server.world.person()
  await server.world.member(admin, own)
  return { center: own, admin, token: (await server.signIn(admin, own.domain)).accessToken }
}

const newAddress = () => `guest-${count++}@people.example`
const invite = (body: object, at: { center: Center; token: string } = { center, token }) =>
  server.call('POST', `/api/centers/${at.center.id}/members`, { token: at.token, body })
const accept = (mailed: string) =>
  server.call('POST', '/api/auth/invitations/accept', { body: { token: mailed, password: 'a long new password' } })
const move = (id: string, name: string) => server.call('POST', `/api/memberships/${id}/${name}`, { token })
const patch = (id: string, role: string, as = token) =>
  server.call('PATCH', `/api/memberships/${id}`, { token: as, body: { role } })
const membersOf = async (query: string) =>
  (await server.call('GET', `/api/centers/${center.id}/members?${query}`, { token })).body.data

describe('an invitation reveals nothing about the person', () => {
  it('gets the same answer with and without an account, and so does the list until they accept', async () => {
    const known = await server.world.person()
    const shown: object[] = []
    for (const email of [known.email, newAddress()]) {
      const { body } = await invite({ email, role: 'PARENT', name: 'Sora' })
      const [listed] = await membersOf(`search=${email}`)
      const { id, invitedAt, email: repeated, ...rest } = body.data
      expect([repeated, listed.id, listed.actorId, listed.name]).toEqual([email, id, null, 'Sora'])
      expect(invitedAt).toBe(listed.invitedAt)
      shown.push(rest)
    }
    expect(shown[0]).toEqual(shown[1])
    expect((await accept(await mailbox.token(known.email, 'csi'))).status).toBe(200)
    const [listed] = await membersOf(`search=${known.email}`)
    expect(listed).toMatchObject({ actorId: known.actorId, name: `Person ${known.email.split('@')[0]}` })
  })

  it.each(['A\nB', 'A\u2028B', 'A\u202eB', 'A\u0007'])('400 for a name with control characters: %j', async (name) => {
    const { status, body } = await invite({ email: newAddress(), role: 'PARENT', name })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('one membership per person and center', () => {
  it('a second invitation replaces the first: one membership, and the first link is void', async () => {
    const email = newAddress()
    const first = await invite({ email, role: 'CHILD' })
    const mailed = await mailbox.token(email, 'csi')
    const second = await invite({ email: email.toUpperCase(), role: 'ADMIN' })
    expect(second.status).toBe(201)
    expect(second.body.data).toMatchObject({ id: first.body.data.id, role: 'ADMIN', status: 'INVITED' })
    expect((await accept(mailed)).status).toBe(401)
    const newer = () => mailbox.token(email, 'csi')
    await expect.poll(newer).not.toBe(mailed)
    expect((await accept(await newer())).body.data.status).toBe('PENDING')
  })

  it('of twenty invitations at once to a new address, five are sent, and all about one membership', async () => {
    const email = newAddress()
    const answers = await Promise.all(Array.from({ length: 20 }, () => invite({ email, role: 'PARENT' })))
    const sent = answers.filter(({ status }) => status === 201)
    expect([sent.length, new Set(sent.map(({ body }) => body.data.id)).size]).toEqual([5, 1])
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
    const [row] = await server.world.query(
      'select count(*)::int as n from directory.memberships where center_id = $1 and address = $2',
      [center.id, email],
    )
    expect(row).toEqual({ n: 1 })
  })

  it('after ENDED and REJECTED it starts again, and an old link does not accept it', async () => {
    const email = newAddress()
    const { id } = (await invite({ email, role: 'PARENT', approved: true })).body.data
    const mailed = await mailbox.token(email, 'csi')
    expect((await move(id, 'reject')).status).toBe(200)
    expect((await move(id, 'reinvite')).body.data).toMatchObject({ id, status: 'INVITED', endedAt: null })
    expect((await accept(mailed)).status).toBe(401)
    const newest = () => mailbox.token(email, 'csi')
    await expect.poll(newest).not.toBe(mailed)
    // The approval in advance went with the rejection.
    expect((await accept(await newest())).body.data.status).toBe('PENDING')
    await move(id, 'approve')
    expect((await invite({ email, role: 'PARENT' })).body.error.code).toBe('CONFLICT')
    await move(id, 'end')
    expect((await invite({ email, role: 'INSTRUCTOR' })).body.data).toMatchObject({
      id,
      role: 'INSTRUCTOR',
      status: 'INVITED',
    })
  })
})

describe('PATCH /memberships/{id}', () => {
  it('200 changes the role from the next request on, audited with both', async () => {
    const person = await server.world.person()
    await server.world.member(person, center, 'PARENT')
    const [{ id }] = await membersOf(`search=${person.email}`)
    const { accessToken } = await server.signIn(person, center.domain)
    expect((await server.call('GET', '/api/workflows', { token: accessToken })).status).toBe(403)
    expect((await patch(id, 'INSTRUCTOR')).body.data).toMatchObject({ id, role: 'INSTRUCTOR', status: 'ACTIVE' })
    expect((await server.call('GET', '/api/workflows', { token: accessToken })).status).toBe(200)
    expect((await patch(id, 'INSTRUCTOR')).status).toBe(200)
    const entries = await server.world.query('select details from directory.audit_entries where target_id = $1', [id])
    expect(entries).toEqual([{ details: { action: 'role', fromRoles: 'PARENT', toRoles: 'INSTRUCTOR' } }])
    expect((await patch(id, 'OWNER')).status).toBe(400)
    await move(id, 'end')
    expect((await patch(id, 'PARENT')).status).toBe(409)
  })
})

describe('the last ADMIN', () => {
  it('cannot be suspended, ended or given another role', async () => {
    const own = await centerWithAdmin()
    const members = await server.call('GET', `/api/centers/${own.center.id}/members`, { token: own.token })
    const [{ id }] = members.body.data
    const answers = await Promise.all([
      patch(id, 'PARENT', own.token),
      ...['suspend', 'end'].map((name) => server.call('POST', `/api/memberships/${id}/${name}`, { token: own.token })),
    ])
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(Array(3).fill([409, 'CONFLICT']))
  })
})

it('a workspace has one ADMIN: 409 for another, whether invited, named, accepted or reinstated', async () => {
  const workspace = await server.world.center({ tenantType: 'WORKSPACE' })
  const owner = await server.world.person()
  await server.world.member(owner, workspace, 'ADMIN')
  const { accessToken: token } = await server.signIn(owner, workspace.domain)
  const own = { center: workspace, token }
  const member = await server.world.person()
  await server.world.member(member, workspace, 'INSTRUCTOR')
  const former = await server.world.person()
  await server.world.member(former, workspace, 'ADMIN', 'SUSPENDED')
  const idOf = async (person: { email: string }) =>
    (await server.call('GET', `/api/centers/${workspace.id}/members?search=${person.email}`, { token })).body.data[0].id
  const refused = [
    await invite({ email: newAddress(), role: 'ADMIN' }, own),
    await patch(await idOf(member), 'ADMIN', token),
    await server.call('POST', `/api/memberships/${await idOf(former)}/reinstate`, { token }),
  ]
  expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(Array(3).fill([409, 'CONFLICT']))
  expect(refused[0]?.body.error.message).toContain('A workspace belongs to one person')
  expect((await invite({ email: newAddress(), role: 'INSTRUCTOR' }, own)).status).toBe(201)
})

describe('the limit of invitations', () => {
  it('429 RATE_LIMITED until the next day, per center', async () => {
    const own = await centerWithAdmin()
    await server.world.query(
      `update directory.centers set invited_on = (now() at time zone 'UTC')::date, invitations = 39 where id = $1`,
      [own.center.id],
    )
    expect((await invite({ email: newAddress(), role: 'PARENT' }, own)).status).toBe(201)
    const over = await invite({ email: newAddress(), role: 'PARENT' }, own)
    expect([over.status, over.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    const seconds = Number(over.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(86_400)
    const restore = useClock(() => Date.now() + 86_400_000)
    try {
      const { accessToken } = await server.signIn(own.admin, own.center.domain)
      const next = await invite({ email: newAddress(), role: 'PARENT' }, { ...own, token: accessToken })
      expect(next.status).toBe(201)
    } finally {
      restore()
    }
  })
})
