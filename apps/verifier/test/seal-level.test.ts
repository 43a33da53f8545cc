import { provedLevel } from '@countersign/proof/proved-level.ts'
import { describe, expect, it } from 'vitest'
import { nameToCarve } from '../seal-level.ts'

const holds = { status: 'holds' }

describe('a seal', () => {
  it.each([
    ['claim', null, 'claim', 'claim'],
    ['session', null, 'session', 'claim'],
    ['passkey', holds, 'passkey', 'claim'],
    ['passkey', { status: 'unknown' }, 'claim', 'claim'],
    ['passkey', { status: 'false' }, 'claim', 'claim'],
    ['passkey', null, 'claim', 'claim'],
    // A verdict about a passkey says nothing about an approval of another level.
    ['claim', holds, 'claim', 'claim'],
    ['session', holds, 'session', 'claim'],
    ['system', null, 'system', 'system'],
  ] as const)('of the level %s with %j is %s where the file holds, and %s elsewhere', (level, passkey, held, not) => {
    expect(provedLevel({ level, passkey }, 'holds')).toBe(held)
    for (const standing of ['unvouched', 'altered', 'not-a-proof', 'newer', 'rules-hidden'] as const) {
      expect(provedLevel({ level, passkey }, standing)).toBe(not)
    }
  })

  it('is not there for an approval that did not count, and for one that is not shown', () => {
    for (const absent of [{ void: 'role' }, { hidden: true }]) {
      expect(provedLevel({ level: 'passkey', passkey: holds, ...absent }, 'holds')).toBe('empty')
    }
    expect(provedLevel({ level: 'session', void: null, hidden: false }, 'holds')).toBe('session')
  })

  it.each([
    ['Ada (u1)', 'Ada'],
    ['박서연 (usr_01)', '박서연'],
    ['Ada (the first) (u1)', 'Ada (the first)'],
    ['(u1)', '(u1)'],
    ['u1', 'u1'],
    [null, ''],
  ])('of %j carries the name %j', (approver, name) => {
    expect(nameToCarve(approver)).toBe(name)
  })
})
