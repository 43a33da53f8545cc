import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { countingPasskey, type Registered, registerPasskey } from '../../../../../../tests/support/passkeys.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Partner, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'
import { newUuid } from '../../../../lib/ids.ts'

let server: TestServer
let mailbox: Mailbox
let operator: Person

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url, ELIGIBILITY_SECONDS: '86400' } })
  operator = await server.world.person({ operator: true })
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

async function member(where: Center, role = 'ADMIN'): Promise<Person> {
  const person = await server.world.person()
  await server.world.member(person, where, role)
  return person
}
async function newCenter(partner?: Partner) {
  const center = await server.world.center(partner ? { partner } : {})
  return { center, admin: await member(center) }
}
async function partnerWith(role = 'PARTNER_ADMIN') {
  const partner = await server.world.partner()
  const boss = await server.world.person()
  await server.world.account(boss, partner, role)
  return { partner, boss }
}
const tokenOf = async (person: Person, where?: Center) => (await server.signIn(person, where?.domain)).accessToken
const nameOf = ({ email }: Person) => `Person ${email.split('@')[0]}`
async function register(person: Person): Promise<Registered> {
  const registered = await registerPasskey(server, await tokenOf(person))
  await server.services.passkeyOutbox.deliver()
  return registered
}
async function call(method: 'GET' | 'POST', path: string, person: Person | null, body?: object, where?: Center) {
  const token = person ? { token: await tokenOf(person, where) } : {}
  const answer = await server.call(method, path, { ...token, ...(body && { body }) })
  return { status: answer.status, data: answer.body.data, code: answer.body.error?.code }
}
const refusal = async (given: ReturnType<typeof call>) => {
  const { status, code } = await given
  return [status, code]
}
const standing = (person: Person, where: Center) => call('GET', '/api/auth/passkeys/standing', person, undefined, where)
const confirmBy = (by: Person, where: Center, person: Person, { id }: { id: string }) =>
  call('POST', `/api/centers/${where.domain}/members/${person.actorId}/passkeys/${id}/confirm`, by, {})
const operatorPath = (where: { id: number | string }, person: { actorId: string }, { id }: { id: string }) =>
  `/api/admin/centers/${where.id}/members/${person.actorId}/passkeys/${id}/confirm`
const partnerPath = (where: Center, person: Person, { id }: { id: string }) =>
  `/api/partner/centers/${where.id}/members/${person.actorId}/passkeys/${id}/confirm`
const idsFor = async (person: Person, path: string) =>
  ((await call('GET', path, person)).data as { id: string }[]).map(({ id }) => id)
const mailsTo = async ({ email }: Person, about: RegExp) => {
  await server.services.mail.sendDue()
  return mailbox.messages.filter(({ to, text }) => to.includes(email) && about.test(text)).map(({ text }) => text)
}

describe('GET /api/auth/passkeys/standing', () => {
  it('names the other ADMINs, then says that the key counts', async () => {
    const { center, admin } = await newCenter()
    const instructor = await member(center, 'INSTRUCTOR')
    expect((await standing(instructor, center)).data).toEqual({ counts: false, waiting: [], confirmers: null })
    const key = await register(instructor)
    expect((await standing(instructor, center)).data).toEqual({
      counts: false,
      waiting: [{ id: key.id, thumbprint: expect.any(String), createdAt: expect.any(String) }],
      confirmers: { by: 'admin', names: [nameOf(admin)] },
    })
    expect((await confirmBy(admin, center, instructor, key)).status).toBe(200)
    expect((await standing(instructor, center)).data).toEqual({ counts: true, waiting: [], confirmers: null })
  })

  it('leads a sole ADMIN to the partner, and to the operator where there is none or it is themselves', async () => {
    const { partner } = await partnerWith()
    const own = await newCenter(partner)
    await register(own.admin)
    const [{ name }] = (await server.world.query('select name from directory.partners where id = $1', [
      partner.id,
    ])) as [{ name: string }]
    expect((await standing(own.admin, own.center)).data.confirmers).toEqual({ by: 'partner', names: [name] })
    const alone = await newCenter()
    await register(alone.admin)
    expect((await standing(alone.admin, alone.center)).data.confirmers).toEqual({ by: 'operator', names: [] })
    const both = await newCenter(await server.world.partner())
    const [row] = await server.world.query<{ partner_id: string }>(
      'select partner_id from directory.centers where id = $1',
      [both.center.id],
    )
    await server.world.account(both.admin, { id: row?.partner_id } as Partner)
    await register(both.admin)
    expect((await standing(both.admin, both.center)).data.confirmers).toEqual({ by: 'operator', names: [] })
  })

  it('tells a guardian nothing about the ADMINs', async () => {
    const { center } = await newCenter()
    const guardian = await member(center, 'PARENT')
    await register(guardian)
    expect((await standing(guardian, center)).data.confirmers).toBeNull()
  })

  it('401 without a credential, 401 for an API key, 403 outside a center and for a suspended member', async () => {
    const { center } = await newCenter()
    const path = '/api/auth/passkeys/standing'
    expect(await refusal(call('GET', path, null))).toEqual([401, 'UNAUTHORIZED'])
    const key = await server.world.key(center, { scopes: ['proof:read'] })
    expect((await server.call('GET', path, { token: key })).status).toBe(401)
    expect(await refusal(call('GET', path, await server.world.person()))).toEqual([403, 'NO_MEMBERSHIP'])
    const suspended = await member(center, 'INSTRUCTOR')
    const token = await tokenOf(suspended, center)
    await server.world.setMembership(suspended, center, { status: 'SUSPENDED' })
    expect((await server.call('GET', path, { token })).body.error.code).toBe('MEMBERSHIP_SUSPENDED')
  })
})

