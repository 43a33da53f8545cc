import { describe, expect, it } from 'vitest'
import { addressGuard } from '../address-guard.ts'

const words = (text: string) => text.trim().split(/\s+/)

describe('without allowed networks', () => {
  const guard = addressGuard([])

  it.each(
    words(`8.8.8.8 1.1.1.1 93.184.216.34 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
      169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0 198.17.255.255
      198.20.0.0 223.255.255.255 168.63.129.15 ::ffff:8.8.8.8 2606:4700:4700::1111 2a00:1450:4001:80b::200e
      2001:4860:4860::8888 2001:200::1 2003::1 2600::5eff:a00:1`),
  )('%s is public', (ip) => {
    expect(guard.allows(ip)).toBe(true)
  })

  it.each(
    words(`0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.255 168.63.129.16 169.254.169.254
      172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1
      203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::8.8.8.8 ::ffff:127.0.0.1
      ::ffff:a9fe:a9fe ::ffff:0:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::8.8.8.8 100::1 2001::1 2001:2::1
      2001:10::1 2001:20::1 2001:db8::1 2002:808:808::1 2002:7f00:1::1 2600::5efe:a00:1 3fff::1 4000::1 5f00::1 fc00::1
      fd00:ec2::254 fe80::1 fe80::1%eth0 2606:4700::1%eth0 fec0::1 ff02::1 f000::1`),
  )('%s is not allowed', (ip) => {
    expect(guard.allows(ip)).toBe(false)
  })

  it.each([
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f.1',
    '010.0.0.1',
    '[::1]',
    '8.8.8.8/32',
    ' 8.8.8.8',
    '8.8.8.8 ',
  ])('"%s" is not an address', (text) => {
    expect(guard.allows(text)).toBe(false)
  })

  it.each([
    'https://hooks.example.com',
    'https://hooks.example.com.',
    'HTTPS://Hooks.Example.COM/Path',
    'https://hooks.example.com:8443/a/b?center=7&x=%20',
    'https://bücher.example/',
    'https://127.0.0.1.nip.io/',
    'https://my_hooks.example.com/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]:444/',
    `https://hooks.example.com/${'a'.repeat(2048 - 'https://hooks.example.com/'.length)}`,
  ])('%s may be registered', (url) => {
    expect(guard.refusalOfUrl(url)).toBeNull()
  })

  it.each([
    ['http://hooks.example.com/', 'https://'],
    ['http://8.8.8.8/', 'https://'],
    ['hooks.example.com', 'https://'],
    ['https://me@hooks.example.com/', 'user name'],
    ['https://hooks.example.com/#a', 'fragment'],
    ['https://hooks.example.com:0/', 'Port 0'],
    ['https://hooks.example.com:99999/', 'port'],
    ['https://hooks.example.com/a b', 'space'],
    ['https://10.0.0.1/', 'private'],
    ['http://127.0.0.1:8080/', 'ask the operator to allow'],
    ['http://localhost:8080/', 'ask the operator to allow'],
    ['https://[fd00::1]/', 'ask the operator to allow'],
    ['https://intranet/', 'local name'],
    ['https://localhost./', 'local name'],
    ['https://api.internal/', 'local name'],
    ['https://a..example.com/', 'valid name'],
    [`https://hooks.example.com/${'a'.repeat(2048)}`, '2048'],
  ])('%s is refused with a message that says why', (url, why) => {
    const refusal = guard.refusalOfUrl(url)
    expect(refusal).toContain(why)
    expect(refusal).toMatch(/^[A-Z].*\.$/)
  })
})

describe('with allowed networks', () => {
  const guard = addressGuard(['10.1.0.0/16', '127.0.0.2/32', 'fd00:1::/32', '::ffff:192.168.7.0/120'])

  it.each(
    words('10.1.2.3 ::ffff:10.1.2.3 ::ffff:a01:203 127.0.0.2 fd00:1::9 192.168.7.9 ::ffff:192.168.7.9 8.8.8.8 2600::1'),
  )('%s is allowed', (ip) => {
    expect(guard.allows(ip)).toBe(true)
  })

  it.each(
    words(
      '10.2.0.1 127.0.0.1 127.0.0.3 fd00:2::1 192.168.8.1 ::10.1.2.3 2002:a01:203::1 64:ff9b::10.1.2.3 fd00:1::1%lo',
    ),
  )('%s is not allowed', (ip) => {
    expect(guard.allows(ip)).toBe(false)
  })

  it('http is allowed for an address in an allowed network only', () => {
    expect(guard.refusalOfUrl('http://10.1.2.3:8080/')).toBeNull()
    expect(guard.refusalOfUrl('http://[::ffff:10.1.2.3]/')).toBeNull()
    expect(guard.refusalOfUrl('http://[fd00:1::9]:80/')).toBeNull()
    expect(guard.refusalOfUrl('http://0x7f.2/')).toBeNull()
    expect(guard.refusalOfUrl('https://10.1.2.3/')).toBeNull()
    expect(guard.refusalOfUrl('http://10.2.0.1/')).not.toBeNull()
    expect(guard.refusalOfUrl('http://8.8.8.8/')).not.toBeNull()
    expect(guard.refusalOfUrl('http://hooks.example.com/')).not.toBeNull()
  })
})

it.each(['10.0.0.0', '10.0.0.0/33', 'example.com/8', '/8', '', '::1/129'])('"%s" is not a network', (text) => {
  expect(() => addressGuard([text])).toThrow('is not a network')
})
