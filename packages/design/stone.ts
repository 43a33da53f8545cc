/** Which characters of a name stand on a seal, and where: from top to bottom, columns from right to left. */
export interface Stone {
  readonly characters: readonly { readonly character: string; readonly column: number; readonly row: number }[]
  readonly columns: number
  readonly rows: number
}

const eastAsian = /[가-힣\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

export function stoneOf(name: string): Stone {
  const carved = [...name.normalize('NFC')].filter((character) => eastAsian.test(character)).slice(0, 4)
  // 박서연 becomes 박서연인, as on a real seal: 인 is the word for it.
  if (carved.length % 2 === 1) carved.push('인')
  if (carved.length === 2) return grid(carved, 1, 2)
  if (carved.length === 4) return grid(carved, 2, 2)

  const words = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  const initials = ends.map((word) => [...(word ?? '').toUpperCase()][0] ?? '')
  if (initials.length === 0) return stoneOf('서명')
  return {
    characters: initials.map((character, column) => ({ character, column, row: 0 })),
    columns: initials.length,
    rows: 1,
  }
}

const grid = (characters: readonly string[], columns: number, rows: number): Stone => ({
  characters: characters.map((character, at) => ({
    character,
    column: columns - 1 - Math.floor(at / rows),
    row: at % rows,
  })),
  columns,
  rows,
})
