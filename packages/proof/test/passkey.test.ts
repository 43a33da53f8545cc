/** Both builds must agree on every assertion: otherwise the validity of an approval would depend on the verifier. */
import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { describe, expect, it } from 'vitest'
import { type AnswerOverrides, coseOf, softwareAuthenticator } from '../../../tests/support/authenticator.ts'
import {
  backupFlags,
  challengeOf,
  checkAssertion,
  type ExpectedAssertion,
  jwkOfCose,
  type PasskeyAssertion,
  type PasskeyKey,
  reasonDigest,
  thumbprintOf,
} from '../passkey.ts'
import * as node from '../passkey-signature.node.ts'
import * as web from '../passkey-signature.web.ts'

const statement = {
  type: 'countersign-passkey-v1',
  rpId: 'localhost',
  actorId: 'act_1',
  thumbprint: 'x',
  nonce: 'A'.repeat(43),
  issuedAt: '2026-11-16T09:00:00.000Z',
} as const
const challenge = challengeOf(statement)
const origins = ['http://localhost:3000']

const [ec, okp, rsa, synced] = [
  softwareAuthenticator(),
  softwareAuthenticator({ algorithm: 'EdDSA' }),
  softwareAuthenticator({ algorithm: 'RS256' }),
  softwareAuthenticator({ backupEligible: true, backedUp: true }),
]

const expected = (over: Partial<ExpectedAssertion> = {}): ExpectedAssertion => ({
  challenge,
  key: ec.key,
  rpId: 'localhost',
  origins,
  ...over,
})
const bytes = (text: string) => Buffer.from(text, 'base64url')
const text = (...parts: Uint8Array[]) => Buffer.concat(parts).toString('base64url')

describe('accepted', () => {
  it.each([
    ['ES256', ec],
    ['EdDSA', okp],
    ['RS256', rsa],
  ] as const)('%s', (_, { key, assert }) => {
    expect(checkAssertion(assert(challenge), expected({ key }))).toBeNull()
    expect(checkAssertion(assert(challenge), expected({ key, origins: null, backupEligible: false }))).toBeNull()
  })

  const harmless: [string, AnswerOverrides][] = [
    ['members that a browser adds', { clientData: { other_keys_can_be_added_here: 'do not compare' } }],
    ['no crossOrigin', { clientData: { crossOrigin: undefined } }],
    [
      'whitespace and another order',
      { rewrite: (t) => JSON.stringify(JSON.parse(t), Object.keys(JSON.parse(t)).sort(), 2) },
    ],
    ['extension data', { reshape: (b) => Buffer.concat([b.fill(0x85, 32, 33), Buffer.from('a0', 'hex')]) }],
    ['a counter', { counter: 7 }],
  ]
  it.each(harmless)('%s', (_, over) => {
    expect(checkAssertion(ec.assert(challenge, over), expected())).toBeNull()
  })

  it('either value of s', () => {
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const assertion = ec.assert(challenge)
    const { r, s } = readDer(bytes(assertion.signature))
    expect(checkAssertion({ ...assertion, signature: text(writeDer(r, order - s)) }, expected())).toBeNull()
  })
})

