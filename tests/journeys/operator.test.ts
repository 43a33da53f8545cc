/** `npm run operator`: the effect, the output and the refusals of each command. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { Center } from '../support/world.ts'
import { misuse, refusal, run } from './operator-shell.ts'

let server: TestServer
let mailbox: Mailbox

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer()
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const operator = (...args: string[]) => run(server, args, { SMTP_URL: mailbox.url })

const traces = (target: string) =>
  server.world.query<{ what: string; details: object; center_id: number }>(
    `select type || ' ' || (details ->> 'action') as what, details, center_id from directory.audit_entries
     where target_id = $1 and actor_id like 'operator:%' and request_id like 'req\\_%' order by occurred_at, id`,
    [target],
  )
const isOperator = async (actorId: string) =>
  (await server.world.query('select is_operator from directory.actors where id = $1', [actorId]))[0]?.is_operator
const count = async () => Number((await server.world.query('select count(*) from directory.audit_entries'))[0]?.count)

describe('make-operator and remove-operator', () => {
  it('change the flag once, and write an audit entry for each change', async () => {
    const person = await server.world.person()
    expect(await operator('make-operator', person.email)).toEqual({
      code: 0,
      said: `${person.email} is now a platform operator, in all sessions.\n`,
      complained: '',
    })
    expect(await isOperator(person.actorId)).toBe(true)
    expect((await operator('make-operator', person.email.toUpperCase())).said).toMatch(/nothing was changed/)
    expect((await operator('remove-operator', person.email)).code).toBe(0)
    expect(await isOperator(person.actorId)).toBe(false)
    expect(await traces(person.actorId)).toEqual([
      { what: 'settings.updated operator', center_id: 0, details: { action: 'operator', isOperator: true } },
      { what: 'settings.updated operator', center_id: 0, details: { action: 'operator', isOperator: false } },
    ])
  })

  it('find a person by phone', async () => {
    const person = await server.world.person({ phone: '+821012345678' })
    expect((await operator('make-operator', '+821012345678')).code).toBe(0)
    expect(await isOperator(person.actorId)).toBe(true)
  })

  it('refuse an address without an account', async () => {
    expect(await operator('make-operator', 'nobody@people.example')).toEqual(
      refusal(
        'There\'s no account for "nobody@people.example". Check the spelling; a new person gets an account by accepting an invitation.',
      ),
    )
  })
})

describe('create-sandbox and reset-sandbox', () => {
  it('make a sandbox for an ADMIN of the center, and another one in its place', async () => {
    const [center, admin] = [await server.world.center(), await server.world.person()]
    await server.world.member(admin, center)
    const created = await operator('create-sandbox', center.domain, admin.email)
    expect([created.code, created.said]).toEqual([0, expect.stringMatching(/ has a sandbox with the ID 1\d{9}\. /)])
    const reset = await operator('reset-sandbox', String(center.id), admin.email)
    expect([reset.code, reset.said]).toEqual([
      0,
      expect.stringMatching(/a new sandbox with the ID 1\d{9}; the sandbox/),
    ])
    expect((await traces(String(center.id))).map(({ what }) => what)).toEqual([
      'center.updated create-sandbox',
      'center.updated reset-sandbox',
    ])
    const made = await server.world.query('select status from directory.centers where sandbox_of = $1 order by id', [
      center.id,
    ])
    expect(made).toEqual([{ status: 'INACTIVE' }, { status: 'ACTIVE' }])
  })

  it('refuse a person who is no ADMIN of the center, and a second sandbox', async () => {
    const center = await server.world.center()
    const [admin, other] = [await server.world.person(), await server.world.person()]
    await server.world.member(admin, center)
    await server.world.member(other, center, 'INSTRUCTOR')
    expect(await operator('create-sandbox', center.domain, other.email)).toEqual(
      refusal("A sandbox's owner must be an administrator of the center. Choose an administrator."),
    )
    expect((await operator('reset-sandbox', center.domain, admin.email)).complained).toMatch(/doesn't have a sandbox/)
    expect((await operator('create-sandbox', center.domain, admin.email)).code).toBe(0)
    expect((await operator('create-sandbox', center.domain, admin.email)).complained).toMatch(/already has a sandbox/)
  })
})

describe('move-subscription', () => {
  async function subscriber(status: string): Promise<Center> {
    const center = await server.world.center()
    await server.world.query(
      `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
       values ($1, 'center-starter', $2, 'MONTHLY', now() + interval '30 days', 20)`,
      [center.id, status],
    )
    return center
  }

  it('moves a subscription, by id or subdomain and case-insensitively', async () => {
    const center = await subscriber('TRIAL')
    const moved = await operator('move-subscription', String(center.id), 'active')
    expect([moved.code, moved.said]).toEqual([
      0,
      `The status of Center ${center.domain}'s subscription (${center.domain}, ID ${center.id}) changed from TRIAL to ACTIVE.\n`,
    ])
    expect((await operator('move-subscription', center.domain, 'PAST_DUE')).code).toBe(0)
    expect((await traces(String(center.id))).map(({ center_id, details }) => ({ center_id, ...details }))).toEqual([
      { center_id: center.id, action: 'subscription', move: 'activate', from: 'TRIAL', to: 'ACTIVE' },
      { center_id: center.id, action: 'subscription', move: 'lapse', from: 'ACTIVE', to: 'PAST_DUE' },
    ])
  })

  it('refuses an undefined transition, a center without a subscription, and an unknown state', async () => {
    const center = await subscriber('TRIAL')
    expect(await operator('move-subscription', center.domain, 'SUSPENDED')).toEqual(
      refusal(
        "A subscription with the status TRIAL can't be changed to SUSPENDED. It can only be changed to ACTIVE, PAST_DUE or CANCELED.",
      ),
    )
    const without = await server.world.center()
    expect(await operator('move-subscription', without.domain, 'ACTIVE')).toEqual(
      refusal("This center doesn't have a subscription. Ask the operator to set one up."),
    )
    expect(await operator('move-subscription', center.domain, 'PAID')).toEqual(
      misuse('STATUS must be one of ACTIVE, TRIAL, PAST_DUE, CANCELED, SUSPENDED, not "PAID".'),
    )
    expect(await traces(String(center.id))).toEqual([])
  })

  it('change-plan gives another plan', async () => {
    const center = await subscriber('TRIAL')
    const changed = await operator('change-plan', center.domain, 'center-growth')
    expect([changed.code, changed.said]).toEqual([0, expect.stringContaining('to the center-growth plan')])
  })
})

describe('suspend-center, reinstate-center and end-center', () => {
  it('change the status of a center on a running server within a second', async () => {
    const center = await server.world.center()
    const person = await server.world.person()
    await server.world.member(person, center)
    const { accessToken: token } = await server.signIn(person, center.domain)
    const entering = async () => {
      await sleep(1000)
      const { status, body } = await server.call('GET', `/api/centers/${center.id}`, { token })
      return body.error?.code ?? status
    }
    expect((await operator('suspend-center', center.domain)).said).toMatch(/was ACTIVE and is now SUSPENDED/)
    expect(await entering()).toBe('CENTER_SUSPENDED')
    expect((await operator('reinstate-center', center.domain)).code).toBe(0)
    expect(await entering()).toBe(200)
    expect((await operator('end-center', String(center.id))).said).toMatch(/this is permanent/)
    expect(await entering()).toBe('CENTER_SUSPENDED')
    expect(await operator('reinstate-center', center.domain)).toEqual(
      refusal(
        "A center with the status INACTIVE can't be changed to ACTIVE, because INACTIVE is final. Set up a new center instead.",
      ),
    )
    expect((await traces(String(center.id))).map(({ what }) => what)).toEqual([
      'center.updated suspend',
      'center.updated reinstate',
      'center.updated end',
    ])
  })

  it('refuse a center that does not exist', async () => {
    expect(await operator('end-center', 'no-such-center')).toEqual(
      refusal('No center matches "no-such-center". Send its ID or its exact subdomain.'),
    )
  })
})

describe('relocate-center', () => {
  it('sets the country and the region of any center, and audits both', async () => {
    const center = await server.world.center()
    const { said } = await operator('relocate-center', center.domain, 'JP', 'JP-13')
    expect(said).toMatch(/was in KR and is now in JP-13\.$/m)
    expect((await operator('relocate-center', center.domain, 'KR')).said).toMatch(/was in JP-13 and is now in KR\.$/m)
    expect(await traces(String(center.id))).toMatchObject([
      { what: 'center.updated relocate', details: { fromCountry: 'KR', toCountry: 'JP', toRegion: 'JP-13' } },
      { what: 'center.updated relocate', details: { fromRegion: 'JP-13', toCountry: 'KR', toRegion: null } },
    ])
  })

  it('refuses what is no code, and a region of another country', async () => {
    const { domain } = await server.world.center()
    expect((await operator('relocate-center', domain, 'Korea')).complained).toMatch(/ISO 3166-1 code such as KR/)
    expect((await operator('relocate-center', domain, 'KR', 'Seoul')).complained).toMatch(
      /ISO 3166-2 code such as KR-11/,
    )
    expect((await operator('relocate-center', domain, 'KR', 'JP-13')).complained).toMatch(/isn't a region of KR/)
  })
})

describe('create-program', () => {
  const centerNamed = async (domain: string) =>
    (
      await server.world.query<{ id: number; tenant_type: string; vertical: string; settings: object }>(
        'select id, tenant_type, vertical, settings from directory.centers where domain = $1',
        [domain],
      )
    )[0]

  it('creates a PROGRAM with an active administrator when they have an account', async () => {
    const person = await server.world.person()
    const made = await operator('create-program', 'Night School', 'night-school', person.email, 'mentoring')
    const program = await centerNamed('night-school')
    expect([made.code, made.said]).toEqual([
      0,
      `Night School (night-school, ID ${program?.id}) was created: ${person.email} is its administrator.\n`,
    ])
    expect(program).toMatchObject({ tenant_type: 'PROGRAM', vertical: 'mentoring' })
    const { accessToken: token } = await server.signIn(person, 'night-school')
    const { body } = await server.call('GET', '/api/centers/night-school', { token })
    expect(body.data).toMatchObject({ name: 'Night School', tenantType: 'PROGRAM', memberCount: 1 })
    expect((await server.call('GET', '/api/center/subscription', { token })).status).toBe(404)
    expect((await traces(String(program?.id))).map(({ what }) => what)).toEqual(['center.provisioned created'])
  })

  it('invites an administrator without an account, who becomes active by accepting', async () => {
    const made = await operator('create-program', 'Open Academy', 'open-academy', 'head@academy.example')
    expect(made.said).toMatch(/head@academy.example has been invited by email as its administrator/)
    const token = await mailbox.token('head@academy.example', 'csi')
    const password = 'a long new password'
    const accepted = await server.call('POST', '/api/auth/invitations/accept', { body: { token, password } })
    expect(accepted.body.data).toMatchObject({ status: 'ACTIVE', centerDomain: 'open-academy' })
    const { body } = await server.call('POST', '/api/auth/login', {
      body: { email: 'head@academy.example', password },
    })
    expect(body.data).toMatchObject({ destination: 'admin_dashboard', actor: { role: 'ADMIN' } })
    expect((await operator('make-operator', 'head@academy.example')).code).toBe(0)
    expect(await server.world.query('select id from directory.mails')).toEqual([])
  })

  it('mails in the language that the operator chooses', async () => {
    await operator('create-program', 'Evening School', 'evening-school', 'eve@academy.example', 'education', 'en')
    await mailbox.token('eve@academy.example', 'csi')
    const text = mailbox.messages.findLast(({ to }) => to.includes('eve@academy.example'))?.text
    expect(text).toContain('To accept, open this link within seven days')
    expect(text).not.toMatch(/[가-힣]/)
    expect((await operator('create-program', 'X', 'any-school', 'x@a.example', 'education', 'fr')).code).toBe(2)
  })

  it('refuses a taken, reserved or invalid name, and an invalid address', async () => {
    const taken = await server.world.center()
    const before = await count()
    const attempt = (subdomain: string, email = 'x@people.example', vertical = 'education') =>
      operator('create-program', 'X', subdomain, email, vertical)
    for (const name of [taken.domain, 'admin', '12345']) {
      expect(await attempt(name)).toEqual(refusal('This subdomain is taken or reserved. Choose another one.'))
    }
    expect(await attempt('No_Name')).toEqual(
      refusal('A subdomain must have 3 to 30 characters: lowercase letters, digits and hyphens. Choose another one.'),
    )
    expect(await attempt('fine-name', 'nobody')).toEqual(misuse('"nobody" isn\'t an email address.'))
    expect((await attempt('fine-name', 'x@people.example', 'gardening')).code).toBe(2)
    expect(await count()).toBe(before)
    expect(await server.world.query(`select id from directory.actors where email = 'x@people.example'`)).toEqual([])
  })
})

describe('end-sessions', () => {
  it('ends all sessions within a second, and prints their number', async () => {
    const person = await server.world.person()
    const sessions = [await server.signIn(person), await server.signIn(person)]
    const ended = await operator('end-sessions', person.email)
    expect(ended).toEqual({ code: 0, said: `${person.email} has been signed out of 2 sessions.\n`, complained: '' })
    await sleep(1000)
    for (const { accessToken: token, refreshToken } of sessions) {
      expect((await server.call('GET', '/api/auth/me', { token })).status).toBe(401)
      expect((await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })).status).toBe(401)
    }
    const entries = await server.world.query(
      `select details from directory.audit_entries where type = 'session.changed' and actor_id like 'operator:%'`,
    )
    const revoked = { details: { action: 'revoke', reason: 'operator' } }
    expect(entries).toEqual([revoked, revoked])
    expect((await operator('end-sessions', person.email)).said).toMatch(/had no sessions; nothing was changed/)
  })
})

describe('rotate-signing-key', () => {
  const published = async () => ((await server.call('GET', '/.well-known/jwks.json')).body.keys as object[]).length

  it('publishes another key without ending a session', async () => {
    const person = await server.world.person()
    const { accessToken: token } = await server.signIn(person)
    const rows = () => server.world.query('select kid from directory.signing_keys where retired_at is null')
    const before = (await rows()).length
    expect((await operator('rotate-signing-key')).code).toBe(0)
    const after = await rows()
    expect(after).toHaveLength(before + 1)
    expect((await server.call('GET', '/api/auth/me', { token })).status).toBe(200)
    expect(await published()).toBeGreaterThan(0)
    const [newest] = await server.world.query('select kid from directory.signing_keys order by use_from desc limit 1')
    expect((await traces(newest?.kid)).map(({ what }) => what)).toEqual(['settings.updated signing-key added'])
  })

  it('refuses a SECRET_KEY that the servers do not have', async () => {
    const rows = () => server.world.query('select kid from directory.signing_keys')
    const before = await rows()
    const strange = await run(server, ['rotate-signing-key'], { SECRET_KEY: randomBytes(32).toString('base64') })
    expect(strange.code).toBe(1)
    expect(strange.complained).toMatch(
      /^SECRET_KEY differs from the running servers' SECRET_KEY, so no key was created\./,
    )
    expect(await rows()).toEqual(before)
  })

  it('revokes all keys with --leaked', async () => {
    const gone = await operator('rotate-signing-key', '--leaked')
    expect(gone.said).toMatch(/^Signing keys retired: \d\./)
    expect(await server.world.query('select kid from directory.signing_keys where retired_at is null')).toEqual([])
    expect(await operator('rotate-signing-key', '--quick')).toEqual(misuse('Unknown option "--quick". Use --leaked.'))
  })
})
