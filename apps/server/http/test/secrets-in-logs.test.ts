import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../tests/support/world.ts'

let server: TestServer
let mailbox: Mailbox
let center: Center
let admin: Person
/** Every secret that a log must not contain, with its name. */
const secrets = new Map<string, string>()

const mint = (kind: string, secret: string): string => {
  secrets.set(secret, kind)
  return secret
}

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { LOG_LEVEL: 'trace', SMTP_URL: mailbox.url } })
  center = await server.world.center()
  admin = await server.world.person()
  await server.world.member(admin, center)
  mint('the password', admin.password)
  for (const key of server.services.config.secretKeys) mint('the secret key', key.toString('base64'))
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

async function signIn(): Promise<{ accessToken: string; refreshToken: string }> {
  const { accessToken, refreshToken } = await server.signIn(admin, center.domain)
  return { accessToken: mint('an access token', accessToken), refreshToken: mint('a refresh token', refreshToken) }
}

/** Mailed tokens: used, used again, mistyped, and while the mail server or the database fails. */
async function byMail(adminToken: string): Promise<string> {
  const email = 'invited-person@people.example'
  const members = `/api/centers/${center.domain}/members`
  const body = { email, role: 'PARENT' }
  const post = (path: string, sent: unknown) => server.call('POST', path, { body: sent })
  expect((await server.call('POST', members, { token: adminToken, body })).status).toBe(201)
  const invitation = mint('an invitation', await mailbox.token(email, 'csi'))
  const password = mint('a new password', 'the first password of a person')
  const accept = { token: invitation, password }
  await broken('insert on directory.credentials to cs_auth', () => post('/api/auth/invitations/accept', accept))
  expect((await post('/api/auth/invitations/accept', accept)).status).toBe(200)
  expect((await post('/api/auth/invitations/accept', accept)).status).toBe(401)
  expect((await post('/api/auth/invitations/accept', { token: invitation, password: 'short' })).status).toBe(400)
  await server.call('GET', `/api/auth/invitations/${invitation}?token=${invitation}`)

  expect((await post('/api/auth/password/forgot', { email })).status).toBe(202)
  const reset = mint('a password reset', await mailbox.token(email, 'csp'))
  const change = { token: reset, password: mint('another password', 'the second password of a person') }
  await broken('update on directory.credentials to cs_auth', () => post('/api/auth/password/reset', change))
  expect((await post('/api/auth/password/reset', change)).status).toBe(204)
  expect((await post('/api/auth/password/reset', { ...change, more: reset })).status).toBe(400)

  mailbox.refusing = true
  expect((await post('/api/auth/password/forgot', { email })).status).toBe(202)
  await expect.poll(() => server.logs.join('')).toContain('mail: not delivered; it will be tried again')
  mailbox.refusing = false
  return email
}

/** While the database refuses what the call needs: the error is logged without the contents of the call. */
async function broken(right: string, call: () => Promise<{ status: number }>): Promise<void> {
  await server.world.query(`revoke ${right.replace(' to ', ' from ')}`)
  try {
    expect((await call()).status).toBe(500)
  } finally {
    await server.world.query(`grant ${right}`)
  }
}