describe('refused', () => {
  const twice = (t: string, name: string) => t.replace('{', `{"${name}":"${Buffer.alloc(32).toString('base64url')}",`)
  const answers: [string, AnswerOverrides, string][] = [
    ['another origin', { origin: 'http://localhost:3001' }, 'passkey-origin'],
    ['an origin with a slash', { origin: 'http://localhost:3000/' }, 'passkey-origin'],
    ['no origin', { clientData: { origin: undefined } }, 'passkey-origin'],
    ['another rpId', { rpId: 'example.com' }, 'passkey-host'],
    ['an assertion of registering', { type: 'webauthn.create' }, 'passkey-type'],
    ['an assertion of a payment', { type: 'payment.get' }, 'passkey-type'],
    ['a user who is not verified', { flags: 1 }, 'passkey-user'],
    ['a user who is not present', { flags: 4 }, 'passkey-user'],
    ['backed up without being eligible', { flags: 1 | 4 | 16 }, 'passkey-authenticator-data'],
    ['36 bytes', { reshape: (b) => b.subarray(0, 36) }, 'passkey-authenticator-data'],
    ['bytes after', { reshape: (b) => Buffer.concat([b, Buffer.alloc(1)]) }, 'passkey-authenticator-data'],
    ['the flag of extensions without any', { flags: 0x85 }, 'passkey-authenticator-data'],
    [
      'a foreign key inside',
      { flags: 0x45, reshape: (b) => Buffer.concat([b, Buffer.alloc(18), okp.cose]) },
      'passkey-authenticator-data',
    ],
    ['crossOrigin without topOrigin', { clientData: { crossOrigin: true } }, 'passkey-framed'],
    ['crossOrigin that is no boolean', { clientData: { crossOrigin: 'false' } }, 'passkey-framed'],
    ['topOrigin', { clientData: { topOrigin: 'http://localhost:3000' } }, 'passkey-framed'],
    ['the challenge twice, the right one last', { rewrite: (t) => twice(t, 'challenge') }, 'passkey-client-data'],
    ['the challenge twice, one escaped', { rewrite: (t) => twice(t, '\\u0063hallenge') }, 'passkey-client-data'],
    ['a byte order mark', { rewrite: (t) => `\ufeff${t}` }, 'passkey-client-data'],
    ['a list', { rewrite: (t) => `[${t}]` }, 'passkey-client-data'],
    ['text after', { rewrite: (t) => `${t}x` }, 'passkey-client-data'],
    ['4,097 bytes', { clientData: { more: 'x'.repeat(4097) } }, 'passkey-size'],
    [
      '4,097 bytes of extensions',
      { reshape: (b) => Buffer.concat([b.fill(0x85, 32, 33), Buffer.alloc(4060)]) },
      'passkey-size',
    ],
    [
      'a challenge with other spare bits',
      { rewrite: (t) => t.replace(/("challenge":"[^"]{42})(.)/, (_, head, last) => head + otherSpareBits(last)) },
      'passkey-challenge',
    ],
    ['a padded challenge', { rewrite: (t) => t.replace(/("challenge":"[^"]+)/, '$1=') }, 'passkey-challenge'],
  ]
  it.each(answers)('%s', (_, over, fault) => {
    expect(checkAssertion(ec.assert(challenge, over), expected())).toBe(fault)
  })

  it('client data that is not UTF-8', () => {
    const clientDataJSON = text(bytes(ec.assert(challenge).clientDataJSON), Buffer.from([0xff]))
    expect(checkAssertion({ ...ec.assert(challenge), clientDataJSON }, expected())).toBe('passkey-client-data')
  })

  const keyWith = (more: object): PasskeyKey => ({ ...ec.key, ...more })
  const others: [string, Partial<ExpectedAssertion>, string][] = [
    ['another challenge', { challenge: new Uint8Array(32) }, 'passkey-challenge'],
    [
      'a statement with one more member',
      { challenge: challengeOf({ ...statement, more: true } as typeof statement) },
      'passkey-challenge',
    ],
    ['another key', { key: synced.key }, 'passkey-signature'],
    ['a key of another kind', { key: okp.key }, 'passkey-signature'],
    ['a key that is not a key', { key: keyWith({ kid: 'a' }) }, 'passkey-key'],
    ['a private key', { key: keyWith({ d: 'AA' }) }, 'passkey-key'],
    ['null', { key: null as unknown as PasskeyKey }, 'passkey-key'],
    ['another curve', { key: { ...ec.key, crv: 'P-384' } as unknown as PasskeyKey }, 'passkey-key'],
    ['a padded coordinate', { key: { ...ec.key, x: `${(ec.key as { x: string }).x}=` } as PasskeyKey }, 'passkey-key'],
    [
      'a point that is not on the curve',
      { key: { ...ec.key, y: text(Buffer.alloc(32, 1)) } as PasskeyKey },
      'passkey-signature',
    ],
    ['a key that may be backed up', { backupEligible: true }, 'passkey-backup'],
  ]
  it.each(others)('%s', (_, over, fault) => {
    expect(checkAssertion(ec.assert(challenge), expected(over))).toBe(fault)
  })

  it('a key bound as one that cannot be backed up', () => {
    expect(checkAssertion(synced.assert(challenge), expected({ key: synced.key, backupEligible: false }))).toBe(
      'passkey-backup',
    )
  })

  it.each(['authenticatorData', 'clientDataJSON', 'signature'] as const)('a second spelling of %s', (member) => {
    const good = ec.assert(challenge)
    const value = good[member]
    const spellings = [
      `${value}=`,
      `${value}\n`,
      ` ${value}`,
      `${value}!`,
      `${value}A`,
      value.replace(/^./, '+'),
      7,
      null,
    ]
    const spare = value.length % 4 === 0 ? [] : [`${value.slice(0, -1)}${otherSpareBits(value.at(-1) as string)}`]
    for (const spelling of [...spellings, ...spare]) {
      const fault = checkAssertion({ ...good, [member]: spelling } as PasskeyAssertion, expected())
      expect(fault, String(spelling)).not.toBeNull()
      if (spelling !== `${value}A`) expect(fault, String(spelling)).toBe('passkey-spelling')
    }
  })

  it('DER that is not strict', () => {
    const assertion = ec.assert(challenge)
    const der = bytes(assertion.signature)
    const { r, s } = readDer(der)
    const [first, second] = [integer(r), integer(s)]
    const longer = (item: Buffer) => Buffer.concat([Buffer.from([2, (item[1] as number) + 1, 0]), item.subarray(2)])
    const ways: Record<string, Buffer> = {
      'a byte after': Buffer.concat([der, Buffer.alloc(1)]),
      'a byte after, inside': sequence(first, second, Buffer.alloc(1)),
      'a third integer': sequence(first, second, integer(1n)),
      'a leading zero in r': sequence(longer(first), second),
      'a leading zero in s': sequence(first, longer(second)),
      'a long length': Buffer.concat([Buffer.from([0x30, 0x81, der.length - 2]), der.subarray(2)]),
      'a set': Buffer.concat([Buffer.from([0x31]), der.subarray(1)]),
      'a negative r': sequence(Buffer.concat([Buffer.from([2, 32, 0x80]), Buffer.alloc(31)]), second),
      'an empty r': sequence(Buffer.from([2, 0]), second),
      'zero as r': sequence(Buffer.from([2, 1, 0]), second),
      'cut off': der.subarray(0, -1),
      'r and s without DER': Buffer.from(r.toString(16).padStart(64, '0') + s.toString(16).padStart(64, '0'), 'hex'),
      nothing: Buffer.alloc(0),
    }
    for (const [name, way] of Object.entries(ways)) {
      const fault = checkAssertion({ ...assertion, signature: text(way) }, expected())
      expect(fault, name).toBe('passkey-signature')
    }
  })
})

