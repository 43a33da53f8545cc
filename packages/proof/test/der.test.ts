import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { derChildren, derItem, derItems, ed25519Pkcs8 } from '../der.ts'

it('reads what OpenSSL writes, with lengths of one and of three bytes', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [algorithm, bits, ...more] = derChildren(derItem(publicKey.export({ format: 'der', type: 'spki' })))
  expect(more).toEqual([])
  expect(Buffer.from(derChildren(algorithm)[0]?.whole ?? []).toString('hex')).toBe('06092a864886f70d010101')
  // The bit string begins with the number of unused bits.
  const [modulus, exponent] = derChildren(derItem(bits?.body.subarray(1) ?? new Uint8Array()))
  expect(modulus?.body.length).toBe(257)
  expect(Buffer.from(exponent?.body ?? [])).toEqual(Buffer.from([1, 0, 1]))
})

it('reads consecutive items, and none from no bytes', () => {
  expect(derItems(Uint8Array.of(2, 1, 7, 5, 0)).map(({ tag, body }) => [tag, ...body])).toEqual([[2, 7], [5]])
  expect(derItems(new Uint8Array())).toEqual([])
  expect(derChildren(undefined)).toEqual([])
})

it.each([
  ['no bytes', [], "aren't DER"],
  ['a tag alone', [0x30], "aren't DER"],
  ['an indefinite length', [0x30, 0x80, 0, 0], "aren't DER"],
  ['a length of five bytes', [0x30, 0x85, 0, 0, 0, 0, 0], "aren't DER"],
  ['a value that is cut off', [0x04, 3, 1, 2], 'too early'],
  ['a length that is cut off', [0x04, 0x82, 1], 'too early'],
  ['a length far beyond the end', [0x04, 0x84, 0xff, 0xff, 0xff, 0xff], 'too early'],
])('refuses %s', (_, bytes, message) => {
  expect(() => derItem(Uint8Array.from(bytes))).toThrow(RangeError)
  expect(() => derItem(Uint8Array.from(bytes))).toThrow(message)
})

it('wraps an Ed25519 seed as OpenSSL does', () => {
  const written = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' })
  const wrapped = Buffer.from(ed25519Pkcs8(written.subarray(-32)))
  expect(wrapped).toEqual(written)
  expect(createPrivateKey({ key: wrapped, format: 'der', type: 'pkcs8' }).asymmetricKeyType).toBe('ed25519')
})
