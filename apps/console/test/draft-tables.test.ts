/** Rows of a draft are a table: those that its text has, and those that the workflow has counted. */
import { expect, it } from 'vitest'
import { blocksOf } from '../areas/center/draft/blocks.ts'
import { tablesOf } from '../areas/center/draft/tables.ts'

it('lines between bars are a table, and a rule below the first line makes it the head', () => {
  const text = 'Week\n\nSessions\n| Day | Who |\n|---|:-:|\n| Mon | …1234abcd |\n| Tue |\n\nAfter it'
  expect(blocksOf(text)).toEqual([
    { kind: 'title', text: 'Week' },
    { kind: 'heading', text: 'Sessions' },
    {
      kind: 'table',
      head: ['Day', 'Who'],
      rows: [
        ['Mon', '…1234abcd'],
        ['Tue', ''],
      ],
    },
    { kind: 'text', text: 'After it' },
  ])
})

it('without a rule it has no head, and a line with one bar is a text', () => {
  expect(blocksOf('T\n| a | b |\n| c | d |')[1]).toEqual({
    kind: 'table',
    head: [],
    rows: [
      ['a', 'b'],
      ['c', 'd'],
    ],
  })
  expect(blocksOf('T\n| a\na | b\n||').map(({ kind }) => kind)).toEqual(['title', 'text', 'text', 'text'])
  expect(blocksOf('T\n|---|').map(({ kind }) => kind)).toEqual(['title'])
})

it('a list of a result is a table of the columns that have words', () => {
  const figures = {
    sessions: 6,
    paused: [
      { who: '…1234abcd', usual: 2, secret: 'x' },
      { who: '…5678abcd', usual: null },
    ],
    names: ['a', 'b'],
    lonely: [{ who: 'a' }],
    none: [],
  }
  expect(tablesOf(figures, (column) => column !== 'secret')).toEqual([
    {
      name: 'paused',
      columns: ['who', 'usual'],
      rows: [
        ['…1234abcd', 2],
        ['…5678abcd', '–'],
      ],
      more: 0,
    },
  ])
})

it('of a long list the first twenty rows are shown, and how many there are more', () => {
  const long = Array.from({ length: 25 }, (_, at) => ({ who: `${at}`, days: at }))
  const [table] = tablesOf({ gaps: long }, () => true)
  expect([table?.rows.length, table?.more]).toEqual([20, 5])
})