describe('RSA', () => {
  const jwk = (n: Buffer, e: Buffer) => ({ kty: 'RSA', n: text(n), e: text(e) })
  const modulus = bytes((rsa.key as { n: string }).n)

  it('refuses the exponent 1, with which a signature needs no key', () => {
    // 1 as the exponent: the signature is the padded block itself.
    const key = jwk(modulus, Buffer.from([1])) as PasskeyKey
    const assertion = rsa.assert(challenge)
    expect(checkAssertion(assertion, expected({ key }))).toBe('passkey-key')
    expect(() =>
      jwkOfCose(
        Buffer.from(
          coseOf(rsa.key)
            .toString('hex')
            .replace(/2143010001$/, '214101'),
          'hex',
        ),
      ),
    ).toThrow('exponent 65537')
  })

  it.each([
    ['3 as the exponent', modulus, Buffer.from([3])],
    ['a padded exponent', modulus, Buffer.from([0, 1, 0, 1])],
    ['2,047 bits', Buffer.from(modulus).fill(0x7f, 0, 1), Buffer.from([1, 0, 1])],
    ['4,104 bits', Buffer.alloc(513, 0xff), Buffer.from([1, 0, 1])],
    ['a leading zero', Buffer.concat([Buffer.alloc(1), modulus]), Buffer.from([1, 0, 1])],
    ['an even modulus', Buffer.from(modulus).fill(2, 255), Buffer.from([1, 0, 1])],
  ])('refuses %s', (_, n, e) => {
    expect(checkAssertion(rsa.assert(challenge), expected({ key: jwk(n, e) as PasskeyKey }))).toBe('passkey-key')
  })

  it('accepts 4,096 bits', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 4096 })
    const n = bytes(publicKey.export({ format: 'jwk' }).n as string)
    const message = Buffer.from('message')
    both(rs256)(n, message, sign('sha256', message, privateKey), true)
  })

  it('refuses other paddings and values above the modulus in both builds', () => {
    const message = Buffer.from('message')
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const n = bytes(publicKey.export({ format: 'jwk' }).n as string)
    const good = sign('sha256', message, privateKey)
    both(rs256)(n, message, good, true)
    both(rs256)(n, message, sign('sha512', message, privateKey), false)
    both(rs256)(n, message, sign('sha256', message, { key: privateKey, padding: 6 }), false)
    both(rs256)(n, Buffer.from('other'), good, false)
    const above = Buffer.from((number(good) + number(n)).toString(16).padStart(512, '0'), 'hex')
    if (above.length === 256) both(rs256)(n, message, above, false)
    both(rs256)(n, message, Buffer.alloc(256), false)
    both(rs256)(n, message, n, false)
  })
})

it('both builds agree on 60 signatures of P-256 and on altered ones', () => {
  for (let round = 0; round < 60; round++) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
    const message = Buffer.from(`message ${round}`)
    const signature = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    both(es256(bytes(x), bytes(y)))(bytes(x), message, signature, true)
    const altered = Buffer.from(signature)
    altered[round] = (altered[round] as number) ^ 1
    both(es256(bytes(x), bytes(y)))(bytes(x), message, altered, false)
  }
})

