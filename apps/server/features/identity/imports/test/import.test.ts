import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { expectRefusals, openFixture } from '../../../centers/centers/test/fixture.ts'

let server: TestServer
let mailbox: Mailbox
let center: Center
let admin: Person
let token: string
let count = 0

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
})
afterAll(async () => {
  await server?.close()
  await mailbox?.close()
})
beforeEach(async () => {
  center = await server.world.center()
  admin = await server.world.person()
  await server.world.member(admin, center)
  token = (await server.signIn(admin, center.domain)).accessToken
})

interface Row {
  readonly row?: number
  readonly name?: string
  readonly email?: string
  readonly roles?: readonly string[]
  readonly guardians?: readonly string[]
}
const all = ['INSTRUCTOR', 'PARENT', 'CHILD']
const send = (rows: readonly Row[], more: object = {}, as = token) =>
  server.call('POST', `/api/centers/${center.id}/members/import`, {
    token: as,
    body: { dryRun: false, roles: all, rows: rows.map((each, at) => ({ row: at + 2, ...each })), ...more },
  })
const address = (name = 'guest') => `${name}-${count++}@people.example`
const mailsTo = (email: string) => mailbox.messages.filter(({ to }) => to.includes(email))
const effects = (body: { data: { results: { effect: string; reason: string | null }[] } }) =>
  body.data.results.map(({ effect, reason }) => reason ?? effect)
const membersHere = () =>
  server.world.query<{ name: string; address: string | null; status: string; roles: string[] }>(
    'select name, address, status, roles from directory.memberships where center_id = $1 and actor_id <> $2 order by name',
    [center.id, admin.actorId],
  )
const guardianships = () =>
  server.world.query<{ child: string; guardian: string; status: string }>(
    `select c.name as child, p.address as guardian, g.status from directory.guardianships g
     join directory.memberships c on c.center_id = g.center_id and c.actor_id = g.child_id
     join directory.memberships p on p.center_id = g.center_id and p.actor_id = g.parent_id
     where g.center_id = $1 order by 1, 2`,
    [center.id],
  )

