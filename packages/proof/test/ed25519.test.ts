/** Both builds must agree: otherwise the validity of a proof would depend on the verifier. */
import { Point } from '@noble/ed25519'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as node from '../ed25519.node.ts'
import * as web from '../ed25519.web.ts'
import { signer } from './log.ts'

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const both = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => {
  const answers = [node, web].map(({ ed25519Verify }) => ed25519Verify(publicKey, message, signature))
  expect(answers[0], Buffer.concat([publicKey, signature]).toString('hex')).toBe(answers[1])
  return answers[0]
}

/** RFC 8032, 7.1: tests 1, 2 and 3. */
const published = [
  {
    key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    key: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    message: 'af82',
    signature:
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
]

it.each(published)('both accept the published signature of $message', ({ key, message, signature }) => {
  expect(both(bytes(key), bytes(message), bytes(signature))).toBe(true)
  expect(both(bytes(key), bytes(`${message}00`), bytes(signature))).toBe(false)
})

it('both accept signatures and refuse them with one bit changed', () => {
  fc.assert(
    fc.property(fc.nat(255), fc.uint8Array({ maxLength: 80 }), fc.nat(96 * 8 - 1), (seed, message, bit) => {
      const { key, sign } = signer('a', 1, seed)
      const whole = Uint8Array.of(...key.publicKey, ...sign(message))
      expect(both(whole.subarray(0, 32), message, whole.subarray(32))).toBe(true)
      const changed = whole.with(bit >> 3, (whole[bit >> 3] as number) ^ (1 << (bit & 7)))
      expect(both(changed.subarray(0, 32), message, changed.subarray(32))).toBe(false)
    }),
    { numRuns: 60 },
  )
})

it('both refuse wrong lengths', () => {
  const { key, sign } = signer('a', 1, 1)
  const signature = sign(new Uint8Array(3))
  expect(both(key.publicKey, new Uint8Array(3), signature.subarray(1))).toBe(false)
  expect(both(key.publicKey, new Uint8Array(3), Uint8Array.of(...signature, 0))).toBe(false)
  expect(both(key.publicKey.subarray(1), new Uint8Array(3), signature)).toBe(false)
})

describe('inputs on which implementations disagree', () => {
  const order = Point.CURVE().n
  const p = Point.CURVE().p
  const little = (number: bigint) => bytes(number.toString(16).padStart(64, '0')).reverse()
  const torsion = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'
  const small: Point[] = [Point.ZERO]
  for (let each = Point.fromHex(torsion, true); !each.is0(); each = each.add(Point.fromHex(torsion, true)))
    small.push(each)
  const encodings = [
    ...small.map((point) => point.toBytes()),
    // The same points, and others, with a coordinate that is not reduced, or with a negative zero.
    ...[0n, 1n, 3n, 18n].flatMap((over) => [little(p + over), little((1n << 255n) + p + over)]),
    little((1n << 255n) + 1n),
    little((1n << 255n) + p - 1n),
  ]
  const messages = Array.from({ length: 12 }, (_, at) => Uint8Array.of(at))

  it('include eight points of small order', () => {
    expect(small).toHaveLength(8)
  })

  it('both refuse keys and commitments of small order or in a non-canonical encoding', () => {
    for (const key of encodings) {
      for (const commitment of encodings) {
        for (const message of messages.slice(0, 3)) {
          expect(both(key, message, Uint8Array.of(...commitment, ...little(0n)))).toBe(false)
        }
      }
    }
  })

  it('both refuse a valid signature plus a component of small order', () => {
    const { key, sign } = signer('a', 1, 5)
    const message = messages[3] as Uint8Array
    const signature = sign(message)
    for (const extra of small.slice(1)) {
      const shifted = Point.fromBytes(signature.subarray(0, 32)).add(extra).toBytes()
      expect(both(key.publicKey, message, Uint8Array.of(...shifted, ...signature.subarray(32)))).toBe(false)
    }
  })

  it('both refuse a scalar that is not reduced', () => {
    const { key, sign } = signer('a', 1, 5)
    const message = messages[3] as Uint8Array
    const signature = sign(message)
    const scalar = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`)
    const larger = Uint8Array.of(...signature.subarray(0, 32), ...little(scalar + order))
    expect(both(key.publicKey, message, larger)).toBe(false)
  })
})
