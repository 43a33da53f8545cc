/** What a terminal of 80 columns shows: words stay whole, and columns stay columns. */
import { styleText } from 'node:util'
import { expect, it } from 'vitest'
import { commandHelp, generalHelp } from '../command-help.ts'
import { commands } from '../commands.ts'
import { folded, foldedLine } from '../fold.ts'
import { help } from '../help.ts'
import { widthOf } from '../table.ts'

const terminal = { isTTY: true, columns: 40 }

it.each([
  ['a sentence', 'one two three four five six seven eight nine', 'one two three four five six seven eight\nnine'],
  [
    'a row',
    '  --name NAME  one two three four five six seven',
    '  --name NAME  one two three four five\n               six seven',
  ],
  ['a finding', '✗ one two three four five six seven eight nine', '✗ one two three four five six seven\n  eight nine'],
  ['an address', `see http://${'a'.repeat(50)} there`, `see\nhttp://${'a'.repeat(50)}\nthere`],
  [
    'Hangul, of two columns each',
    '가나다 라마바 사아자 차카타 파하가 나다라 마바사',
    '가나다 라마바 사아자 차카타 파하가\n나다라 마바사',
  ],
  ['a line that fits', '  one  two', '  one  two'],
])('folds %s between words', (_, line, lines) => {
  expect(folded(line, terminal)).toBe(lines)
})

it('counts no colors', () => {
  const red = (text: string) => styleText('red', text, { validateStream: false })
  expect(foldedLine(red('a'.repeat(40)), 40)).toBe(red('a'.repeat(40)))
})

it('leaves a file as it is', () => {
  expect(folded('one '.repeat(50), { isTTY: false, columns: 40 })).toBe('one '.repeat(50))
})

it.each(['en', 'ko'] as const)('help is no wider than a page, in %s', (language) => {
  const pages = [
    generalHelp(language),
    ...commands.map((each) => commandHelp(each, language)),
    ...(['verify', 'audit', 'verify-export'] as const).map((each) => help(each, language)),
  ]
  expect(pages.flatMap((each) => each.split('\n')).filter((line) => widthOf(line) > 110)).toEqual([])
})