describe('those who can confirm are told, once and without the number', () => {
  const waits = /registered a passkey|패스키를 등록했습니다/
  const confirmed = /confirmed|패스키를 확인했습니다/

  it('the other ADMINs; and after the confirmation the member and all ADMINs', async () => {
    const { center, admin } = await newCenter()
    const [second, instructor] = [await member(center), await member(center, 'INSTRUCTOR')]
    const key = await register(instructor)
    const [mail, ...more] = await mailsTo(admin, waits)
    expect([mail, more]).toEqual([expect.stringContaining(`/c/${center.domain}/members?show=passkeys`), []])
    expect(mail).not.toMatch(/\d{4} \d{4} \d{4} \d{4}/)
    expect(await mailsTo(second, waits)).toHaveLength(1)
    expect(await mailsTo(instructor, waits)).toEqual([])
    await server.services.passkeyOutbox.deliver()
    expect(await mailsTo(admin, waits)).toHaveLength(1)
    await confirmBy(admin, center, instructor, key)
    await confirmBy(admin, center, instructor, key)
    for (const each of [instructor, admin, second]) expect(await mailsTo(each, confirmed)).toHaveLength(1)
  })

  it('the partner for a sole ADMIN, without its operators; else the operator; nobody for a guardian', async () => {
    const { partner, boss } = await partnerWith()
    const helper = await server.world.person()
    await server.world.account(helper, partner, 'PARTNER_OPERATOR')
    const own = await newCenter(partner)
    await register(own.admin)
    expect(await mailsTo(boss, waits)).toEqual([expect.stringContaining('/p/passkeys')])
    expect(await mailsTo(helper, waits)).toEqual([])
    const before = (await mailsTo(operator, waits)).length
    const alone = await newCenter()
    await register(alone.admin)
    expect((await mailsTo(operator, waits)).slice(before)).toEqual([expect.stringContaining('/operator/passkeys')])
    const guardian = await member(alone.center, 'PARENT')
    await register(guardian)
    expect(await mailsTo(operator, waits)).toHaveLength(before + 1)
    expect(await mailsTo(alone.admin, waits)).toEqual([])
  })
})

describe('GET /api/centers/{center}/passkeys', () => {
  it('holds those of staff, and says which are one’s own', async () => {
    const { center, admin } = await newCenter()
    const [instructor, guardian] = [await member(center, 'INSTRUCTOR'), await member(center, 'PARENT')]
    const keys = [await register(admin), await register(instructor)]
    await register(guardian)
    const { data } = await call('GET', `/api/centers/${center.domain}/passkeys`, admin)
    expect(data.map(({ id, mayConfirm }: Record<string, unknown>) => [id, mayConfirm])).toEqual([
      [keys[0]?.id, false],
      [keys[1]?.id, true],
    ])
    expect(data[1].membershipId).toMatch(/^mbr_/)
  })
})

