/** URLs that lead, or try to lead, into a private network: a fixed list, and generators. */
import fc from 'fast-check'

const hosts = `
  127.0.0.1 127.0.0.2 127.1 127.0.1 127.1.2.3 127.255.255.254 2130706433 0x7f000001 0x7F.1 0x7f.0.0.1 0x7f.0x0.0x0.0x1
  0177.0.0.1 0177.0.0.01 017700000001 0177.1 0x7f.0.1 127.0x1 127.0.0x0.1 00177.0.0.1 0000000177.0.0.1 127.0.0.1.
  2130706434 127.000.000.001 0x0000007f000001 0X7F.0X0.0X0.0X1 127.0.0.1%2e %31%32%37.0.0.1 %31%32%37%2e%30%2e%30%2e%31
  127%2e0%2e0%2e1 １２７.０.０.１ １２７。０。０。１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 ①②⑦.⓪.⓪.① １２７.1 ０x7f.1 ⑯⑨.254.169.254
  0 0.0.0.0 0.0.0.1 0x0 00 0.1.2.3 0.255.255.255 10.0.0.0 10.0.0.1 10.255.255.255 167772161 0xa000001 012.0.0.1 10.1
  172.16.0.1 172.31.255.255 172.20.10.2 2886729729 0xac100001 172.1048577 192.168.0.1 192.168.1.1 192.168.255.255
  3232235777 0xc0a80101 0300.0250.1.1 192.168.257 192.11010305 169.254.169.254 169.254.170.2 169.254.0.1 2852039166
  0xa9fea9fe 0251.0376.0251.0376 169.16689662 169.254.43518 0xa9.0xfe.0xa9.0xfe 169.254.169.254. 168.63.129.16
  0xa83f8110 2822734096 100.64.0.1 100.100.100.200 100.127.255.254 1681915904 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1
  198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1 250.1.2.3 255.255.255.255
  4294967295 0xffffffff 037777777777 192.31.196.1 192.52.193.1 192.175.48.1
  [::1] [::] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [0::1] [::0:1] [::0.0.0.1] [0:0::0:1]
  [::127.0.0.1] [::7f00:1] [::7F00:0001] [::10.0.0.1] [::a9fe:a9fe] [::8.8.8.8] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [::FFFF:7F00:1] [0:0:0:0:0:ffff:127.0.0.1] [0:0:0:0:0:FFFF:7F00:0001] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1]
  [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::ffff:10.1.2.3] [::ffff:192.168.0.1] [::ffff:100.64.0.1] [::ffff:0.0.0.0]
  [::ffff:168.63.129.16] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [64:ff9b::a9fe:a9fe]
  [64:ff9b:1::127.0.0.1] [64:ff9b:1::a00:1] [64:ff9b:1:ffff::1] [2002:7f00:1::] [2002:7f00:1::1] [2002:a00:1::1]
  [2002:c0a8:101::1] [2002:a9fe:a9fe::1] [2001:0:7f00:1::] [2001::1] [2001:0:4136:e378:8000:63bf:80ff:fffe]
  [2001:0:53aa:64c:0:0:f5ff:fffe] [2001:470:1::5efe:127.0.0.1] [2600::200:5efe:10.0.0.1] [2600::5efe:a9fe:a9fe] [fe80::1]
  [fe80::a9fe:a9fe] [febf::1] [fec0::1] [feff::1] [fc00::1] [fd00::1] [fd00:ec2::254] [fd20:ce::254] [fdff:ffff::1]
  [ff02::1] [ff01::1] [ff05::2] [ff0e::1] [100::1] [100::ffff:1] [100:0:0:1::1] [2001:db8::1] [2001:db8:ffff::1]
  [3fff::1] [3fff:fff::1] [5f00::1] [2001:2::1] [2001:3::1] [2001:10::1] [2001:20::1] [2001:30::1] [2001:4:112::1]
  [2001:1::1] [2620:4f:8000::1] [4000::1] [8000::1] [e000::1] [1::1] [::1:0:0:0] [200::1] [fe00::1]
  [fe80::1%25eth0] [fe80::1%eth0] [::1%251] [::1%25lo] [fe80::1%2525eth0] [::ffff:127.0.0.1%25lo]
  localhost LOCALHOST LocalHost localhost. localhost.. foo.localhost foo.bar.localhost. localhost.localdomain ｌocalhost
  loc%61lhost ⓛocalhost printer.local PRINTER.LOCAL. metadata.google.internal metadata.internal. a.b.internal db.internal
  router.home.arpa home.arpa nas.home.arpa. intranet db redis metadata kubernetes wpad internal local example ..
  a..example.com .example.com example.com.. exa!mple.com exa$mple.com a&b.example.com (a).example.com 1.2.3.4.5 256.1.1.1
  0x100000000 127.0.0.1.1 127.0.0.0x 1.2.3.09 [::1 ::1 [::1]] [1:2:3] [::g] [127.0.0.1] [::ffff:127.0.0.256]
`
  .trim()
  .split(/\s+/)

