import { verticals } from '@countersign/contract/enums.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Person } from '../../../../../../tests/support/world.ts'
import { verticalDefaults } from '../../../../verticals/defaults.ts'

let server: TestServer
let founder: Person
let token: string
let count = 0

beforeAll(async () => {
  server = await startServer()
  founder = await server.world.person()
  token = (await server.signIn(founder)).accessToken
})
afterAll(() => server.close())

const order = (over: object = {}) => {
  count++
  return {
    centerName: `Center ${count}`,
    subdomain: `new-center-${count}`,
    planId: 'center-starter',
    orderId: `order-${count}`,
    adminActorId: founder.actorId,
    ...over,
  }
}
const provision = (body: object, as = token, headers: Record<string, string> = {}) =>
  server.call('POST', '/api/provisioning/center-tenant', { token: as, body, headers })

describe('201', () => {
  it('creates a complete center: administrator, subscription, learning tenant, settings, roles, audit', async () => {
    const body = order({ vertical: 'rehabilitation', businessNumber: '123-45-67890' })
    const answer = await provision(body)
    expect(answer.status).toBe(201)
    const { center, membership, subscription, tenantMapping, settings } = answer.body.data
    expect(center).toMatchObject({
      name: body.centerName,
      centerDomain: body.subdomain,
      status: 'ACTIVE',
      vertical: 'rehabilitation',
      memberCount: 1,
    })
    expect(membership).toMatchObject({ centerId: center.id, role: 'ADMIN', status: 'ACTIVE' })
    expect(subscription).toMatchObject({
      planId: 'center-starter',
      planName: 'Starter',
      status: 'TRIAL',
      seatLimit: 20,
      seatUsed: 1,
      billingCycle: 'MONTHLY',
    })
    expect(tenantMapping.centerId).toBe(center.id)
    expect(settings.booking.slotMinutes).toBe(50)
    const roles = await server.world.query(
      'select role from directory.center_roles where center_id = $1 order by role',
      [center.id],
    )
    expect(roles.map(({ role }) => role)).toEqual(['ADMIN', 'CHILD', 'INSTRUCTOR', 'PARENT'])
    expect(settings.terms.instructor).toEqual({ ko: '치료사', en: 'therapist' })
    const entries = await server.world.query(
      'select type, actor_id, target_id from directory.audit_entries where center_id = $1',
      [center.id],
    )
    expect(entries).toEqual([{ type: 'center.provisioned', actor_id: founder.actorId, target_id: String(center.id) }])
    const entered = await server.call('POST', '/api/auth/switch-center', {
      token: (await server.signIn(founder)).accessToken,
      body: { centerId: center.id },
    })
    expect(entered.body.data.destination).toBe('admin_dashboard')
  })

  it.each(verticals)('gives a center for %s its own defaults', async (vertical) => {
    const { settings } = (await provision(order({ vertical }))).body.data
    expect(settings.features).toEqual(verticalDefaults[vertical].features)
    expect(settings.booking).toEqual(verticalDefaults[vertical].booking)
  })

  it('is in Korea when no country is given, and in the given place otherwise', async () => {
    const { settings, center } = (await provision(order())).body.data
    expect([settings.country, settings.region, center.settings.country]).toEqual(['KR', null, 'KR'])
    const elsewhere = (await provision(order({ country: 'JP', region: 'JP-13' }))).body.data
    expect(elsewhere.settings).toMatchObject({ country: 'JP', region: 'JP-13' })
    const [entry] = await server.world.query<{ details: object }>(
      'select details from directory.audit_entries where center_id = $1',
      [elsewhere.center.id],
    )
    expect(entry?.details).toMatchObject({ country: 'JP', region: 'JP-13' })
  })

  it.each([
    { country: 'XX' },
    { country: 'kr' },
    { region: 'Seoul' },
    { region: 'JP-13' },
    { country: 'JP', region: 'KR-11' },
  ])('400 for the place %j', async (place) => {
    const { status, body } = await provision(order(place))
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('is an education center when no vertical is given, and ACTIVE on a plan without trial', async () => {
    const { center, subscription } = (await provision(order({ planId: 'center-scale' }))).body.data
    expect([center.vertical, subscription.status, subscription.billingCycle]).toEqual(['education', 'ACTIVE', 'YEARLY'])
  })

  it('is a personal workspace of the person who ordered it, with no second administrator', async () => {
    const body = order({ tenantType: 'WORKSPACE' })
    const { center, membership } = (await provision(body)).body.data
    expect([center.tenantType, membership.role, membership.status]).toEqual(['WORKSPACE', 'ADMIN', 'ACTIVE'])
    const [row] = await server.world.query<{ owner_id: string }>(
      'select owner_id from directory.centers where id = $1',
      [center.id],
    )
    expect(row?.owner_id).toBe(body.adminActorId)
    const second = await server.world.person()
    await expect(server.world.member(second, center, 'ADMIN')).rejects.toThrow(/workspace_of_one/)
  })

  it('belongs to the partner whose account ordered it; an operator may order one for any person', async () => {
    const [partner, operator] = [
      await server.world.person({ partner: true }),
      await server.world.person({ operator: true }),
    ]
    const partnerToken = (await server.signIn(partner)).accessToken
    const { center } = (await provision(order({ tenantType: 'WHITE_LABEL' }), partnerToken)).body.data
    expect(center.tenantType).toBe('WHITE_LABEL')
    const refused = await provision(order({ tenantType: 'WHITE_LABEL' }))
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect((await provision(order({ tenantType: 'PROGRAM' }), partnerToken)).status).toBe(400)
    const [row] = await server.world.query<{ own: boolean }>(
      `select c.partner_id = p.partner_id as own from directory.centers c, directory.partner_accounts p where c.id = $1 and p.actor_id = $2`,
      [center.id, partner.actorId],
    )
    expect(row).toEqual({ own: true })
    expect((await provision(order(), (await server.signIn(operator)).accessToken)).status).toBe(201)
  })
})

describe('the same order', () => {
  it('200 with the existing center, for the same body', async () => {
    const body = order()
    const [first, second] = [await provision(body), await provision(body)]
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body).toEqual(first.body)
  })

  it('409 DUPLICATE_PROVISIONING for another body, and nothing is created', async () => {
    const body = order()
    await provision(body)
    const { status, body: answer } = await provision({ ...body, subdomain: 'something-else' })
    expect([status, answer.error.code]).toEqual([409, 'DUPLICATE_PROVISIONING'])
    expect(await server.world.query(`select id from directory.centers where domain = 'something-else'`)).toEqual([])
  })

  it('another order for another person who sends it, whose subdomain is taken', async () => {
    const body = order()
    await provision(body)
    const other = await server.world.person()
    const answer = await provision({ ...body, adminActorId: other.actorId }, (await server.signIn(other)).accessToken)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'SUBDOMAIN_TAKEN'])
  })

  it('keeps a refusal under an Idempotency-Key', async () => {
    const first = order()
    await provision(first)
    const body = order({ subdomain: first.subdomain })
    const headers = { 'idempotency-key': `taken-${count}` }
    const [refused, again] = [await provision(body, token, headers), await provision(body, token, headers)]
    expect([refused.status, refused.body.error.code, again.text]).toEqual([409, 'SUBDOMAIN_TAKEN', refused.text])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  it('replays under an Idempotency-Key too', async () => {
    const body = order()
    const first = await provision(body, token, { 'idempotency-key': `p-${count}` })
    const again = await provision(body, token, { 'idempotency-key': `p-${count}` })
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
  })
})

describe('fifty concurrent requests', () => {
  it('for one subdomain have one winner', async () => {
    const subdomain = `wanted-${count++}`
    const answers = await Promise.all(Array.from({ length: 50 }, () => provision(order({ subdomain }))))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 409 && body.error.code === 'SUBDOMAIN_TAKEN')).toHaveLength(
      49,
    )
  })

  it('for one order create one center, and all answer with it', async () => {
    const body = order()
    const answers = await Promise.all(Array.from({ length: 50 }, () => provision(body)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49)
    expect(new Set(answers.map(({ body: answer }) => answer.data.center.id)).size).toBe(1)
  })
})

