/**
 * Approvals, raises and confirmations are verified by our own function alone: whatever it accepts, the library accepts too, with
 * the same counter. Generated assertions, good ones and such that were changed before or after the signature.
 */
import { checkAssertion } from '@countersign/proof/passkey.ts'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { type AnswerOverrides, softwareAuthenticator } from '../../../../../../tests/support/authenticator.ts'
import { assertionOf, libraryAssertionOf } from '../webauthn.ts'

const rpId = 'countersign.test'
const origin = 'https://countersign.test'
const host = { rpId, origin }
const challenge = new Uint8Array(32).fill(7)

const devices = (['ES256', 'EdDSA', 'RS256'] as const).flatMap((algorithm) =>
  [false, true].map((backupEligible) => ({
    backupEligible,
    device: softwareAuthenticator({ algorithm, rpId, origin, backupEligible }),
  })),
)

type Assertion = ReturnType<(typeof devices)[number]['device']['assert']>
type Member = keyof Assertion

interface Change extends AnswerOverrides {
  readonly challenge?: Uint8Array
  /** Of the answer, after the signature. */
  readonly after?: (assertion: Assertion) => Assertion
}

const bytesOf = (assertion: Assertion, member: Member, change: (bytes: Buffer) => Buffer): Assertion => ({
  ...assertion,
  [member]: change(Buffer.from(assertion[member], 'base64url')).toString('base64url'),
})

const member = fc.constantFrom<Member>('authenticatorData', 'clientDataJSON', 'signature')
const none = fc.constant<Change>({})

/** By name, so that what only one of the two refuses is listed below. */
const changes: Readonly<Record<string, fc.Arbitrary<Change>>> = {
  none,
  flags: fc.integer({ min: 0, max: 255 }).map((flags) => ({ flags })),
  host: fc.constantFrom('evil.test', '', 'COUNTERSIGN.TEST').map((other) => ({ rpId: other })),
  origin: fc.constantFrom('https://evil.test', `${origin}/`, `${origin}:444`, '').map((other) => ({ origin: other })),
  type: fc.constantFrom('webauthn.create', 'payment.get', '').map((type) => ({ type })),
  challenge: fc.uint8Array({ maxLength: 40 }).map((other) => ({ challenge: other })),
  frame: fc
    .record({
      crossOrigin: fc.constantFrom(true, false, null, 'true', undefined),
      topOrigin: fc.constantFrom(undefined, origin),
    })
    .map((clientData) => ({ clientData })),
  tokenBinding: fc
    .constantFrom('x', 1, {}, { status: 'present' }, { status: 'other' }, null)
    .map((tokenBinding) => ({ clientData: { tokenBinding } })),
  members: fc.dictionary(fc.string(), fc.jsonValue()).map((added) => ({
    clientData: Object.fromEntries(Object.entries(added).map(([name, value]) => [`added ${name}`, value])),
  })),
  text: fc
    .constantFrom<(text: string) => string>(
      (text) => `\uFEFF${text}`,
      (text) => ` ${text}\n`,
      (text) => text.replace('{', '{"type":"x",'),
      (text) => text.slice(0, -1),
      (text) => `[${text}]`,
      () => 'null',
    )
    .map((rewrite) => ({ rewrite })),
  extension: fc.record({ bytes: fc.uint8Array({ maxLength: 8 }), flag: fc.boolean() }).map(({ bytes, flag }) => ({
    ...(flag && { flags: 1 | 4 | 128 }),
    reshape: (data: Buffer) => Buffer.concat([data, bytes]),
  })),
  length: fc.integer({ min: 0, max: 36 }).map((length) => ({ reshape: (data: Buffer) => data.subarray(0, length) })),
  bit: fc.record({ member, at: fc.nat(), bit: fc.integer({ min: 0, max: 7 }) }).map(({ member, at, bit }) => ({
    after: (assertion) =>
      bytesOf(assertion, member, (bytes) => {
        const place = at % bytes.length
        bytes[place] = (bytes[place] as number) ^ (1 << bit)
        return bytes
      }),
  })),
  tail: fc.record({ member, tail: fc.uint8Array({ minLength: 1, maxLength: 3 }) }).map(({ member, tail }) => ({
    after: (assertion) => bytesOf(assertion, member, (bytes) => Buffer.concat([bytes, tail])),
  })),
  cut: fc.record({ member, by: fc.integer({ min: 1, max: 80 }) }).map(({ member, by }) => ({
    after: (assertion) => bytesOf(assertion, member, (bytes) => bytes.subarray(0, Math.max(0, bytes.length - by))),
  })),
  spelling: fc.record({ member, end: fc.constantFrom('=', '==', ' ', '\n', '.', 'A') }).map(({ member, end }) => ({
    after: (assertion) => ({ ...assertion, [member]: assertion[member] + end }),
  })),
  signature: fc.uint8Array({ maxLength: 80 }).map((signature) => ({
    after: (assertion) => ({ ...assertion, signature: Buffer.from(signature).toString('base64url') }),
  })),
}