const tricks = (port: number): string[] => [
  `https://user@127.0.0.1:${port}/`,
  `https://hooks.example.com@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}@hooks.example.com/`,
  `https://hooks.example.com:443@127.0.0.1:${port}/`,
  'https://user:secret@hooks.example.com/',
  'https://@hooks.example.com/',
  'https://:@hooks.example.com/',
  'https://hooks.example.com%40127.0.0.1/',
  `https://127.0.0.1:${port}\\@hooks.example.com/`,
  `https:\\\\127.0.0.1:${port}\\`,
  `https:/\\127.0.0.1:${port}/`,
  `https:127.0.0.1:${port}`,
  `https:/127.0.0.1:${port}/`,
  `https:///127.0.0.1:${port}/`,
  `https:////127.0.0.1:${port}/`,
  `//127.0.0.1:${port}/`,
  `127.0.0.1:${port}`,
  `hooks.example.com`,
  `/hook`,
  '',
  ' ',
  'https://',
  'https://?',
  'https://#',
  `http://127.0.0.1:${port}/`,
  `http://[::1]:${port}/`,
  'http://hooks.example.com/',
  'http://8.8.8.8/',
  'HTTP://hooks.example.com/',
  `ftp://127.0.0.1:${port}/`,
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'ws://hooks.example.com/',
  'wss://hooks.example.com/',
  'unix:/var/run/docker.sock',
  'jar:https://hooks.example.com!/',
  'https://hooks.example.com:0/',
  'https://hooks.example.com:00000/',
  'https://hooks.example.com:65536/',
  'https://hooks.example.com:-1/',
  'https://hooks.example.com:4 43/',
  'https://hooks.example.com:https/',
  'https://hooks.example.com/#top',
  'https://hooks.example.com#',
  `https://hooks.example.com#@127.0.0.1:${port}/`,
  `https://hooks.example.com/\r\nHost: 127.0.0.1`,
  'https://hooks.example\n.com/',
  `https://127.0.\t0.1:${port}/`,
  ` https://127.0.0.1:${port}/`,
  'https://hooks.example.com/ ',
  'https://hooks.example.com/a b',
  'https://hooks.example.com\u0000.internal/',
  'https://hooks.example.com%00/',
  'https://hooks.example.com%0d%0a/',
  'https://hooks.example.com%2f@127.0.0.1/',
  'https://hooks.example.com\u2028/',
  'https://ho\u00adoks/',
  `https://127.0.0.1:${port}?@hooks.example.com`,
  `https://127.0.0.1:${port}/https://hooks.example.com/`,
  `https://${'a'.repeat(64)}.example.com/`,
  `https://${'a.'.repeat(130)}example.com/`,
  `https://hooks.example.com/${'a'.repeat(2048)}`,
  `https://hooks.example.com/${'ä'.repeat(700)}`,
]

