/** Two partners: what one of them can reach of the other, by every operation and by SQL. */
import type { Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../support/contract-check.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { Person } from '../support/world.ts'
import { sendSample } from './access/send-sample.ts'
import { attempt, type Outcome, refused } from './attempts.ts'
import { type FilledPartner, filledPartner } from './two-partners.ts'

let server: TestServer
let client: pg.Client
let mine: FilledPartner
let theirs: FilledPartner

beforeAll(async () => {
  server = await startServer()
  mine = await filledPartner(server)
  theirs = await filledPartner(server)
  // The hardest case: the administrator of one partner is a member, and an ADMIN, in a center of the other.
  await server.world.member(mine.admin, theirs.centers[0], 'ADMIN')
  client = new pg.Client({ connectionString: server.services.config.databaseUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await server.close()
})

const ofPartners = operations.filter(({ spec }) => spec.access.kind === 'partner')
/** Operations about a member of a center, a domain, a provider or an invitation have their own tests in their features. */
const ofCenters = ofPartners.filter(({ spec }) => !/\{(actorId|id)\}/.test(spec.path))
type Params = Readonly<Record<string, string>>
const named = (list: readonly Operation[]) => list.map((operation) => [operation.id, operation] as const)

const bodies: Record<string, () => unknown> = {
  'partner.createCenter': () => ({
    name: 'New here',
    tenantType: 'CENTER',
    vertical: 'welfare',
    adminEmail: 'new@branches.example',
  }),
  'partner.updateCenter': () => ({ name: 'Taken over', status: 'SUSPENDED' }),
  'partner.nameCenterAdmin': () => ({ email: 'boss@branches.example' }),
  'partner.createFreeze': () => ({ actorId: 'agent-7', reason: 'A test' }),
  'partner.closeEmergency': () => ({ reason: 'We spoke about it.' }),
  'partner.updateSettings': () => ({ secret: 'overwritten' }),
  // One pixel.
  'logos.addAsPartner': () => ({
    png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  }),
  'domains.addAsPartner': () => ({ domain: 'new.example' }),
  'signInProviders.addAsPartner': () => ({
    name: 'New',
    issuer: 'https://login.new.example',
    clientId: 'new',
    clientSecret: 'new',
  }),
  'partnerInvitations.create': () => ({ email: 'colleague@partners.example', role: 'PARTNER_ADMIN' }),
}

/** The center of this partner that an operation is about, and the emergency in it. */
const paramsOf = ({ id }: Operation, { centers, emergencies }: FilledPartner, which: 0 | 1): Params =>
  id === 'partner.closeEmergency' ? emergencies[which].params : { centerId: String(centers[which].id) }

/** Calls as this person, with or without an entered center. */
async function call(operation: Operation, person: Person, params: Params = {}, domain?: string): Promise<Answer> {
  const { accessToken } = await server.signIn(person, domain)
  const body = bodies[operation.id]?.()
  if (operation.spec.body && !body) throw new Error(`${operation.id} has no body here: add one`)
  return sendSample(server, operation, { params, body }, accessToken)
}

/** All rows of a partner in the directory and the cell, except sign-ins. */
const stateOf = async ({ id }: FilledPartner): Promise<unknown> => {
  const [row] = await server.world.query(
    `with c as (select id from directory.centers where partner_id = $1)
     select (select to_jsonb(p) from directory.partners p where p.id = $1) as partner,
       (select jsonb_agg(to_jsonb(x) order by x.id) from directory.centers x where x.partner_id = $1) as centers,
       (select jsonb_agg(to_jsonb(m) order by m.id) from directory.memberships m where m.center_id in (select id from c)) as members,
       (select count(*)::int from directory.audit_entries a where a.type <> 'session.changed'
         and (a.center_id in (select id from c) or a.target_id = $1::text)) as traces`,
    [id],
  )
  return row
}

it('there are 37 partner operations', () => {
  expect(ofPartners).toHaveLength(37)
})

describe.each(['PARTNER_ADMIN', 'PARTNER_OPERATOR'] as const)('a %s', (role) => {
  const person = (partner: FilledPartner) => (role === 'PARTNER_ADMIN' ? partner.admin : partner.operator)
  const mayCall = ({ spec: { access } }: Operation) => access.kind === 'partner' && access.roles.includes(role)

  it.each(named(ofPartners.filter(({ spec }) => spec.method === 'GET' && !spec.path.includes('{'))))(
    'sees through %s only data of its own partner',
    async (_, operation) => {
      const answer = await call(operation, person(mine))
      expect(answer.status).toBe(mayCall(operation) ? 200 : 403)
      expect(theirs.marks.filter((mark) => answer.text.includes(mark))).toEqual([])
      // The control: the other partner sees its data through the same operation.
      if (!mayCall(operation)) return
      const own = await call(operation, person(theirs))
      expect(own.text).not.toBe(answer.text)
    },
  )

  it.each(named(ofCenters.filter(({ spec }) => spec.path.includes('{centerId}'))))(
    'reaches through %s its own center and not a center of the other partner',
    async (_, operation) => {
      const before = await stateOf(theirs)
      const foreign = paramsOf(operation, theirs, 0)
      const answers = [
        await call(operation, person(mine), foreign),
        await call(operation, person(mine), { ...foreign, centerId: '2000000000' }),
      ] as const
      const expected = mayCall(operation) ? [404, 'CENTER_NOT_FOUND'] : [403, 'INSUFFICIENT_ROLE']
      for (const { status, body } of answers) expect([status, body.error.code]).toEqual(expected)
      expect(answers[0].text).toBe(answers[1].text)
      expect(await stateOf(theirs)).toEqual(before)
      const own = await call(operation, person(mine), paramsOf(operation, mine, 0))
      const [success] = Object.keys(operation.spec.replies)
      expect(own.status).toBe(mayCall(operation) ? Number(success) : 403)
    },
  )

  it.each(named(ofCenters.filter(({ spec }) => spec.method !== 'GET')))(
    'changes through %s nothing of the other partner, and nothing at all without the right',
    async (_, operation) => {
      const [before, own] = [await stateOf(theirs), await stateOf(mine)]
      const { status } = await call(operation, person(mine), paramsOf(operation, mine, 1))
      expect(status).toBe(mayCall(operation) ? Number(Object.keys(operation.spec.replies)[0]) : 403)
      expect(await stateOf(theirs)).toEqual(before)
      if (!mayCall(operation)) expect(await stateOf(mine)).toEqual(own)
    },
  )
})

it.each(named(ofPartners.filter(({ spec }) => spec.method === 'GET')))(
  'sees no more through %s in a session that entered a center of the other partner as ADMIN',
  async (_, operation) => {
    const [their] = theirs.centers
    const answer = await call(operation, mine.admin, paramsOf(operation, theirs, 0), their.domain)
    if (operation.spec.path.includes('{')) expect(answer.status).toBe(404)
    expect(theirs.marks.filter((mark) => answer.text.includes(mark))).toEqual([])
  },
)

it('closes no emergency approval of the other partner through a center of its own', async () => {
  const operation = operations.find(({ id }) => id === 'partner.closeEmergency') as Operation
  const [[own], [their]] = [mine.emergencies, theirs.emergencies]
  const { status, body } = await call(operation, mine.admin, { ...their.params, centerId: own.params.centerId })
  expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  // The control: it was there to be closed.
  expect((await call(operation, theirs.admin, their.params)).status).toBe(200)
})

describe('SQL in a transaction of one partner', () => {
  const asMine = (text: string, values: unknown[] = [], settings: Record<string, string> = {}): Promise<Outcome> =>
    attempt(client, { role: 'cs_api', center: 0, settings: { partner_id: mine.id, ...settings } }, text, values)
  const theirCenters = () => theirs.centers.map(({ id }) => id)
  const myCenters = () => mine.centers.map(({ id }) => id)

  it.each(['centers', 'memberships', 'audit_entries', 'partner_centers'])(
    'sees only its own rows of %s',
    async (table) => {
      const column = table === 'centers' ? 'id' : 'center_id'
      const look = `select from directory.${table} where ${column} = any ($1)`
      expect(await asMine(look, [theirCenters()])).toBe(0)
      expect(await asMine(look, [myCenters()])).toBeGreaterThan(0)
    },
  )

  it.each(['partner_figures', 'partner_plan_figures', 'partner_visitor_counts', 'domains', 'oidc_providers'])(
    'sees only its own rows of %s',
    async (table) => {
      const look = `select from directory.${table} where partner_id = $1`
      expect(await asMine(look, [theirs.id])).toBe(0)
      expect(await asMine(look, [mine.id])).toBeGreaterThan(0)
    },
  )

  it('sees itself, its accounts, its people and its own audit entries, and no visitor or password', async () => {
    expect(await asMine('select id from directory.partners')).toBe(1)
    const people = 'select id from directory.actors where id = any ($1)'
    expect(await asMine(people, [theirs.members.map(({ actorId }) => actorId)])).toBe(0)
    expect(await asMine(people, [mine.members.map(({ actorId }) => actorId)])).toBe(2)
    const traces = `select from directory.audit_entries where center_id = 0 and target_type = 'partner' and target_id = $1`
    expect(await asMine(traces, [theirs.id])).toBe(0)
    expect(await asMine(traces, [mine.id])).toBeGreaterThan(0)
    const accounts = 'select from directory.partner_accounts where partner_id = $1'
    expect(await asMine(accounts, [theirs.id])).toBe(0)
    expect(await asMine(accounts, [mine.id])).toBe(2)
    for (const change of [
      `update directory.partner_accounts set role = 'PARTNER_OPERATOR'`,
      'delete from directory.partner_accounts',
    ]) {
      expect(await asMine(`${change} where partner_id = $1`, [theirs.id])).toBe(0)
    }
    for (const table of ['partner_visitors', 'credentials', 'sessions']) {
      expect(await asMine(`select from directory.${table}`)).toBe(refused)
    }
  })

  it('changes only its own centers and settings, and ends no center', async () => {
    const rename = `update directory.centers set name = 'x' where id = any ($1)`
    expect(await asMine(rename, [theirCenters()])).toBe(0)
    const suspend = (center: number) =>
      asMine(`update directory.centers set status = 'SUSPENDED' where id = $1`, [center], { center_id: String(center) })
    expect(await suspend(mine.centers[0].id)).toBe(1)
    // In a center of the other partner, where the administrator is a member: the row is visible, its status is not writable.
    expect(await suspend(theirs.centers[0].id)).toBe(refused)
    const end = `update directory.centers set status = 'INACTIVE' where id = $1`
    expect(await asMine(end, [mine.centers[0].id], { center_id: String(mine.centers[0].id) })).toBe(refused)
    expect(await asMine(`update directory.partners set settings = '{}' where id = $1`, [theirs.id])).toBe(0)
    expect(await asMine(`update directory.partners set settings = '{}' where id = $1`, [mine.id])).toBe(1)
    for (const column of ['name', 'kind', 'default_plan_id']) {
      expect(await asMine(`update directory.partners set ${column} = ${column}`)).toBe(refused)
    }
    expect(await asMine('update directory.centers set partner_id = null')).toBe(refused)
    expect(await asMine(`update directory.memberships set status = 'ENDED'`)).toBe(0)
  })

  it('creates centers only for itself, and no PROGRAM', async () => {
    const found = (partner: string | null, type: string) =>
      asMine(
        `insert into directory.centers (id, domain, name, vertical, settings, tenant_type, partner_id)
         values (900000000, 'new-one', 'x', 'education', '{}', $1, $2)`,
        [type, partner],
        { center_id: '900000000' },
      )
    expect(await found(mine.id, 'WHITE_LABEL')).toBe(1)
    expect(await found(theirs.id, 'CENTER')).toBe(refused)
    expect(await found(mine.id, 'PROGRAM')).toBe(refused)
    expect(await found(null, 'WHITE_LABEL')).toBe(refused)
    const account = (partner: string) =>
      asMine(`insert into directory.partner_accounts (partner_id, actor_id, role) values ($1, $2, 'PARTNER_ADMIN')`, [
        partner,
        mine.members[0]?.actorId,
      ])
    expect(await account(theirs.id)).toBe(refused)
  })

  it('sees in a cell only the audit entries of the centers that it names', async () => {
    const look = async (centers: readonly number[], table: string) => {
      await client.query('begin')
      try {
        await client.query(`set local role cs_api; set local app.center_ids = '{${centers.join(',')}}'`)
        return (await client.query(`select from cell.${table}`)).rowCount
      } finally {
        await client.query('rollback')
      }
    }
    // Three stops among them: one of the partner from the start, two of the tests above.
    expect(await look(myCenters(), 'audit_entries')).toBe(5)
    expect(await look([], 'audit_entries')).toBe(0)
    expect(await look(myCenters(), 'freezes')).toBe(3)
    expect(await look([], 'freezes')).toBe(0)
    await server.world.query(
      `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at)
       values ($1, gen_random_uuid(), $2, $2, $2, now(), now() + interval '1 hour', now())`,
      [mine.centers[0].id, mine.members[0]?.actorId],
    )
    expect(await look(myCenters(), 'bookings')).toBe(0)
  })
})