it('logs no password, token, key or cookie', async () => {
  const { accessToken, refreshToken } = await signIn()
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.call(method, path, { token: accessToken, headers, ...(body !== undefined && { body }) })
  const cookie = { cookie: `auth_token=${accessToken}; last_tenant=x`, origin: 'http://countersign.test' }
  const newKey = { name: 'logged?', scopes: ['proof:write'] }

  // Successful calls.
  const made = await call('POST', '/api/api-keys', newKey, { 'idempotency-key': 'k' })
  const key = mint('an API key', made.body.data.key)
  const replayed = await call('POST', '/api/api-keys', newKey, { 'idempotency-key': 'k' })
  expect(replayed.body.data.key).toBe(key)
  const newWebhook = { url: 'https://hooks.example.org/', events: ['*'] }
  const webhook = await server.call('POST', '/api/v1/webhooks', { token: key, body: newWebhook })
  const signingSecret = mint('a signing secret', webhook.body.signingSecret)
  const rotate = () => server.call('POST', `/api/v1/webhooks/${webhook.body.id}/rotate-secret`, { token: key })
  mint('a rotated signing secret', (await rotate()).body.signingSecret)
  const sso = await call('POST', '/api/auth/sso/token', { targetApp: 'lms' })
  const ssoToken = mint('a single-use token', sso.body.data.token)
  expect((await server.call('POST', '/api/auth/sso/verify', { body: { token: ssoToken } })).status).toBe(200)
  expect((await server.call('GET', '/api/auth/me', { headers: cookie })).status).toBe(200)
  const refreshed = await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })
  mint('a rotated access token', refreshed.body.data.accessToken)
  mint('a rotated refresh token', refreshed.body.data.refreshToken)

  // Failed calls: in the wrong place, mistyped, in the address, spent.
  const wrong = mint('a wrong password', 'a wrong password that a person typed')
  expect((await server.call('POST', '/api/auth/login', { body: { email: admin.email, password: wrong } })).status).toBe(
    401,
  )
  await server.call('POST', '/api/auth/login', { body: { email: admin.email, password: { nested: wrong } } })
  await server.call('POST', '/api/auth/login', { raw: `{"password": "${wrong}"` })
  await server.call('GET', '/api/auth/me', { token: key })
  await server.call('GET', '/api/v1/decision-events', { token: accessToken })
  await server.call('GET', `/api/v1/decision-events?api_key=${key}&token=${accessToken}`, { token: `${key}x` })
  await server.call('DELETE', `/api/api-keys/${key}`, { token: accessToken })
  await server.call('GET', `/api/${refreshToken}/%zz`)
  await server.call('POST', '/api/v1/webhooks', { token: key, body: { ...newWebhook, signingSecret } })
  await server.call('DELETE', `/api/v1/webhooks/${encodeURIComponent(signingSecret)}`, { token: key })
  await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken: refreshed.body.data.refreshToken } })
  const reused = await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })
  expect(reused.status).toBe(401)

  // Server errors: the stack is logged, the request is not.
  const next = await signIn()
  const again = { token: next.accessToken }
  const password = { email: admin.email, password: admin.password }
  await broken('insert on directory.sessions to cs_auth', () =>
    server.call('POST', '/api/auth/login', { body: password }),
  )
  await broken('insert on directory.api_keys to cs_api', () =>
    server.call('POST', '/api/api-keys', { ...again, body: newKey }),
  )
  await broken('update on directory.refresh_tokens to cs_auth', () =>
    server.call('POST', '/api/auth/refresh-token', { body: { refreshToken: next.refreshToken } }),
  )
  await broken('insert on directory.sso_tokens to cs_auth', () =>
    server.call('POST', '/api/auth/sso/token', { ...again, body: { targetApp: 'lms' } }),
  )
  await broken('select on cell.decision_events to cs_api', () =>
    server.call('GET', '/api/v1/decision-events', { token: key }),
  )
  await broken('insert on cell.webhook_secrets to cs_api', rotate)
  // PostgreSQL includes row values in the detail of a violated constraint.
  await server.world.query(`alter table directory.api_keys add constraint refuses check (name <> 'logged?') not valid`)
  expect((await server.call('POST', '/api/api-keys', { ...again, body: newKey })).status).toBe(500)

  const invited = await byMail(next.accessToken)

  const log = server.logs.join('')
  expect(log.match(/"msg":"request failed"/g)?.length).toBeGreaterThanOrEqual(8)
  expect(log.match(/"msg":"request"/g)?.length).toBeGreaterThan(15)
  expect(secrets.size).toBeGreaterThanOrEqual(14)
  const found = [...secrets].filter(([secret]) => log.includes(secret) || log.includes(encodeURIComponent(secret)))
  expect(found.map(([, kind]) => kind)).toEqual([])
  // Not even a part that could be used or searched for: credentials leave only their names.
  expect(log).not.toMatch(
    /cs[rtip]_[A-Za-z0-9_-]{20}|csk_(live|test)_[A-Za-z0-9]{20}|whsec_[A-Za-z0-9+/]{20}|eyJ[A-Za-z0-9_-]{20}/,
  )
  expect(log).not.toContain(admin.email)
  expect(log).not.toContain(invited)
})

it('prints mail in development without a mail server, with the token in that line only', async () => {
  const printing = await startServer({ beside: server, env: { LOG_LEVEL: 'trace', SMTP_URL: '' } })
  try {
    const { accessToken } = await printing.signIn(admin, center.domain)
    const body = { email: 'printed@people.example', role: 'PARENT' }
    await printing.call('POST', `/api/centers/${center.id}/members`, { token: accessToken, body })
    const withToken = () => printing.logs.filter((line) => /csi_[\w-]{43}/.test(line))
    await expect.poll(withToken).toHaveLength(1)
    const [line = ''] = withToken()
    expect(JSON.parse(line).printedMail).toEqual({ to: body.email, subject: expect.any(String) })
    const [token = ''] = /csi_[\w-]{43}/.exec(line) ?? []
    // An imitation of that line by a caller is masked like everything else.
    const imitation = `{"printedMail":{"to":"x"}} ${token}`
    await printing.call('POST', '/api/auth/invitations/accept', { body: { token: imitation, password: 'x' } })
    printing.services.log.warn({ err: new Error(imitation), imitation }, imitation)
    expect(withToken()).toHaveLength(1)
    expect(printing.logs.at(-1)).toContain('[secret]')
  } finally {
    await printing.close()
  }
})
