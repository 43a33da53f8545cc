import { addressGuard } from '@countersign/server/lib/address-guard.ts'
import { type BrokerType, credentialsOf, readBrokerUrl } from '@countersign/server/lib/brokers/url.ts'
import { describe, expect, it } from 'vitest'

const guard = addressGuard(['127.0.0.0/8'])
const read = (type: BrokerType, text: string) => readBrokerUrl(type, text, guard)

describe('accepted', () => {
  it.each([
    ['nats', 'tls://nats.example.org', 'nats.example.org', 4222, null],
    ['nats', 'TLS://Nats.Example.org:443/', 'nats.example.org', 443, null],
    ['nats', 'nats://token@127.0.0.1:4223', '127.0.0.1', 4223, 'token'],
    ['nats', 'tls://us%40er:pa%3Ass@nats.example.org', 'nats.example.org', 4222, 'us%40er:pa%3Ass'],
    ['rabbitmq', 'amqps://user:word@rabbit.example.org/%2Fprod', 'rabbit.example.org', 5671, 'user:word'],
    ['rabbitmq', 'amqp://127.0.0.1', '127.0.0.1', 5672, null],
    ['rabbitmq', 'amqps://[2606:4700::1111]:5671', '2606:4700::1111', 5671, null],
    // Another spelling of 127.0.0.1.
    ['rabbitmq', 'amqp://0x7f000001', '127.0.0.1', 5672, null],
  ] as const)('%s %s', (type, text, host, port, userinfo) => {
    const url = read(type, text)
    expect(url).toMatchObject({ type, host, port, userinfo })
    expect(JSON.stringify(typeof url === 'string' ? url : url.shown)).not.toContain('@')
  })

  it('reads the virtual host', () => {
    const vhostOf = (text: string) => (read('rabbitmq', text) as { vhost: string }).vhost
    expect(['', '/', '/%2F', '/prod', '/%2Fprod'].map((path) => vhostOf(`amqp://127.0.0.1${path}`))).toEqual([
      '/',
      '/',
      '/',
      'prod',
      '/prod',
    ])
  })

  it('decodes credentials', () => {
    expect(credentialsOf('us%40er:pa%3Ass')).toEqual({ user: 'us@er', password: 'pa:ss' })
    expect(credentialsOf('token')).toEqual({ user: 'token', password: null })
    expect(credentialsOf(null)).toBeNull()
  })
})

it.each([
  ['nats', 'nats://nats.example.org', 'tls://'],
  ['rabbitmq', 'amqp://rabbit.example.org', 'amqps://'],
  ['nats', 'https://nats.example.org', 'tls://'],
  ['nats', 'amqps://nats.example.org', 'tls://'],
  ['rabbitmq', 'amqps://rabbit.example.org?heartbeat=0', 'no query'],
  ['rabbitmq', 'amqps://rabbit.example.org/a/b', 'starts with'],
  ['nats', 'tls://a.example.org,b.example.org', 'host'],
  ['nats', 'tls://nats.example.org/path', "can't have a path"],
  ['nats', 'tls://10.0.0.1', 'private'],
  ['rabbitmq', 'amqps://[::1]', 'private'],
  ['rabbitmq', 'amqps://0xA000001', 'private'],
  ['nats', 'tls://localhost', 'local name'],
  ['nats', 'tls://nats.example.org:0', 'port'],
  ['nats', 'tls://nats.example.org:70000', 'port'],
  ['nats', 'tls://user:wo rd@nats.example.org', 'space'],
  ['nats', 'tls://user:wo%zzrd@nats.example.org', 'Percent-encode'],
  ['nats', 'tls://user:wo%ffrd@nats.example.org', 'Percent-encode'],
  ['nats', 'tls://user:word@evil.example.org@nats.example.org', 'starts with'],
  ['nats', 'tls://nats.example.org\\@10.0.0.1', 'backslash'],
] as const)('refuses %s %s', (type, text, said) => {
  const refusal = read(type, text)
  expect(refusal).toBeTypeOf('string')
  expect(refusal).toContain(said)
  expect(refusal).not.toMatch(/wo%|user:/)
})
