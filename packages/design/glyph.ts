/** One character as strokes in the unit square: every Hangul syllable, and A to Z. */
import { consonants, horizontals, mixedVowels, type Part, verticals } from './jamo.ts'
import { latinStrokes } from './latin.ts'
import { type Box, inBox, type Stroke } from './strokes.ts'

export interface Glyph {
  readonly strokes: readonly Stroke[]
  /** How many horizontal strokes stand above each other: the more, the finer the knife. */
  readonly bars: number
}

type Span = Pick<Box, 'y0' | 'y1'>

const firsts = [...'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ']
const middles = [...'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ']
const lasts = ['', ...'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ']
const firstSyllable = 0xac00
const syllables = 11_172
const perFirst = 588
const perMiddle = 28

/** Null: a script that is not carved. */
export function glyph(character: string): Glyph | null {
  const code = (character.codePointAt(0) ?? 0) - firstSyllable
  if (code >= 0 && code < syllables) return syllable(code)
  const letter = latinStrokes.get(character)
  return letter === undefined ? null : { strokes: letter, bars: 3 }
}

function syllable(code: number): Glyph {
  const first = firsts[Math.floor(code / perFirst)] as string
  const middle = middles[Math.floor((code % perFirst) / perMiddle)] as string
  const [below = '', beside = ''] = vowelParts(middle)
  const consonant = consonants[first] as Part
  const horizontal = horizontals[below]
  const vertical = verticals[beside]
  const last = consonants[lasts[code % perMiddle] as string]

  const rows = [consonant, horizontal, last].filter((part) => part !== undefined)
  const rooms = rows.reduce((sum, { room }) => sum + room, 0)
  const gap = 0.2 - 0.01 * rows.length
  const free = 1 - gap * (rows.length - 1)
  let y = 0
  const spans = rows.map(({ room }) => {
    const span = { y0: y, y1: Math.min(1, y + (free * room) / rooms) }
    y = span.y1 + gap
    return span
  })
  const [top, second = top, third = second] = spans as [Span, Span?, Span?]

  const right = vertical ? 1 - vertical.room - 0.2 : 1
  const bodyEnd = last ? (horizontal ? second : top).y1 : 1
  const inset = !vertical && 'ㅅㅈㅊㅇㅎㅁ'.includes(first) ? 0.1 : 0
  const lift = below === 'ㅗ' || below === 'ㅛ' ? gap * 0.12 : 0
  const parts: [Part | undefined, Box][] = [
    [consonant, { ...top, x0: inset, x1: right - inset }],
    [horizontal, { x0: 0, y0: second.y0 - lift, x1: vertical ? right + 0.02 : 1, y1: second.y1 }],
    [vertical, { x0: 1 - (vertical?.room ?? 0), y0: 0, x1: 1, y1: bodyEnd }],
    [last, { ...third, x0: 0.03, x1: 1 }],
  ]
  return {
    strokes: parts.flatMap(([part, box]) => (part ? inBox(part.lines, box) : [])),
    bars: rooms + (rows.length - 1) * 0.5,
  }
}

function vowelParts(vowel: string): readonly string[] {
  const mixed = mixedVowels[vowel]
  if (mixed) return [...mixed]
  return vowel in horizontals ? [vowel] : ['', vowel]
}
