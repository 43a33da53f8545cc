/** Recording: refusals. */
import { beforeAll, describe, expect, it } from 'vitest'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import type { EventFixture } from './fixture.ts'

const path = '/api/v1/decision-events'

export function recordRefusalCases(fixture: () => EventFixture, home?: string): void {
  let token: string
  const server = () => fixture().server

  beforeAll(async () => {
    token = await server().world.key(await fixture().newCenter({ cell: home }))
  })

  const record = (body: unknown) => server().call('POST', path, { token, body })

  describe('422 VALIDATION_ERROR', () => {
    it.each([
      ['no type', { type: undefined }, 'type'],
      ['unknown type', { type: 'guess' }, 'type'],
      ['no actor id', { actor: { type: 'human' } }, 'actor.id'],
      ['unknown actor type', { actor: { id: 'a', type: 'robot' } }, 'actor.type'],
      ['no action type', { action: {} }, 'action.type'],
      ['input that is not an object', { action: { type: 't', input: 'text' } }, 'action.input'],
      ['confidence above 1', { aiContext: { confidence: 1.01 } }, 'aiContext.confidence'],
      ['confidence below 0', { aiContext: { confidence: -0.01 } }, 'aiContext.confidence'],
      ['51 tags', { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, 'tags'],
      ['a tag of 65 characters', { tags: ['x'.repeat(65)] }, 'tags.0'],
      ['an empty tag', { tags: [''] }, 'tags.0'],
      ['an idempotencyKey of 256', { idempotencyKey: 'x'.repeat(256) }, 'idempotencyKey'],
      ['a string of 10,001', { actor: { id: 'x'.repeat(10_001), type: 'human' } }, 'actor.id'],
      ['reasoning of 50,001', { aiContext: { reasoning: 'x'.repeat(50_001) } }, 'aiContext.reasoning'],
      ['a time that does not exist', { occurredAt: '2026-02-30T00:00:00Z' }, 'occurredAt'],
      ['the year 0', { occurredAt: '0000-01-01T00:00:00Z' }, 'occurredAt'],
      ['a time in 2999', { occurredAt: '2999-01-01T00:00:00Z' }, 'occurredAt'],
      ['a time 25 hours ahead', { occurredAt: new Date(Date.now() + 25 * 3600 * 1000).toISOString() }, 'occurredAt'],
      ['a leap second', { occurredAt: '2016-12-31T23:59:60Z' }, 'occurredAt'],
      ['an unknown field', { chainHash: 'x' }, 'chainHash'],
    ])('%s', async (_, change, where) => {
      const { status, body } = await record(sampleEvent(change))
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
      expect(body.error.details.issues.map((issue: { path: string }) => issue.path)).toContain(where)
    })

    const withInput = (json: string) =>
      `{"type":"custom","actor":{"id":"a","type":"human"},"action":{"type":"t","input":{"v":${json}}}}`

    it.each(['9007199254740993', '0.1234567890123456789', '1e400', '123456789012345678901234567890'])(
      'a number that a double changes: %s',
      async (number) => {
        const { status, body } = await server().call('POST', path, { token, raw: withInput(number) })
        expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
      },
    )

    it.each([
      '1.0',
      '1e2',
      '0.1',
      '-0',
      '9007199254740992',
      '1.7976931348623157e308',
      '0.30000000000000004',
      '100000000000000000000',
    ])('accepts %s', async (number) => {
      const { status } = await server().call('POST', path, { token, raw: withInput(number) })
      expect(status).toBe(201)
    })

    it.each([
      ['a duplicate key', '{"k":1,"k":2}'],
      ['a lone surrogate', '"\\ud800"'],
      ['NUL', '"a\\u0000b"'],
      ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`],
      ['__proto__', '{"__proto__":{"admin":true}}'],
    ])('%s', async (_, json) => {
      const { status, body } = await server().call('POST', path, { token, raw: withInput(json) })
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    })
  })

  describe('400 BAD_REQUEST and 413', () => {
    it.each(['{', '{"a":}', 'nope', '[1,]', '{"a":1}}'])('unparsable: %s', async (raw) => {
      const { status, body } = await server().call('POST', path, { token, raw })
      expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
    })

    it('bytes that are not UTF-8', async () => {
      const { status, body } = await server().call('POST', path, { token, raw: new Uint8Array([0x22, 0xff, 0x22]) })
      expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
    })

    it('a body over 1 MiB', async () => {
      const { status, body } = await record(
        sampleEvent({ action: { type: 't', input: { big: 'x'.repeat(1024 * 1024) } } }),
      )
      expect([status, body.error.code]).toEqual([413, 'BAD_REQUEST'])
    })

    it('another content type', async () => {
      const { status, body } = await server().call('POST', path, {
        token,
        raw: 'a=b',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
    })
  })
}
