import { expect, it } from 'vitest'
import { comparableId } from '../comparable-id.ts'

it.each([
  ['alice', 'alice\u200b'],
  ['alice', 'al\u00adice'],
  ['alice', '\u2066alice\u2069'],
  ['alice', ' alice\t'],
  ['alice', 'ali\ufe0fce'],
  ['alice', 'alice\u3164'],
  ['alice', 'alice\u{e0041}'],
  ['alice', '\u2800alice'],
  ['alice', 'ａｌｉｃｅ'],
  ['agent-7', 'Agent-7'],
  ['agent-7', 'agent-⑦'],
  ['straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδος'],
  ['οδοσ', 'οδος'],
  ['김민지', '김민지'],
  ['i', 'I'],
])('%j and %j are one id', (a, b) => {
  expect(comparableId(a)).toBe(comparableId(b))
  expect(comparableId(comparableId(b))).toBe(comparableId(b))
})

it.each([
  ['alice', 'alicia'],
  ['agent-7', 'agent-70'],
  ['kim', 'kím'],
  ['a', '\u0430'],
])('%j and %j are two ids', (a, b) => {
  expect(comparableId(a)).not.toBe(comparableId(b))
})