describe('the queues of the partner and of the operator', () => {
  it('hold the keys of sole ADMINs with their number, and lose those that another ADMIN can confirm', async () => {
    const { partner, boss } = await partnerWith()
    const own = await newCenter(partner)
    const key = await register(own.admin)
    const [row] = (await call('GET', '/api/partner/passkeys', boss)).data
    expect(row).toMatchObject({
      ...{ id: key.id, actorId: own.admin.actorId, name: nameOf(own.admin), email: own.admin.email },
      ...{ centerId: own.center.id, centerDomain: own.center.domain, thumbprint: expect.any(String), counts: false },
    })
    const all = (await call('GET', '/api/admin/passkeys', operator)).data
    expect(all.find(({ id }: { id: string }) => id === key.id).partnerName).toEqual(expect.any(String))
    await member(own.center)
    expect(await idsFor(boss, '/api/partner/passkeys')).not.toContain(key.id)
    expect(await idsFor(operator, '/api/admin/passkeys')).not.toContain(key.id)
  })

  it('never show a removed key, one that counts, a suspended ADMIN’s, another partner’s, or one’s own', async () => {
    const { partner, boss } = await partnerWith()
    const [one, other, gone] = [await newCenter(partner), await newCenter(partner), await newCenter(partner)]
    const [counting, suspended, removed] = [
      await register(one.admin),
      await register(other.admin),
      await register(gone.admin),
    ]
    expect(await idsFor(boss, '/api/partner/passkeys')).toEqual([counting.id, suspended.id, removed.id])
    expect(await idsFor((await partnerWith()).boss, '/api/partner/passkeys')).toEqual([])
    expect((await call('POST', partnerPath(one.center, one.admin, counting), boss)).status).toBe(200)
    await server.world.setMembership(other.admin, other.center, { status: 'SUSPENDED' })
    await server.call('DELETE', `/api/auth/passkeys/${removed.id}`, { token: await tokenOf(gone.admin) })
    expect(await idsFor(boss, '/api/partner/passkeys')).toEqual([])
    // The flag of the directory was lost with a crash: the cell knows better, and the flag is repaired.
    const flags = (set: string) =>
      server.world.query(
        `update directory.passkey_deliveries set counts = ${set} where center_id = $1 returning counts`,
        [one.center.id],
      )
    await flags('false')
    expect(await idsFor(boss, '/api/partner/passkeys')).toEqual([])
    expect(await flags('counts')).toEqual([{ counts: true }])
    const self = await newCenter(partner)
    await server.world.account(self.admin, partner)
    await register(self.admin)
    expect(await idsFor(self.admin, '/api/partner/passkeys')).toEqual([])
  })

  it('401 without a credential, 403 for others', async () => {
    const { center, admin } = await newCenter()
    const key = await server.world.key(center, { scopes: ['proof:read'] })
    const helper = (await partnerWith('PARTNER_OPERATOR')).boss
    for (const path of ['/api/partner/passkeys', '/api/admin/passkeys']) {
      expect(await refusal(call('GET', path, null))).toEqual([401, 'UNAUTHORIZED'])
      expect((await server.call('GET', path, { token: key })).status).toBe(401)
      expect(await refusal(call('GET', path, admin))).toEqual([403, 'FORBIDDEN'])
      expect((await call('GET', path, helper)).status).toBe(403)
      expect(
        (await call('GET', `${path}?centre=1`, path.includes('admin') ? operator : (await partnerWith()).boss)).status,
      ).toBe(400)
    }
  })
})

