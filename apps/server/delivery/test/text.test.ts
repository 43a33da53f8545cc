/** Text messages by both providers, which check the signatures. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTextProvider, type TextBox } from '../../../../tests/support/text-provider.ts'
import { textAccount } from '../../config/text-account.ts'
import { useClock } from '../../lib/clock.ts'
import { type Outbound, openOutbound } from '../../lib/outbound-http.ts'
import { outcomeOf } from '../outcome.ts'
import { text } from '../transports/text.ts'

let box: TextBox
let outbound: Outbound

beforeAll(async () => {
  box = await openTextProvider()
  outbound = openOutbound({ allowedNetworks: ['127.0.0.0/8'], dnsServers: [], connectionsPerOrigin: 2 })
})
afterAll(async () => {
  await outbound.close()
  await box.close()
})

const to = '+821012345678'
function by(provider: 'sens' | 'solapi', change: (url: string) => string = (url) => url) {
  const account = textAccount(change(provider === 'sens' ? box.sensUrl : box.solapiUrl))
  if (account === null) throw new Error('no account')
  const config = { text: { account: () => account, from: '0212345678' } }
  const transport = text({ config, outbound } as never)
  if (!transport) throw new Error('no transport')
  return transport
}
const outcome = async (provider: 'sens' | 'solapi', words: string, change?: (url: string) => string) => {
  const transport = by(provider, change)
  return outcomeOf(await transport.send(to, { text: words }), transport.rules, 1, new Date())
}

describe.each(['sens', 'solapi'] as const)('%s', (provider) => {
  it('accepts what is signed with its secret, for the domestic number', async () => {
    expect(await outcome(provider, '인증번호 482913')).toEqual({ kind: 'delivered' })
    expect(box.messages.at(-1)).toMatchObject({
      ...{ provider, from: '0212345678', to: '01012345678', text: '인증번호 482913' },
    })
  })

  it('refuses another secret, and the message is given up', async () => {
    const before = box.messages.length
    const wrong = (url: string) => url.replace('secret', 'guess')
    expect(await outcome(provider, 'x', wrong)).toMatchObject({ kind: 'given_up' })
    expect(box.messages).toHaveLength(before)
  })

  it('is tried again soon where it has no time, and its number where it has', async () => {
    box.refusing = 503
    const later = await outcome(provider, 'x')
    box.refusing = null
    expect(later.kind).toBe('later')
  })

  it('reaches Korean numbers only', () => {
    expect(by(provider).refusalOf?.('+15551234567')).toMatch(/Korean/)
    expect(by(provider).refusalOf?.(to)).toBeNull()
  })
})

it('SENS takes 90 bytes as SMS and more as LMS, and refuses a time that is off', async () => {
  expect((await outcome('sens', '가'.repeat(45))).kind).toBe('delivered')
  expect(box.messages.at(-1)?.type).toBe('SMS')
  expect((await outcome('sens', `${'가'.repeat(45)}a`)).kind).toBe('delivered')
  expect(box.messages.at(-1)?.type).toBe('LMS')
  const restore = useClock(() => Date.now() - 6 * 60_000)
  const late = await outcome('sens', 'x').finally(restore)
  expect(late.kind).toBe('given_up')
})

it.each([
  'sens://key:secret@sens.apigw.ntruss.com',
  'solapi://key:secret@api.solapi.com/service',
  'solapi://key@api.solapi.com',
  'https://key:secret@api.solapi.com',
  'solapi://key:%zz@api.solapi.com',
])('%s is no account', (url) => {
  expect(textAccount(url)).toBeNull()
})
