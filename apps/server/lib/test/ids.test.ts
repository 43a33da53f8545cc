import { type IdKind, idPrefixes, typedIdPattern } from '@countersign/contract/ids.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId, newUuid, typedId, uuidOf } from '../ids.ts'

const kinds = Object.keys(idPrefixes) as IdKind[]
const kind = fc.constantFrom(...kinds)

describe('a UUIDv7', () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

  it('has the form and carries its time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (at) => {
        const uuid = newUuid(at)
        expect(uuid).toMatch(form)
        expect(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(at)
      }),
    )
  })

  it('sorts by time, as text and as typed id', () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 2 })
    fc.assert(
      fc.property(time, fc.integer({ min: 1, max: 1000 }), kind, (at, later, of) => {
        fc.pre(at + later < 2 ** 48)
        const [first, second] = [newUuid(at), newUuid(at + later)]
        expect(first < second).toBe(true)
        expect(typedId(of, first) < typedId(of, second)).toBe(true)
      }),
    )
  })

  it('is unique, even within one millisecond', () => {
    const made = Array.from({ length: 100_000 }, () => newUuid(1_700_000_000_000))
    expect(new Set(made).size).toBe(made.length)
  })

  it('has random bits wherever the format allows them', () => {
    const seen = Array.from({ length: 16 * 8 }, () => new Set<string>())
    for (let i = 0; i < 300; i++) {
      const bits = [...newUuid(0).replaceAll('-', '')]
        .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
        .join('')
      for (const [at, bit] of [...bits].entries()) seen[at]?.add(bit)
    }
    const fixed = seen.flatMap((values, at) => (values.size === 1 ? [at] : []))
    // 48 bits of time, four of version, two of variant.
    expect(fixed).toEqual([...Array(48).keys(), 48, 49, 50, 51, 64, 65])
  })
})

describe('a typed id', () => {
  it('converts back to its UUID, for any 128 bits', () => {
    fc.assert(
      fc.property(kind, fc.uuid(), (of, uuid) => {
        const id = typedId(of, uuid)
        expect(id).toMatch(new RegExp(typedIdPattern(of)))
        expect(uuidOf(of, id)).toBe(uuid)
      }),
    )
    for (const uuid of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
      expect(uuidOf('request', typedId('request', uuid))).toBe(uuid)
    }
  })

  it('follows the TypeID specification', () => {
    const known = [
      ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
      ['00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'],
      ['00000000-0000-0000-0000-000000000010', '0000000000000000000000000g'],
      ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
      ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
    ] as const
    for (const [uuid, suffix] of known) expect(typedId('decisionEvent', uuid)).toBe(`evt_${suffix}`)
  })

  it('of one kind is not an id of another', () => {
    for (const made of kinds) {
      for (const asked of kinds) expect(uuidOf(asked, newId(made)) === null).toBe(made !== asked)
    }
  })

  it('with invalid text is read as null, without an error', () => {
    const suffix = newId('apiKey').slice(4)
    const changed = fc
      .tuple(fc.nat({ max: 25 }), fc.string({ unit: 'binary', maxLength: 2 }))
      .map(([at, insert]) => `key_${suffix.slice(0, at)}${insert}${suffix.slice(at + 1)}`)
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), changed), (text) => {
        const uuid = uuidOf('apiKey', text)
        // Only one spelling of a UUID is accepted.
        if (uuid !== null) expect(typedId('apiKey', uuid)).toBe(text)
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    '',
    'key_',
    `key_${'z'.repeat(26)}`,
    `key_8${'0'.repeat(25)}`,
    `KEY_${'0'.repeat(26)}`,
    `key_${'0'.repeat(25)}`,
    `key_${'0'.repeat(27)}`,
    `key-${'0'.repeat(26)}`,
    `key_${'0'.repeat(25)}A`,
    `key_${'0'.repeat(25)}i`,
    `key_${'0'.repeat(25)}l`,
    `key_${'0'.repeat(25)}o`,
    `key_${'0'.repeat(25)}u`,
    `key_${'0'.repeat(25)}°`,
    `key_${'0'.repeat(25)}\0`,
    ` key_${'0'.repeat(25)}`,
    `key_${'0'.repeat(24)}'--`,
  ])('is not %j', (text) => expect(uuidOf('apiKey', text)).toBeNull())
})