const named = fc.oneof(
  ...Object.entries(changes).map(([name, each]) => ({
    weight: name === 'none' ? 4 : 1,
    arbitrary: each.map((change: Change) => [name, change] as const),
  })),
)
const counters = fc.oneof(
  fc.constant<readonly [number, number]>([0, 0]),
  fc.tuple(fc.nat(3), fc.nat(3)),
  fc.tuple(fc.nat(0x7fffffff), fc.nat(0x7fffffff)).map(([stored, more]) => [stored, stored + more] as const),
  fc.tuple(fc.nat(0xffffffff), fc.nat(0xffffffff)),
)

/** What only ours refuses, by the change and its fault: it is stricter. */
const stricter: Readonly<Record<string, RegExp>> = {
  flags: /^passkey-(authenticator-data|backup)$/,
  // These flags lack the one that says that the key may be backed up.
  extension: /^passkey-backup$/,
  frame: /^passkey-framed$/,
  text: /^passkey-client-data$/,
  spelling: /^passkey-(spelling|signature)$/,
  bit: /^passkey-signature$/,
  tail: /^passkey-(spelling|signature)$/,
}
/** What only the library refuses: the form of a member that nobody uses, and of the data of extensions, which nobody reads. */
const looser: Readonly<Record<string, RegExp>> = {
  tokenBinding: /tokenBinding/,
  extension: /^(?!.*(signature|counter|challenge|origin|RP ID|user|type))/i,
}
const never = /^(?!)/

const counted = { both: 0, neither: 0, ours: 0, library: 0 }
afterAll(() => {
  // Each way occurs, or the test would show nothing.
  expect(counted.both).toBeGreaterThan(100)
  expect(counted.neither).toBeGreaterThan(100)
})

it('agree on who signed what', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...devices), counters, named, async (made, [stored, counter], [name, change]) => {
      const { device, backupEligible } = made
      const { challenge: signed = challenge, after, ...over } = change
      const assertion = device.assert(signed, { counter, ...over })
      const given = [
        host,
        challenge,
        {
          credential_id: Buffer.from(device.credentialId, 'base64url'),
          ...{ key: device.key, cose: device.cose, counter: stored, backup_eligible: backupEligible },
        },
        { id: device.credentialId, ...(after?.(assertion) ?? assertion) },
      ] as const
      const [own, other] = [await assertionOf(...given), await libraryAssertionOf(...given)]
      const expected = { ...host, challenge, key: device.key, backupEligible, origins: [origin] }
      const fault = 'fault' in own && !own.fault.includes('counter') ? own.fault : null
      expect(checkAssertion(given[3], expected), 'in a verifier').toBe(fault)
      const [accepts, alsoAccepts] = [!('fault' in own), !('fault' in other)]
      if (accepts && alsoAccepts) {
        counted.both++
        expect(own).toEqual(other)
        expect(own).toEqual({ counter })
      } else if (!(accepts || alsoAccepts)) counted.neither++
      else if (accepts) {
        counted.ours++
        expect((other as { fault: string }).fault).toMatch(looser[name] ?? never)
      } else {
        counted.library++
        expect((own as { fault: string }).fault).toMatch(stricter[name] ?? never)
      }
    }),
    { numRuns: 1000 },
  )
})

it('refuse alike a counter that does not rise, and accept one that does', async () => {
  const { device } = devices[0] as (typeof devices)[number]
  for (const [stored, counter, holds] of [
    [0, 0, true],
    [0, 1, true],
    [1, 0, false],
    [7, 7, false],
    [7, 6, false],
    [7, 8, true],
    [0xfffffffe, 0xffffffff, true],
    [0xffffffff, 0xffffffff, false],
    [0xffffffff, 0, false],
  ] as const) {
    const key = { key: device.key, cose: device.cose, counter: stored, backup_eligible: false }
    const given = [
      host,
      challenge,
      { credential_id: Buffer.from(device.credentialId, 'base64url'), ...key },
      { id: device.credentialId, ...device.assert(challenge, { counter }) },
    ] as const
    for (const judge of [assertionOf, libraryAssertionOf]) {
      const verdict = await judge(...given)
      expect('fault' in verdict ? verdict.fault : verdict).toEqual(
        holds ? { counter } : expect.stringMatching(/counter/i),
      )
    }
  }
})