describe('POST /api/admin/centers/{centerId}/members/{actorId}/passkeys/{id}/confirm', () => {
  it('confirms the key of a sole ADMIN, sealed as by the operator and audited with the account', async () => {
    const { center, admin } = await newCenter()
    const key = await register(admin)
    expect((await call('POST', operatorPath(center, admin, key), operator)).data).toMatchObject({
      ...{ id: key.id, confirmed: 'operator', counts: true },
    })
    const [audited] = await server.world.query(
      `select actor_id from cell.audit_entries where target_id = $1 and details ->> 'action' = 'passkey.confirmed'`,
      [key.id],
    )
    expect(audited).toEqual({ actor_id: operator.actorId })
    expect((await standing(admin, center)).data.counts).toBe(true)
    // A repetition gets the same answer.
    expect((await call('POST', operatorPath(center, admin, key), operator)).status).toBe(200)
  })

  it('403 for one’s own key and for an ADMIN or partner, 401 without a credential, 404 and 400 for what is not there', async () => {
    const { partner, boss } = await partnerWith()
    const { center, admin } = await newCenter(partner)
    const key = await register(admin)
    const path = operatorPath(center, admin, key)
    for (const each of [admin, boss]) expect(await refusal(call('POST', path, each))).toEqual([403, 'FORBIDDEN'])
    expect(await refusal(call('POST', path, null))).toEqual([401, 'UNAUTHORIZED'])
    const own = await server.world.center()
    await server.world.member(operator, own, 'ADMIN')
    const mine = await register(operator)
    expect(await refusal(call('POST', operatorPath(own, operator, mine), operator))).toEqual([403, 'FORBIDDEN'])
    const nowhere = operatorPath({ id: 999_999 }, admin, key)
    expect(await refusal(call('POST', nowhere, operator))).toEqual([404, 'CENTER_NOT_FOUND'])
    expect(await refusal(call('POST', operatorPath({ id: 'haneul' }, admin, key), operator))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect(await refusal(call('POST', operatorPath(center, { actorId: newUuid() }, key), operator))).toEqual([
      404,
      'NOT_FOUND',
    ])
    expect(await refusal(call('POST', operatorPath(center, admin, mine), operator))).toEqual([404, 'NOT_FOUND'])
  })

  it('403 with the reason where the operator signed in too long ago', async () => {
    const { center, admin } = await newCenter()
    const key = await register(admin)
    const token = await tokenOf(operator)
    const restore = useClock(() => Date.now() + 301_000)
    const { body } = await server.call('POST', operatorPath(center, admin, key), { token })
    restore()
    expect(body.error.details).toEqual({ reason: 'stepUp' })
  })
})

describe('attacks', () => {
  it('an ADMIN whose role is new confirms nothing: the second account of whoever made it one', async () => {
    const { center, admin } = await newCenter()
    const third = await member(center)
    await server.services.eligibility.deliver()
    await server.world.query(`update directory.centers set created_at = now() - interval '2 days' where id = $1`, [
      center.id,
    ])
    const second = await member(center)
    const key = await register(admin)
    expect(await refusal(confirmBy(second, center, admin, key))).toEqual([409, 'CONFLICT'])
    expect((await standing(admin, center)).data.counts).toBe(false)
    expect((await confirmBy(third, center, admin, key)).status).toBe(200)
  })

  it('the key of a suspended member is confirmed by nobody', async () => {
    const { center, admin } = await newCenter()
    const person = await member(center, 'INSTRUCTOR')
    const key = await register(person)
    await server.world.setMembership(person, center, { status: 'SUSPENDED' })
    expect(await refusal(confirmBy(admin, center, person, key))).toEqual([409, 'CONFLICT'])
    const alone = await newCenter()
    const own = await register(alone.admin)
    await server.world.setMembership(alone.admin, alone.center, { status: 'SUSPENDED' })
    expect(await refusal(call('POST', operatorPath(alone.center, alone.admin, own), operator))).toEqual([
      409,
      'CONFLICT',
    ])
  })

  it('a key that was replaced meanwhile is not confirmed, and its successor waits by itself', async () => {
    const { center, admin } = await newCenter()
    const first = await register(admin)
    await server.call('DELETE', `/api/auth/passkeys/${first.id}`, { token: await tokenOf(admin) })
    const next = await register(admin)
    expect(await refusal(call('POST', operatorPath(center, admin, first), operator))).toEqual([404, 'NOT_FOUND'])
    expect((await standing(admin, center)).data).toMatchObject({ counts: false, waiting: [{ id: next.id }] })
  })

  it('a partner that lost the center neither sees nor confirms', async () => {
    const { partner, boss } = await partnerWith()
    const { center, admin } = await newCenter(partner)
    const key = await register(admin)
    await server.world.query('delete from directory.partner_centers where center_id = $1', [center.id])
    await server.world.query('update directory.centers set partner_id = null where id = $1', [center.id])
    expect(await idsFor(boss, '/api/partner/passkeys')).toEqual([])
    expect(await refusal(call('POST', partnerPath(center, admin, key), boss))).toEqual([404, 'CENTER_NOT_FOUND'])
    expect((await standing(admin, center)).data.confirmers).toEqual({ by: 'operator', names: [] })
  })

  it('a key that counts in one center waits in the next', async () => {
    const { center, admin } = await newCenter()
    const person = await member(center)
    const key = await countingPasskey(server, person, center, admin)
    const other = await server.world.center()
    await server.world.member(person, other, 'ADMIN')
    await server.services.passkeyOutbox.deliver()
    expect(await idsFor(operator, '/api/admin/passkeys')).toContain(key.id)
    expect((await standing(person, other)).data).toMatchObject({ counts: false, confirmers: { by: 'operator' } })
  })
})