describe('POST /centers/{center}/members/import', () => {
  it('200: people are invited, children are added, and each guardian gets one email', async () => {
    const [staff, mother, father] = [address('staff'), address('mother'), address('father')]
    const rows = [
      { name: '이서준', roles: ['CHILD'], guardians: [mother, father] },
      { name: '이서연', roles: ['CHILD'], guardians: [mother] },
      { name: '한지우', email: staff.toUpperCase(), roles: ['INSTRUCTOR'] },
      { name: '이수정', email: mother, roles: ['PARENT'] },
    ]
    const preview = await send(rows, { dryRun: true })
    expect(preview.status).toBe(200)
    expect(effects(preview.body)).toEqual(['added', 'added', 'invited', 'invited'])
    expect(preview.body.data).toMatchObject({ dryRun: true, emails: 3, results: [{ membershipId: null }, {}, {}, {}] })
    expect(await membersHere()).toEqual([])
    const { body } = await send(rows, { approved: true })
    expect(effects(body)).toEqual(effects(preview.body))
    expect(body.data).toMatchObject({ emails: 3, counts: { added: 2, invited: 2, refused: 0 } })
    expect(await membersHere()).toEqual(
      [
        { name: expect.any(String), address: father, status: 'INVITED', roles: ['PARENT'] },
        { name: '이서연', address: null, status: 'ACTIVE', roles: ['CHILD'] },
        { name: '이서준', address: null, status: 'ACTIVE', roles: ['CHILD'] },
        { name: '이수정', address: mother, status: 'INVITED', roles: ['PARENT'] },
        { name: '한지우', address: staff, status: 'INVITED', roles: ['INSTRUCTOR'] },
      ]
        .toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
        .map((each) => expect.objectContaining({ ...each, name: expect.any(String) })),
    )
    expect(await guardianships()).toEqual([
      { child: '이서연', guardian: mother, status: 'INVITED' },
      { child: '이서준', guardian: father, status: 'INVITED' },
      { child: '이서준', guardian: mother, status: 'INVITED' },
    ])
    const invitation = await mailbox.token(mother, 'csi')
    await Promise.all([staff, father].map((to) => mailbox.token(to, 'csi')))
    expect([staff, mother, father].map((to) => mailsTo(to).length)).toEqual([1, 1, 1])
    // One link makes the mother a member and the guardian of both.
    const accepted = await server.call('POST', '/api/auth/invitations/accept', {
      body: { token: invitation, name: '이수정', password: 'a password of four words' },
    })
    expect(accepted.body.data).toMatchObject({ status: 'ACTIVE' })
    expect((await guardianships()).filter(({ status }) => status === 'ACTIVE')).toHaveLength(2)
  })

  it('200 and nothing twice for the same rows again, also after they have accepted', async () => {
    const [staff, mother] = [address(), address()]
    const rows = [
      { name: '한지우', email: staff, roles: ['INSTRUCTOR'] },
      { name: '이서준', roles: ['CHILD'], guardians: [mother] },
      { name: '박하늘', roles: ['CHILD'] },
    ]
    await send(rows, { approved: true })
    const invitation = await mailbox.token(mother, 'csi')
    const before = await membersHere()
    const again = await send(rows)
    expect(effects(again.body)).toEqual(['unchanged', 'unchanged', 'unchanged'])
    expect(again.body.data.emails).toBe(0)
    await server.call('POST', '/api/auth/invitations/accept', {
      body: { token: invitation, name: '이수정', password: 'a password of four words' },
    })
    expect(effects((await send(rows)).body)).toEqual(['unchanged', 'unchanged', 'unchanged'])
    expect(await membersHere()).toHaveLength(before.length)
    await mailbox.token(staff, 'csi')
    expect([staff, mother].map((to) => mailsTo(to).length)).toEqual([1, 1])
  })

  it('200 for fifty at once: each membership and each email once', { timeout: 120_000 }, async () => {
    const people = Array.from({ length: 5 }, () => address())
    const mother = address()
    const rows = [
      ...people.map((email) => ({ name: '손님', email, roles: ['PARENT'] })),
      { name: '이서준', roles: ['CHILD'], guardians: [mother] },
    ]
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(rows)))
    const done = answers.filter(({ status }) => status === 200)
    // Whoever waited too long for the others is told to try again, and has done nothing.
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(done.reduce((sum, { body }) => sum + body.data.emails, 0)).toBe(6)
    expect(await membersHere()).toHaveLength(7)
    for (const email of [...people, mother]) await mailbox.token(email, 'csi')
    expect([...people, mother].map((to) => mailsTo(to).length)).toEqual([1, 1, 1, 1, 1, 1])
    process.stdout.write(
      `fifty imports at once: ${done.length} carried out, ${answers.length - done.length} told to try again\n`,
    )
  })

  it('200 with a reason for each row that is wrong, and the others carried out', async () => {
    const good = address()
    const { body } = await send([
      { name: 'Good', email: good, roles: ['PARENT'] },
      { name: 'Again', email: ` ${good.toUpperCase()} `, roles: ['INSTRUCTOR'] },
      { name: 'Mail', email: 'not an address', roles: ['PARENT'] },
      { name: 'No mail', roles: ['INSTRUCTOR'] },
      { name: 'Evil\u202e', email: address(), roles: ['PARENT'] },
      { name: 'see evil.example', email: address(), roles: ['PARENT'] },
      { roles: ['CHILD'] },
      { name: 'King', email: address(), roles: ['KING'] },
      { name: 'Admin', email: address(), roles: ['ADMIN'] },
      { name: 'Nobody', email: address() },
      { name: 'Guards', email: address(), roles: ['PARENT'], guardians: [good] },
      { name: 'Child', roles: ['CHILD'], guardians: ['nobody'] },
      { name: 'Child', roles: ['CHILD'], guardians: [1, 2, 3, 4, 5].map(() => address()) },
      { name: 'Own', email: 'own@people.example', roles: ['CHILD'], guardians: ['OWN@people.example'] },
    ])
    expect(effects(body)).toEqual([
      ...['invited', 'duplicate', 'email', 'emailMissing', 'name', 'name', 'nameMissing', 'roles', 'rolesNotGiven'],
      ...['rolesMissing', 'guardiansNotForRole', 'guardians', 'guardians', 'guardianOfSelf'],
    ])
    expect(body.data.results[1].duplicateOf).toBe(2)
    expect((await membersHere()).map((each) => each.address)).toEqual([good])
  })

  it('200: members keep their roles and standing, whatever a file says', async () => {
    const people = await Promise.all(
      ['ACTIVE', 'SUSPENDED', 'ENDED', 'REJECTED'].map(async (status) => {
        const person = await server.world.person()
        await server.world.member(person, center, 'INSTRUCTOR')
        await server.world.query(
          'update directory.memberships set address = $2, accepted = true, status = $3 where center_id = $1 and actor_id = $4',
          [center.id, person.email, status, person.actorId],
        )
        return person
      }),
    )
    const raised = people.map(({ email }) => ({ email, name: 'New Name', roles: ['PARENT'] }))
    expect(effects((await send(raised)).body)).toEqual(['rolesDiffer', 'suspended', 'ended', 'rejected'])
    const renamed = await send([{ email: people[0]?.email as string, name: 'New Name', roles: ['INSTRUCTOR'] }])
    expect(renamed.body.data.results[0]).toMatchObject({ effect: 'changed', formerName: expect.stringMatching(/./) })
    expect((await membersHere()).map(({ roles }) => roles.join())).toEqual(people.map(() => 'INSTRUCTOR'))
  })

  it('200 reinvited for another name or role of someone who has not accepted; only the last link works', async () => {
    const email = address()
    await send([{ email, name: 'Old', roles: ['PARENT'] }])
    const first = await mailbox.token(email, 'csi')
    const again = await send([{ email, name: 'New', roles: ['INSTRUCTOR'] }])
    expect(again.body.data.results[0]).toMatchObject({ effect: 'reinvited', formerName: 'Old' })
    const stale = await server.call('POST', '/api/auth/invitations/read', { body: { token: first } })
    expect(stale.status).toBeGreaterThanOrEqual(400)
    expect(await membersHere()).toMatchObject([{ name: 'New', roles: ['INSTRUCTOR'] }])
  })

  it('200: children of one name are told apart by their guardians, and an old file brings nobody back', async () => {
    const [one, two] = [address(), address()]
    await send([{ name: '김민준', roles: ['CHILD'], guardians: [one] }])
    const other = await send([{ name: '김민준', roles: ['CHILD'], guardians: [two] }])
    expect(other.body.data.results[0]).toMatchObject({ effect: 'added', sameName: true })
    expect(effects((await send([{ name: '김민준', roles: ['CHILD'], guardians: [one, two] }])).body)).toEqual([
      'ambiguous',
    ])
    await server.world.query(
      `update directory.guardianships set status = 'ENDED', ended_at = now() where center_id = $1`,
      [center.id],
    )
    expect(effects((await send([{ name: '김민준', roles: ['CHILD'], guardians: [one] }])).body)).toEqual(['unchanged'])
    await server.world.query(
      `update directory.memberships set status = 'ENDED', ended_at = now() where center_id = $1 and name = '김민준'`,
      [center.id],
    )
    expect(effects((await send([{ name: '김민준', roles: ['CHILD'] }])).body)).toEqual(['ended'])
  })

  it('200: a name that a spreadsheet would run is text in the export', async () => {
    const email = address()
    expect(effects((await send([{ email, name: '=cmd|"/c calc"!A1', roles: ['PARENT'] }])).body)).toEqual(['invited'])
    const csv = await server.call('GET', `/api/centers/${center.id}/members.csv`, { token })
    expect(csv.text).toContain(`"'=cmd|`)
    expect(csv.text).not.toMatch(/(^|,)"?=/m)
  })

  it('200: what the day or the plan does not allow is refused row by row, in the preview too', async () => {
    const rows = Array.from({ length: 3 }, () => ({ email: address(), roles: ['PARENT'] }))
    await server.world.query(
      'update directory.centers set invitations = 999999998, invited_on = current_date where id = $1',
      [center.id],
    )
    const limited = await send(rows, { dryRun: true })
    expect(limited.status).toBe(200)
    expect(effects(limited.body).at(-1)).toBe('invitations')
    await server.world.query('update directory.centers set invitations = 0 where id = $1', [center.id])
    await server.world.query(
      `update directory.centers set settings = jsonb_set(settings, '{features}', '{"families": false}') where id = $1`,
      [center.id],
    )
    server.services.authenticate.forget(`center:${center.id}`)
    expect(effects((await send([{ name: '이서준', roles: ['CHILD'] }])).body)).toEqual(['families'])
  })

  it('400 for no row, 101 rows, a cell that is too long, and no dryRun', async () => {
    const row = { email: address(), roles: ['PARENT'] }
    expect((await send([])).status).toBe(400)
    expect((await send(Array.from({ length: 101 }, () => row))).status).toBe(400)
    expect((await send([{ ...row, name: 'x'.repeat(501) }])).status).toBe(400)
    expect((await send([row], { dryRun: undefined })).status).toBe(400)
    expect((await send([row], { roles: ['KING'] })).status).toBe(400)
    expect(await membersHere()).toEqual([])
  })

  it('403 for ADMIN without a recent sign-in, and in the preview; 200 with one', async () => {
    const rows = [{ email: address(), roles: ['ADMIN'] }]
    const sid = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
    await server.world.query(`update directory.sessions set signed_in_at = now() - interval '1 hour' where id = $1`, [
      sid,
    ])
    server.services.authenticate.forget(`session:${sid}`)
    const refused = await send(rows, { roles: ['ADMIN'] })
    expect([refused.status, refused.body.error.details?.reason]).toEqual([403, 'stepUp'])
    expect(effects((await send(rows)).body)).toEqual(['rolesNotGiven'])
    expect((await send(rows, { roles: ['ADMIN'], dryRun: true })).status).toBe(403)
    const fresh = (await server.signIn(admin, center.domain)).accessToken
    expect(effects((await send(rows, { roles: ['ADMIN'] }, fresh)).body)).toEqual(['invited'])
  })

  it('100 rows in one request', { timeout: 120_000 }, async () => {
    const rows = Array.from({ length: 100 }, (_, n) =>
      n % 2 ? { email: address(), name: `사람 ${n}`, roles: ['PARENT'] } : { name: `아이 ${n}`, roles: ['CHILD'] },
    )
    const started = performance.now()
    const preview = await send(rows, { dryRun: true })
    const previewed = performance.now()
    const done = await send(rows)
    const ended = performance.now()
    expect([preview.status, done.status]).toEqual([200, 200])
    expect(done.body.data.counts).toEqual(preview.body.data.counts)
    process.stdout.write(
      `100 rows: preview ${Math.round(previewed - started)} ms, import ${Math.round(ended - previewed)} ms; ${JSON.stringify(done.body.data.counts)}\n`,
    )
  })
})

it('401 and 403 for everybody else, also of another center', { timeout: 60_000 }, async () => {
  const fixture = await openFixture()
  const body = { dryRun: false, roles: ['PARENT'], rows: [{ row: 1, email: address(), roles: ['PARENT'] }] }
  const path = (of: string) => `/api/centers/${of}/members/import`
  for (const role of ['instructor', 'parent', 'child'] as const) {
    const answer = await fixture.server.call('POST', path(fixture.center.domain), { token: fixture.tokens[role], body })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
  }
  await expectRefusals(fixture, 'POST', path, body)
  await fixture.server.close()
})
