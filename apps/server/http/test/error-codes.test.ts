/** Every error code of the platform occurs in practice: a named test shows each one. */
import { randomBytes } from 'node:crypto'
import { type ErrorCode, errorCodes } from '@countersign/contract/errors.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { read } from '../../../../tests/docs/blocks.ts'
import type { Answer } from '../../../../tests/support/contract-check.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { openWire } from '../../../../tests/support/tcp-proxy.ts'

const here = 'apps/server/http/test/error-codes.test.ts'

/** The file in which a real server answers with the code, in a test or a group of tests whose title names it. */
const shownBy: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'apps/server/features/identity/auth/test/me.test.ts',
  TOKEN_EXPIRED: 'apps/server/features/identity/auth/test/me.test.ts',
  INVALID_CREDENTIALS: 'apps/server/features/identity/auth/test/login.test.ts',
  FORBIDDEN: 'apps/server/features/identity/auth/test/cookie-session.test.ts',
  NO_MEMBERSHIP: 'apps/server/features/identity/auth/test/login.test.ts',
  MEMBERSHIP_SUSPENDED: 'apps/server/features/identity/api-keys/test/list.test.ts',
  MEMBERSHIP_ENDED: here,
  INSUFFICIENT_ROLE: 'apps/server/features/identity/api-keys/test/create.test.ts',
  CENTER_NOT_FOUND: 'apps/server/features/identity/auth/test/login.test.ts',
  CENTER_SUSPENDED: 'apps/server/features/identity/auth/test/login.test.ts',
  NOT_FOUND: 'apps/server/features/identity/api-keys/test/revoke.test.ts',
  METHOD_NOT_ALLOWED: 'apps/server/http/test/unknown.test.ts',
  CONFLICT: 'apps/server/features/identity/api-keys/test/create.test.ts',
  SUBDOMAIN_TAKEN: 'apps/server/features/centers/provisioning/test/provision.test.ts',
  PROVISIONING_FAILED: 'apps/server/features/centers/provisioning/test/provision.test.ts',
  DUPLICATE_PROVISIONING: 'apps/server/features/centers/provisioning/test/provision.test.ts',
  VALIDATION_ERROR: here,
  INVALID_EMAIL: here,
  INVALID_SUBDOMAIN: 'apps/server/features/centers/provisioning/test/plans.test.ts',
  MISSING_REQUIRED_FIELD: 'apps/server/features/identity/account-recovery/test/account-recovery.test.ts',
  RATE_LIMITED: 'apps/server/features/identity/auth/test/login-limit.test.ts',
  INTERNAL_ERROR: here,
  SERVICE_UNAVAILABLE: here,
  DATABASE_ERROR: here,
  DPU_NOT_FOUND: 'apps/server/features/evidence/dpu/test/update.test.ts',
  DPU_SEALED: 'apps/server/features/evidence/dpu/test/update.test.ts',
  CHAIN_BROKEN: 'apps/server/features/evidence/dpu/test/broken.test.ts',
  INVALID_EVIDENCE_LEVEL: 'apps/server/features/evidence/dpu/test/update.test.ts',
  POLICY_VIOLATION: 'apps/server/features/evidence/dpu/test/update.test.ts',
}

const codes = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => errorCodes[code].platform !== null)

describe('every code of the platform', () => {
  it('is listed with the file of its test', () => {
    expect(Object.keys(shownBy).toSorted()).toEqual(codes.toSorted())
  })

  it.each(Object.entries(shownBy))('%s is named by a test in %s', (code, file) => {
    const titles = read(file).match(/^ *(it|describe)\b.*|^ *'\d{3} .*/gm) ?? []
    expect(titles.filter((title) => new RegExp(`\\b${code}\\b`).test(title))).not.toEqual([])
  })
})

describe('error codes of a running server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  const shown = ({ status, body }: Answer) => [status, body.success, body.error?.code]
  const login = (body: object, at = server) => at.call('POST', '/api/auth/login', { body })

  it('403 MEMBERSHIP_ENDED for entering a center that the person has left', async () => {
    const center = await server.world.center()
    const { actorId, ...person } = await server.world.person()
    await server.world.member({ actorId, ...person }, center, 'CHILD', 'ENDED')
    expect(shown(await login({ ...person, centerDomain: center.domain }))).toEqual([403, false, 'MEMBERSHIP_ENDED'])
  })

  it('400 VALIDATION_ERROR for a value of another type', async () => {
    expect(shown(await login({ email: 'a@people.example', password: 1 }))).toEqual([400, false, 'VALIDATION_ERROR'])
  })

  it('400 INVALID_EMAIL for a malformed email address', async () => {
    expect(shown(await login({ email: 'not-an-address', password: 'a password' }))).toEqual([
      400,
      false,
      'INVALID_EMAIL',
    ])
  })

  it('500 INTERNAL_ERROR for a misconfigured server, such as one with another SECRET_KEY', async () => {
    const { actorId: _, ...person } = await server.world.person()
    expect((await login(person)).status).toBe(200)
    const odd = await startServer({ beside: server, env: { SECRET_KEY: randomBytes(32).toString('base64') } })
    try {
      expect(shown(await login(person, odd))).toEqual([500, false, 'INTERNAL_ERROR'])
    } finally {
      await odd.close()
    }
  })

  it('500 DATABASE_ERROR when the database refuses a statement, and success once it no longer does', async () => {
    const center = await server.world.center()
    const admin = await server.world.person()
    await server.world.member(admin, center)
    const { accessToken: token } = await server.signIn(admin)
    const list = () => server.call('GET', '/api/api-keys', { token })
    await server.world.query('revoke select on directory.api_keys from cs_api')
    try {
      expect(shown(await list())).toEqual([500, false, 'DATABASE_ERROR'])
    } finally {
      await server.world.query('grant select on directory.api_keys to cs_api')
    }
    expect((await list()).status).toBe(200)
  })

  it('503 SERVICE_UNAVAILABLE with Retry-After while the database cannot be reached', async () => {
    const wire = await openWire(server.services.config.databaseUrl)
    const cutOff = await startServer({ beside: server, env: { DATABASE_URL: wire.url, CELLS: '' } })
    try {
      await wire.cut()
      const answer = await login({ email: 'a@people.example', password: 'a password' }, cutOff)
      expect(shown(answer)).toEqual([503, false, 'SERVICE_UNAVAILABLE'])
      expect(answer.headers.get('retry-after')).toBe('1')
    } finally {
      await wire.mend()
      await cutOff.close()
      await wire.close()
    }
  })
})
