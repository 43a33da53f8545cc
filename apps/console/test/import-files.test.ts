/** What the import reads from files and lists, without a browser. */

import { csvLine } from '@countersign/design/csv.ts'
import { neutralTerms } from '@countersign/words/terms.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesOf, textOf } from '../areas/center/import/csv.ts'
import { peopleOf, peopleOfList } from '../areas/center/import/people.ts'

const read = (text: string) => peopleOf(text, neutralTerms)

describe('files', () => {
  it.each([
    ['UTF-8', Buffer.from('이름')],
    ['UTF-8 with its mark', Buffer.from('\ufeff이름')],
    ['UTF-16 with its mark', Buffer.from('\ufeff이름', 'utf16le')],
    ['CP949', Buffer.from([0xc0, 0xcc, 0xb8, 0xa7])],
  ])('%s', (_, bytes) => expect(textOf(bytes)).toBe('이름'))

  it('what is no text', () => expect(textOf(Buffer.from([0x89, 0x50, 0xff, 0xff, 0x00]))).toBeNull())

  it('quotes, separators and line breaks as spreadsheets write them', () => {
    expect(linesOf('a;b\r\n"x;""y""\nz";\r\r\n\n;2')).toEqual([
      { row: 1, cells: ['a', 'b'] },
      { row: 2, cells: ['x;"y"\nz', ''] },
      { row: 5, cells: ['', '2'] },
    ])
    expect(linesOf('"open')).toEqual([{ row: 1, cells: ['open'] }])
    expect(linesOf('')).toEqual([])
  })

  it('whatever our own files contain comes back', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.trim().replaceAll('\r', ''))
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 5 }), (cells) => {
        const written = csvLine(['a', 'b', ...cells]) + csvLine(['x', 'y', ...cells])
        expect(linesOf(written).at(-1)?.cells.slice(2)).toEqual(cells)
      }),
    )
  })
})

describe('people', () => {
  it('columns and roles in Korean or English, and what is not read', () => {
    const { people, ignored } = read(
      '성명,E-mail,구분,보호자 이메일,비고\n한이안, ian@x.example ,선생님,,a\n이민아,,아동,p@x.example; q@x.example,b',
    )
    expect(people).toEqual([
      { row: 2, name: '한이안', email: 'ian@x.example', roles: ['INSTRUCTOR'], guardians: [] },
      { row: 3, name: '이민아', roles: ['CHILD'], guardians: ['p@x.example', 'q@x.example'] },
    ])
    expect(ignored).toEqual(['비고'])
  })

  it('several roles, unknown ones, and none', () => {
    const { people } = read('name,email,role\na,a@x.example,관리자/강사\nb,b@x.example,왕\nc,c@x.example,')
    expect(people.map(({ roles }) => roles)).toEqual([['ADMIN', 'INSTRUCTOR'], ['왕'], []])
  })

  it('the words of the center’s own trade', () => {
    const terms = { ...neutralTerms, instructor: { ko: '코치', en: 'coach' } }
    expect(peopleOf('이름,이메일,역할\na,a@x.example,코치', terms).people[0]?.roles).toEqual(['INSTRUCTOR'])
  })

  it('the list of members as we export it', () => {
    const { people } = read(
      "id,name,email,role,status,invitedAt,endedAt,actorId,roles\n1,'=a,a@x.example,ADMIN,ACTIVE,,,2,ADMIN INSTRUCTOR",
    )
    expect(people).toEqual([
      { row: 2, name: '=a', email: 'a@x.example', roles: ['ADMIN', 'INSTRUCTOR'], guardians: [] },
    ])
  })

  it('addresses as mail programs copy them', () => {
    const { people } = peopleOfList(
      'Ian Han <ian@x.example>, "Lee, Su" <su@x.example>; b@x.example\n\n홍길동\thong@x.example\nno address',
    )
    expect(people.map(({ row, name, email }) => [row, name, email])).toEqual([
      [1, 'Ian Han', 'ian@x.example'],
      [1, 'Lee Su', 'su@x.example'],
      [1, undefined, 'b@x.example'],
      [3, '홍길동', 'hong@x.example'],
      [4, undefined, 'no address'],
    ])
  })
})