export const hostileUrls = (port: number): string[] => [
  ...hosts.map((host) => `https://${host}:${port}/hook`),
  ...tricks(port),
]

const forbiddenIpv4 = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 3],
] as const

const hexPair = (n: number) => `${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}`
const octets = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]
const dotted = (n: number) => octets(n).join('.')
const bases = [(n: number) => `${n}`, (n: number) => `0x${n.toString(16)}`, (n: number) => `0${n.toString(8)}`] as const
const inBases = (parts: number[], which: number) =>
  parts.map((part, index) => (bases[Math.floor(which / 3 ** index) % 3] ?? String)(part)).join('.')
const encoded = (text: string) => text.replace(/\d/g, (digit) => `%3${digit}`)
const fullwidth = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))

const spellings: readonly ((n: number, variant: number) => string)[] = [
  (n) => dotted(n),
  (n) => `${dotted(n)}.`,
  (n, variant) => inBases([n], variant),
  (n, variant) => inBases([n >>> 24, n & 0xffffff], variant),
  (n, variant) => inBases([n >>> 24, (n >>> 16) & 255, n & 0xffff], variant),
  (n, variant) => inBases(octets(n), variant),
  (n) => encoded(dotted(n)),
  (n) => fullwidth(dotted(n)),
  (n) => dotted(n).replaceAll('.', '\u3002'),
  (n) => `[::ffff:${dotted(n)}]`,
  (n) => `[::FFFF:${hexPair(n).toUpperCase()}]`,
  (n) => `[0:0:0:0:0:ffff:${hexPair(n)}]`,
  (n) => `[::${dotted(n)}]`,
  (n) => `[::ffff:0:${hexPair(n)}]`,
  (n) => `[64:ff9b::${dotted(n)}]`,
  (n) => `[64:ff9b:1::${hexPair(n)}]`,
  (n, variant) => `[2002:${hexPair(n)}::${variant.toString(16)}]`,
  (n, variant) => `[2001:0:${hexPair(n)}:${variant.toString(16)}::1]`,
  (n) => `[2001:0:4136:e378:8000:63bf:${hexPair(~n >>> 0)}]`,
  (n) => `[2a00:1450:4001:1::5efe:${hexPair(n)}]`,
]

const ipv4Spelling = fc
  .record({
    network: fc.constantFrom(...forbiddenIpv4),
    random: fc.nat(0xffffffff),
    spell: fc.constantFrom(...spellings),
    variant: fc.nat(80),
  })
  .map(({ network: [base, bits], random, spell, variant }) => spell((base | (random >>> bits)) >>> 0, variant))

const forbiddenIpv6 = [
  'fc',
  'fd',
  'fe8',
  'fe9',
  'fea',
  'feb',
  'fec',
  'fef',
  'ff',
  '20010db8',
  '3fff0',
  '5f00',
  '01',
  '00',
]
const ipv6Spelling = fc
  .record({
    prefix: fc.constantFrom(...forbiddenIpv6),
    rest: fc.array(fc.nat(15), { minLength: 32, maxLength: 32 }),
    zeros: fc.boolean(),
    upper: fc.boolean(),
  })
  .map(({ prefix, rest, zeros, upper }) => {
    const digits = (prefix + rest.map((digit) => digit.toString(16)).join('')).slice(0, 32)
    const groups = (digits.match(/.{4}/g) ?? []).map((group) => (zeros ? group : group.replace(/^0{1,3}/, '')))
    const text = `[${groups.join(':')}]`
    return upper ? text.toUpperCase() : text
  })

/** A forbidden address in one of its many spellings, as a host. */
export const forbiddenHost = fc.oneof({ weight: 3, arbitrary: ipv4Spelling }, { weight: 1, arbitrary: ipv6Spelling })
