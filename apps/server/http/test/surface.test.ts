import { type ErrorCode, errorCodes, PlatformError, ProofError } from '@countersign/contract/errors.ts'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../lib/problem.ts'
import { renderProblem, surfaceOf } from '../surface.ts'
import { bodyAjv } from '../validation.ts'

describe('the path alone decides the surface', () => {
  it.each([
    ['/api/v1', 'proof'],
    ['/api/v1/', 'proof'],
    ['/api/v1?x=1', 'proof'],
    ['/api/v1/decision-events?limit=1', 'proof'],
    ['/api/v1/nothing/here', 'proof'],
    ['http://elsewhere.example/api/v1/decision-events', 'proof'],
    ['HTTPS://elsewhere.example:8443/api/auth/me', 'platform'],
    ['/api', 'platform'],
    ['/api/', 'platform'],
    ['/api?next=/api/v1/', 'platform'],
    ['/api/v10/x', 'platform'],
    ['/api/v1x', 'platform'],
    ['/api/auth/login', 'platform'],
    ['/apiary', 'root'],
    ['/', 'root'],
    ['/docs?x=/api/v1/', 'root'],
    ['/x/api/v1/', 'root'],
    ['//api/v1/', 'root'],
    ['*', 'root'],
    ['', 'root'],
  ])('%s is %s', (url, surface) => {
    expect(surfaceOf(url)).toBe(surface)
  })
})

describe('an error is rendered', () => {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  const isProofError = bodyAjv.compile(ProofError)
  const isPlatformError = bodyAjv.compile(PlatformError)

  it.each(codes)('in the format and with a code and status of its surface: %s', (code) => {
    for (const surface of ['platform', 'root', 'proof'] as const) {
      const table = surface === 'proof' ? 'proof' : 'platform'
      const { status, body } = renderProblem(surface, new Problem(code, 'What happened.'), 'req_1')
      expect((surface === 'proof' ? isProofError : isPlatformError)(body)).toBe(true)
      const { error } = body as { error: { code: ErrorCode; message: string } }
      expect(error.message).toBe('What happened.')
      expect(errorCodes[error.code][table]).toBe(status)
      if (errorCodes[code][table] !== null) expect(error.code).toBe(code)
    }
  })

  it('with the request id and the details on /api/v1, an empty object without details', () => {
    const bare = renderProblem('proof', new Problem('NOT_FOUND', 'No.'), 'req_7')
    expect(bare.body).toEqual({ error: { code: 'NOT_FOUND', message: 'No.', requestId: 'req_7', details: {} } })
    const full = renderProblem('proof', new Problem('POLICY_VIOLATION', 'No.', { details: { policyId: 'p' } }), 'req_8')
    expect(full).toMatchObject({ status: 422, body: { error: { details: { policyId: 'p' } } } })
  })

  it('with code and message on the platform, and with details where there are some', () => {
    const bare = renderProblem('platform', new Problem('CONFLICT', 'No.'), 'req_7')
    expect(bare.body).toEqual({ success: false, error: { code: 'CONFLICT', message: 'No.' } })
    const full = renderProblem('platform', new Problem('CONFLICT', 'No.', { details: { inner: 1 } }), 'req_7')
    expect(full.body).toEqual({ success: false, error: { code: 'CONFLICT', message: 'No.', details: { inner: 1 } } })
  })

  it('as the nearest code where the surface lacks it', () => {
    const seen = (surface: 'platform' | 'proof', code: ErrorCode) => {
      const { status, body } = renderProblem(surface, new Problem(code, 'x'), 'r')
      return [status, (body as { error: { code: string } }).error.code]
    }
    expect(seen('proof', 'RATE_LIMITED')).toEqual([429, 'RATE_LIMIT'])
    expect(seen('platform', 'RATE_LIMIT')).toEqual([429, 'RATE_LIMITED'])
    expect(seen('platform', 'BAD_REQUEST')).toEqual([400, 'VALIDATION_ERROR'])
    expect(seen('proof', 'DATABASE_ERROR')).toEqual([500, 'INTERNAL_ERROR'])
    expect(seen('proof', 'TOKEN_EXPIRED')).toEqual([500, 'INTERNAL_ERROR'])
  })

  it('with its own status where one is given', () => {
    const tooLarge = new Problem('BAD_REQUEST', 'x', { status: 413 })
    expect(renderProblem('proof', tooLarge, 'r')).toMatchObject({
      status: 413,
      body: { error: { code: 'BAD_REQUEST' } },
    })
    expect(renderProblem('platform', tooLarge, 'r')).toMatchObject({
      status: 413,
      body: { error: { code: 'VALIDATION_ERROR' } },
    })
  })
})