/** x = 5 is on the curve, and 5 + p has 256 bits: a second spelling of the same point. */
it('the libraries of both builds refuse a coordinate that is not reduced', () => {
  const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
  const y = p256.Point.fromHex(`02${hex64(5n)}`).toAffine().y
  const jwk = (x: bigint) => ({ kty: 'EC', crv: 'P-256', x: text(wide(x)), y: text(wide(y)) })
  expect(createPublicKey({ key: jwk(5n), format: 'jwk' }).asymmetricKeyType).toBe('ec')
  expect(() => createPublicKey({ key: jwk(5n + prime), format: 'jwk' })).toThrow()
  expect(() => p256.Point.fromBytes(Buffer.concat([Buffer.from([4]), wide(5n + prime), wide(y)]))).toThrow()
})

describe('COSE', () => {
  it.each([
    ['ES256', ec, 77],
    ['EdDSA', okp, 42],
    ['RS256', rsa, 272],
  ] as const)('reads %s', (_, { cose, key }, length) => {
    expect(cose).toHaveLength(length)
    expect(jwkOfCose(new Uint8Array(cose))).toEqual(key)
  })

  const hex = ec.cose.toString('hex')
  it.each([
    ['a byte after', `${hex}00`],
    ['a byte less', hex.slice(0, -2)],
    ['ES384', hex.replace('a5010203262001', 'a501020338222002')],
    ['ML-DSA-44', hex.replace('a5010203262001', 'a5010203382f2001')],
    ['P-384', hex.replace('a5010203262001', 'a5010203262002')],
    ['another kind', hex.replace('a5010203262001', 'a5010103262001')],
    ['a member more', hex.replace('a5010203262001', 'a6010203260441012001')],
    ['a label twice', hex.replace('a5010203262001', 'a60102010203262001')],
    ['a longer number', hex.replace('a5010203262001', 'a501180203262001')],
    ['a map of indefinite length', `${hex.replace('a5', 'bf')}ff`],
    ['a list', '80'],
    ['nothing', ''],
    ['the sign of y instead of y', `${hex.slice(0, 84)}22f5`],
  ])('refuses %s', (_, way) => {
    expect(() => jwkOfCose(new Uint8Array(Buffer.from(way, 'hex')))).toThrow(RangeError)
  })
})

it('computes the thumbprint of RFC 7638, 3.1', () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw'
  expect(thumbprintOf({ kty: 'RSA', n, e: 'AQAB' })).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
})

it('reads the flags of a backup, and nothing from what is too short', () => {
  expect(backupFlags(synced.assert(challenge).authenticatorData)).toEqual({ backupEligible: true, backedUp: true })
  expect(backupFlags(ec.assert(challenge).authenticatorData)).toEqual({ backupEligible: false, backedUp: false })
  for (const none of ['', 'AAAA', '=']) expect(backupFlags(none)).toBeNull()
})

it('salts the digest of a reason', () => {
  const digest = createHash('sha256').update('{"reason":"b","salt":"a"}').digest('hex')
  expect(reasonDigest('a', 'b')).toBe(`sha256:${digest}`)
})

type Build = Pick<typeof node, 'es256Verify' | 'rs256Verify'>
type Verify = (build: Build, key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
const rs256: Verify = (build, key, message, signature) => build.rs256Verify(key, message, signature)
const es256 =
  (x: Uint8Array, y: Uint8Array): Verify =>
  (build, _, message, signature) =>
    build.es256Verify(x, y, message, signature)

const both = (verify: Verify) => (key: Uint8Array, message: Uint8Array, signature: Uint8Array, answer: boolean) =>
  expect([node, web].map((build) => verify(build, key, message, signature))).toEqual([answer, answer])

const hex64 = (value: bigint) => value.toString(16).padStart(64, '0')
const wide = (value: bigint) => Buffer.from(hex64(value), 'hex')
const number = (value: Buffer) => BigInt(`0x${value.toString('hex')}`)

const integer = (value: bigint): Buffer => {
  const digits = value.toString(16)
  const body = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const whole = (body[0] as number) < 0x80 ? body : Buffer.concat([Buffer.alloc(1), body])
  return Buffer.concat([Buffer.from([2, whole.length]), whole])
}
const sequence = (...items: Buffer[]): Buffer => {
  const body = Buffer.concat(items)
  return Buffer.concat([Buffer.from([0x30, body.length]), body])
}
const writeDer = (r: bigint, s: bigint): Buffer => sequence(integer(r), integer(s))
const readDer = (der: Buffer) => {
  const length = der[3] as number
  return { r: number(der.subarray(4, 4 + length)), s: number(der.subarray(6 + length)) }
}

/** The last character of base64url with the bits after the last byte inverted: 32 bytes leave two of them. */
const otherSpareBits = (last: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(last) ^ 1] as string
}
