import { describe, expect, it } from 'vitest'
import { newApiKey } from '../../access/api-key-format.ts'
import { newToken, type TokenPrefix, tokenPrefixes } from '../../access/opaque-token.ts'
import { makeLog } from '../log.ts'

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhY3RvciJ9.c2lnbmF0dXJl-_'
const secrets = {
  'an API key': newApiKey('live'),
  'a test key': newApiKey('test'),
  ...Object.fromEntries(
    Object.entries(tokenPrefixes).map(([prefix, purpose]) => [`a token: ${purpose}`, newToken(prefix as TokenPrefix)]),
  ),
  'an access token': jwt,
  'a signing secret': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/==',
}

function logged(write: (log: ReturnType<typeof makeLog>) => void): string {
  const lines: string[] = []
  write(makeLog({ logLevel: 'trace' }, { write: (line) => void lines.push(line) }))
  expect(lines).toHaveLength(1)
  const line = lines[0] as string
  expect(() => JSON.parse(line)).not.toThrow()
  return line
}

describe.each(Object.entries(secrets))('%s is not logged', (_, secret) => {
  const tail = secret.slice(-12)
  const causes = new Error('outer', { cause: new Error(`inner ${secret}`) })

  it.each<[string, (log: ReturnType<typeof makeLog>) => void]>([
    ['in a message', (log) => log.info(`sent ${secret} to the client`)],
    ['after a line break', (log) => log.info(`sent\n${secret}\nand "${secret}"`)],
    ['in a message with a placeholder', (log) => log.info('sent %s', secret)],
    ['in a message beside an object', (log) => log.warn({ a: 1 }, `sent ${secret}`)],
    ['in an error', (log) => log.error({ err: new Error(`bad "${secret}".`) }, 'failed')],
    ['in the cause of an error', (log) => log.error({ err: causes }, 'failed')],
    ['as an error alone', (log) => log.error(new Error(`bad ${secret}`))],
    ['in a field of any name', (log) => log.info({ whatever: secret }, 'x')],
    ['in a nested field', (log) => log.info({ request: { url: `/x?token=${secret}` } }, 'x')],
    ['in a list', (log) => log.info({ args: ['a', secret] }, 'x')],
    ['in a child logger', (log) => log.child({ seen: secret }).info('x')],
  ])('%s', (_where, write) => {
    const line = logged(write)
    expect(line).not.toContain(secret)
    expect(line).not.toContain(tail)
    expect(line).toContain('[secret]')
  })
})

describe('a field with the name of a secret is not logged', () => {
  it.each([
    [{ password: 'correct horse' }],
    [{ body: { password: 'correct horse' } }],
    [{ token: 'correct horse' }],
    [{ refreshToken: 'correct horse' }],
    [{ accessToken: 'correct horse' }],
    [{ key: 'correct horse' }],
    [{ authorization: 'Basic correct horse' }],
    [{ headers: { authorization: 'Basic correct horse', cookie: 'auth_token=correct horse' } }],
    [{ cookie: 'correct horse' }],
  ])('%j', (fields) => {
    const line = logged((log) => log.info(fields, 'x'))
    expect(line).not.toContain('correct horse')
    expect(line).toContain('[secret]')
  })
})

it('everything else is logged, with the stack of an error', () => {
  const line = JSON.parse(
    logged((log) => log.error({ err: new TypeError('bad number'), requestId: 'req_1' }, 'failed')),
  )
  expect(line).toMatchObject({ msg: 'failed', requestId: 'req_1', err: { type: 'TypeError', message: 'bad number' } })
  expect(line.err.stack).toContain('log.test.ts')
})