it('spreads new centers over all cells', async () => {
  const wide = await startServer({ cells: ['north', 'south'] })
  try {
    const person = await wide.world.person()
    const { accessToken } = await wide.signIn(person)
    for (let i = 0; i < 4; i++) {
      const body = order({ adminActorId: person.actorId })
      const { status } = await wide.call('POST', '/api/provisioning/center-tenant', { token: accessToken, body })
      expect(status).toBe(201)
    }
    const rows = await wide.world.query('select cell, count(*)::int from directory.centers group by cell order by cell')
    expect(rows).toEqual([
      { cell: 'north', count: 2 },
      { cell: 'south', count: 2 },
    ])
  } finally {
    await wide.close()
  }
})

describe('when the database refuses a step', () => {
  /** Raised once when the last of the center's rows is written; a sequence keeps the count across rollbacks. */
  const breakOnce = (errcode: string) =>
    server.world.query(`
      create sequence directory.broken;
      grant usage on sequence directory.broken to cs_api;
      create function directory.break_once() returns trigger language plpgsql as $$
      begin
        if nextval('directory.broken') = 1 then raise exception 'planted' using errcode = '${errcode}'; end if;
        return new;
      end $$;
      create trigger break_once before insert on directory.tenant_mappings for each row execute function directory.break_once()`)
  const mend = () => server.world.query('drop function directory.break_once() cascade; drop sequence directory.broken')
  const centers = async (name: string) =>
    (await server.world.query('select id from directory.centers where domain = $1', [name])).length

  it('500 PROVISIONING_FAILED: nothing is created, and repeating the order succeeds', async () => {
    const body = order()
    await breakOnce('P0001')
    try {
      const failed = await provision(body)
      expect([failed.status, failed.body.error.code]).toEqual([500, 'PROVISIONING_FAILED'])
      expect(await centers(body.subdomain)).toBe(0)
      expect((await provision(body)).status).toBe(201)
      expect(await centers(body.subdomain)).toBe(1)
    } finally {
      await mend()
    }
  })

  it.each([
    ['a deadlock', '40P01'],
    ['a serialization failure', '40001'],
  ])('%s is retried, and the request succeeds', async (_, errcode) => {
    await breakOnce(errcode)
    try {
      expect((await provision(order())).status).toBe(201)
    } finally {
      await mend()
    }
  })
})

