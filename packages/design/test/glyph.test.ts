import { describe, expect, it } from 'vitest'
import { glyph } from '../glyph.ts'
import { latinStrokes } from '../latin.ts'
import { stoneOf } from '../stone.ts'

const syllables = Array.from({ length: 11_172 }, (_, at) => String.fromCodePoint(0xac00 + at))

it.each([
  ['every Hangul syllable', syllables],
  ['A to Z', [...latinStrokes.keys()]],
])('%s has strokes of two points or more inside its cell', (_, characters) => {
  const outside = characters.filter((character) => {
    const lines = glyph(character)?.strokes ?? []
    return (
      lines.length === 0 ||
      lines.some(
        ({ points }) => points.length < 2 || points.flat().some((value) => !(value >= -1e-9 && value <= 1 + 1e-9)),
      )
    )
  })
  expect(outside).toEqual([])
})

it('no two syllables are carved alike', () => {
  const carved = new Set(syllables.map((syllable) => JSON.stringify(glyph(syllable)?.strokes)))
  expect(carved.size).toBe(syllables.length)
})

describe('a name on a stone', () => {
  it.each([
    ['박서연', '박서연인', 2, 2],
    ['남궁민수', '남궁민수', 2, 2],
    ['이준', '이준', 1, 2],
    ['설', '설인', 1, 2],
    ['박서연'.normalize('NFD'), '박서연인', 2, 2],
    ['황보다섯글자', '황보다섯', 2, 2],
    ['Ada Lovelace', 'AL', 2, 1],
    ['Grace Brewster Hopper', 'GH', 2, 1],
    ['Zoë', 'Z', 1, 1],
    ['ada@example.com', 'AC', 2, 1],
    ['Пётр Иванов', 'ПИ', 2, 1],
    ['田中', '田中', 1, 2],
    ['', '서명', 1, 2],
    ['🙂🙂', '서명', 1, 2],
    ['\u202e\u0000', '서명', 1, 2],
  ])('%j shows %s', (name, characters, columns, rows) => {
    const stone = stoneOf(name)
    expect(stone.characters.map(({ character }) => character).join('')).toBe(characters)
    expect([stone.columns, stone.rows]).toEqual([columns, rows])
  })

  it('is read from top to bottom, columns from right to left', () => {
    expect(stoneOf('박서연').characters).toEqual([
      { character: '박', column: 1, row: 0 },
      { character: '서', column: 1, row: 1 },
      { character: '연', column: 0, row: 0 },
      { character: '인', column: 0, row: 1 },
    ])
  })
})
