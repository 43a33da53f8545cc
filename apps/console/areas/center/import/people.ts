/** People in a table or in a list of addresses, as the import takes them. */
import type { ImportRow } from '@countersign/sdk'
import type { Terms, termNames } from '@countersign/words/terms.ts'
import { roles } from '../search.ts'
import { type Line, linesOf } from './csv.ts'

export type Role = (typeof roles)[number]
export type Person = ImportRow & { readonly roles: string[]; readonly guardians: string[] }

export interface People {
  readonly people: readonly Person[]
  /** Columns that aren't read. */
  readonly ignored: readonly string[]
}

/** Without case, spaces and marks. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_().:*-]/g, '')

/** What people write above a column. */
const columns: Readonly<Record<'name' | 'email' | 'role' | 'guardian', readonly string[]>> = {
  name: ['이름', '성명', '성함', 'name', 'fullname', 'membername'],
  email: ['이메일', '이메일주소', '메일', '메일주소', '전자우편', 'email', 'emailaddress', 'mail'],
  role: ['역할', '구분', '권한', 'role', 'roles'],
  guardian: [
    ...['보호자', '보호자이메일', '보호자메일', '학부모이메일', '부모이메일', '보호자1이메일', '보호자2이메일'],
    ...['guardian', 'guardians', 'guardianemail', 'guardianemails', 'parentemail', "guardian'semail"],
  ],
}
type Column = keyof typeof columns
const columnNames = Object.keys(columns) as Column[]

/** What people write for a role, beside the words of the center's own trade. */
const roleWords: Readonly<Record<Role, readonly string[]>> = {
  ADMIN: ['admin', 'administrator', '관리자', '원장', '센터장'],
  INSTRUCTOR: ['instructor', 'teacher', 'therapist', 'staff', '강사', '선생님', '교사', '치료사', '직원'],
  PARENT: ['parent', 'guardian', '보호자', '학부모', '부모'],
  CHILD: ['child', 'client', 'student', '이용자', '아동', '학생', '원생', '회원'],
}
const termOfRole = { INSTRUCTOR: 'instructor', PARENT: 'guardian', CHILD: 'client' } as const satisfies Partial<
  Record<Role, (typeof termNames)[number]>
>

function roleOf(word: string, terms: Terms): string {
  const said = plain(word)
  const found = roles.find((role) => {
    const term = role === 'ADMIN' ? null : terms[termOfRole[role]]
    return [role, ...roleWords[role], ...(term ? [term.ko, term.en] : [])].some((each) => plain(each) === said)
  })
  return found ?? word.slice(0, 100)
}

/** Our own files have the names of the API with spaces between them. */
const wordsOf = (cell: string): string[] =>
  cell.split(/[;,/|]/).flatMap((part) => {
    const words = part.trim().split(/\s+/)
    return words.every((word) => roles.some((role) => role === word)) ? words : [part]
  })

const several = (cell: string): string[] => cell.split(/[;,/|\n\s]+/).filter((each) => each !== '')
const cut = (cell: string): string => cell.slice(0, 500)

/** A table with a line of names above it; null if no column has an address or a name. */
export function peopleOfTable([head, ...lines]: readonly Line[], terms: Terms): People | null {
  const titles = head?.cells ?? []
  const { guardian } = terms
  const named = {
    ...columns,
    guardian: [...columns.guardian, ...[`${guardian.ko}이메일`, `${guardian.en}email`].map(plain)],
  }
  const places = titles.map((title) => columnNames.find((name) => named[name].some((each) => each === plain(title))))
  if (!places.includes('email') && !places.includes('name')) return null
  const people = lines.map(({ row, cells }) => {
    const of = (column: Column) => cells.filter((cell, at) => places[at] === column && cell !== '')
    const [name, email] = [of('name')[0], of('email')[0]]
    const guardians = of('guardian').flatMap(several).slice(0, 20).map(cut)
    const said = of('role')
      .flatMap(wordsOf)
      .filter((each) => each.trim() !== '')
    // Nobody but a child can be here without an address.
    const own = said.length > 0 ? said.map((each) => roleOf(each, terms)) : email === undefined ? ['CHILD'] : []
    return {
      row,
      ...(name && { name: cut(name) }),
      ...(email && { email: cut(email) }),
      roles: [...new Set(own)].slice(0, 10),
      guardians,
    }
  })
  return { people, ignored: titles.filter((title, at) => title !== '' && places[at] === undefined) }
}

const addresses = /[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:]+/gu
const nameIn = (text: string): string =>
  text
    .replaceAll(/[<>()[\]"',;\t]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** `Name <address>`, an address alone, or a name before it; of one that is alone in its line, the name may stand behind it. */
export function peopleOfList(text: string): People {
  const people = text.split(/\r?\n/).flatMap((line, at): Person[] => {
    const person = (email: string, name: string): Person => ({
      ...{ row: at + 1, email: cut(email), ...(name && { name: cut(name) }), roles: [], guardians: [] },
    })
    const found = [...line.matchAll(addresses)]
    const starts = found.map(({ index }, nth) => [index, nth === 0 ? 0 : endOf(found[nth - 1])] as const)
    const rest = nameIn(line.slice(endOf(found.at(-1))))
    if (found.length === 0) return rest === '' ? [] : [person(rest, '')]
    const those = found.map(([email], nth) => {
      const [start = 0, from = 0] = starts[nth] ?? []
      return person(email, [nameIn(line.slice(from, start)), found.length === 1 ? rest : ''].filter(Boolean).join(' '))
    })
    return found.length > 1 && rest !== '' ? [...those, person(rest, '')] : those
  })
  return { people, ignored: [] }
}

const endOf = (match: RegExpExecArray | undefined): number => (match ? match.index + match[0].length : 0)

export const peopleOf = (text: string, terms: Terms): People =>
  peopleOfTable(linesOf(text), terms) ?? peopleOfList(text)