describe('refusals', () => {
  it.each(['www', 'api', '-edge', 'edge-', '12345', 'xn--abc'])(
    '409 SUBDOMAIN_TAKEN for the reserved name %s',
    async (subdomain) => {
      const { status, body } = await provision(order({ subdomain }))
      expect([status, body.error.code]).toEqual([409, 'SUBDOMAIN_TAKEN'])
    },
  )

  it.each(['ab', 'x'.repeat(31), 'Upper', 'under_score', 'dot.dot', '한글이름'])(
    '400 INVALID_SUBDOMAIN for %s',
    async (subdomain) => {
      const { status, body } = await provision(order({ subdomain }))
      expect([status, body.error.code]).toEqual([400, 'INVALID_SUBDOMAIN'])
    },
  )

  it.each([
    [{ centerName: undefined }, 'MISSING_REQUIRED_FIELD'],
    [{ orderId: undefined }, 'MISSING_REQUIRED_FIELD'],
    [{ planId: 'no-such-plan' }, 'VALIDATION_ERROR'],
    [{ planId: 'lms-basic' }, 'VALIDATION_ERROR'],
    [{ vertical: 'farming' }, 'VALIDATION_ERROR'],
    [{ adminActorId: 'not-an-id' }, 'VALIDATION_ERROR'],
  ])('400 for %j: %s', async (over, code) => {
    const { status, body } = await provision(order(over))
    expect([status, body.error.code]).toEqual([400, code])
  })

  it("403 FORBIDDEN for another person's center; 400 when an operator names an unknown actor", async () => {
    const other = await server.world.person()
    const { status, body } = await provision(order({ adminActorId: other.actorId }))
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
    const operator = (await server.signIn(await server.world.person({ operator: true }))).accessToken
    const unknownActor = await provision(order({ adminActorId: '01a1dcff-0682-7c6c-bb9b-a0d759adecea' }), operator)
    expect([unknownActor.status, unknownActor.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('403 INSUFFICIENT_ROLE for a person who is nothing but a CHILD; an invitation alone makes nobody one', async () => {
    const [child, invited, parent] = [
      await server.world.person(),
      await server.world.person(),
      await server.world.person(),
    ]
    const [center, another] = [await server.world.center(), await server.world.center()]
    await server.world.member(child, center, 'CHILD')
    await server.world.member(invited, center, 'CHILD', 'INVITED')
    await server.world.member(parent, center, 'CHILD', 'SUSPENDED')
    const ordering = async (person: Person) =>
      provision(order({ adminActorId: person.actorId }), (await server.signIn(person)).accessToken)
    for (const person of [child, parent]) {
      const { status, body } = await ordering(person)
      expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    }
    const made = 'select id from directory.centers where domain = $1'
    expect(await server.world.query(made, [`new-center-${count}`])).toEqual([])
    expect((await ordering(invited)).status).toBe(201)
    await server.world.member(parent, another, 'PARENT')
    expect((await ordering(parent)).status).toBe(201)
  })

  it('invites a stranger whom a partner names by id, and shows nothing of the person', async () => {
    const [partner, stranger] = [await server.world.partner(), await server.world.person()]
    const account = await server.world.person()
    await server.world.account(account, partner)
    const { accessToken } = await server.signIn(account)
    const { status, body, text } = await provision(order({ adminActorId: stranger.actorId }), accessToken)
    expect([status, body.data.membership.status, body.data.center.memberCount]).toEqual([201, 'INVITED', 0])
    const { body: members } = await server.call('GET', '/api/partner/members', { token: accessToken })
    expect(members.data).toMatchObject([{ id: body.data.membership.id, actorId: null, email: '' }])
    for (const shown of [text, JSON.stringify(members)]) expect(shown).not.toContain(stranger.email)
    const own = (await server.signIn(stranger)).accessToken
    const accept = `/api/memberships/${body.data.membership.id}/accept`
    expect((await server.call('POST', accept, { token: own })).body.data).toMatchObject({
      actorId: stranger.actorId,
      email: stranger.email,
      status: 'ACTIVE',
    })
    const member = await server.world.person()
    await server.world.member(member, await server.world.center({ partner }), 'PARENT')
    const known = await provision(order({ adminActorId: member.actorId }), accessToken)
    expect(known.body.data.membership.status).toBe('ACTIVE')
  })

  it('401 without a token', async () => {
    expect((await server.call('POST', '/api/provisioning/center-tenant', { body: order() })).status).toBe(401)
  })
})

describe('an orderId', () => {
  const provisioned = async (partner: Awaited<ReturnType<typeof server.world.partner>> | null) => {
    const person = await server.world.person()
    if (partner) await server.world.account(person, partner)
    const { accessToken } = await server.signIn(person)
    return (orderId: string, over: object = {}) =>
      provision(order({ orderId, adminActorId: person.actorId, ...over }), accessToken)
  }

  it('belongs to a person, or to a partner with all its accounts', async () => {
    const partner = await server.world.partner()
    const [one, two] = [await provisioned(null), await provisioned(null)]
    const [ours, colleague] = [await provisioned(partner), await provisioned(partner)]
    for (const make of [one, two, ours]) expect((await make('shared-1')).status).toBe(201)
    const again = await colleague('shared-1')
    expect([again.status, again.body.error.code]).toEqual([409, 'DUPLICATE_PROVISIONING'])
    expect((await one('shared-1')).body.error.code).toBe('DUPLICATE_PROVISIONING')
  })
})
