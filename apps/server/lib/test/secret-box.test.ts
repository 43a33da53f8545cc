import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secretBox } from '../secret-box.ts'

const key = () => randomBytes(32)
const [oldKey, newKey] = [key(), key()]
const box = secretBox([newKey, oldKey])
const text = fc.string({ unit: 'binary', maxLength: 200 })

describe('a secret box', () => {
  it('opens in the same context with the value that was sealed', () => {
    fc.assert(
      fc.property(text, text, (secret, context) => box.open(box.seal(secret, context), context).toString() === secret),
    )
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) =>
        box.open(box.seal(Buffer.from(bytes), 'c'), 'c').equals(Buffer.from(bytes)),
      ),
    )
  })

  it('does not open in another context', () => {
    fc.assert(
      fc.property(text, text, text, (secret, context, other) => {
        fc.pre(context !== other)
        expect(() => box.open(box.seal(secret, context), other)).toThrow()
      }),
    )
  })

  it('does not open when any single bit was changed', () => {
    const sealed = box.seal('a signing secret', 'row 7')
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(() => box.open(changed, 'row 7')).toThrow()
    }
  })

  it('does not open when it was cut or extended', () => {
    const sealed = box.seal('a signing secret', 'row 7')
    for (let length = 0; length < sealed.length; length++) {
      expect(() => box.open(sealed.subarray(0, length), 'row 7')).toThrow()
    }
    expect(() => box.open(Buffer.concat([sealed, Buffer.alloc(1)]), 'row 7')).toThrow()
    expect(() => box.open(Buffer.alloc(0), 'row 7')).toThrow()
  })

  it('differs each time and reveals nothing of the secret', () => {
    const boxes = Array.from({ length: 100 }, () => box.seal('whsec_plain', 'c'))
    expect(new Set(boxes.map((each) => each.toString('hex'))).size).toBe(100)
    for (const each of boxes) expect(each.includes('whsec_plain')).toBe(false)
  })
})

describe('rotation', () => {
  it('opens boxes of the old key while both are known, and seals with the new one', () => {
    const before = secretBox([oldKey])
    const kept = before.seal('s', 'c')
    expect(box.open(kept, 'c').toString()).toBe('s')
    const fresh = box.seal('s', 'c')
    expect(secretBox([newKey]).open(fresh, 'c').toString()).toBe('s')
    expect(() => before.open(fresh, 'c')).toThrow(/SECRET_KEY/)
  })

  it('names the wrong setting when the key is missing', () => {
    expect(() => secretBox([key()]).open(box.seal('s', 'c'), 'c')).toThrow(/SECRET_KEY/)
  })

  it('needs at least one key', () => expect(() => secretBox([])).toThrow())
})
