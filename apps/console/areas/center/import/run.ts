/** An import in requests of a size that the server takes, and its report. */
import { csvLine } from '@countersign/design/csv.ts'
import type { ImportResult } from '@countersign/sdk'
import { api } from '../../../app/api.ts'
import { roles } from '../search.ts'
import type { Person, Role } from './people.ts'

/** The operation takes no more at once. */
const maxImportRows = 100
export const maxPeople = 500
export const maxBytes = 1024 * 1024

export interface Report {
  readonly results: readonly ImportResult[]
  readonly emails: number
  /** How many rows were not sent, because a request before them failed. */
  readonly left: number
  readonly error: unknown
}

interface Running {
  readonly center: string
  readonly people: readonly Person[]
  readonly approved: boolean
  readonly dryRun: boolean
  readonly onProgress: (done: number) => void
}

/** The same person twice, as the server tells it within a request. */
const keyOf = ({ email, name, guardians }: Person): string =>
  JSON.stringify(email ? [email.toLowerCase()] : [name, ...guardians.map((each) => each.toLowerCase()).toSorted()])

function firstRows(people: readonly Person[]): ReadonlyMap<Person, number> {
  const first = new Map<string, number>()
  const again = new Map<Person, number>()
  for (const person of people) {
    const earlier = first.get(keyOf(person))
    if (earlier === undefined) first.set(keyOf(person), person.row)
    else again.set(person, earlier)
  }
  return again
}

const refusedAgain = (person: Person, duplicateOf: number): ImportResult => ({
  ...{ row: person.row, effect: 'refused', reason: 'duplicate', duplicateOf },
  ...{ name: person.name ?? null, email: person.email ?? null, roles: [] },
  ...{ formerName: null, sameName: false, guardiansInvited: 0, membershipId: null },
})

/** Whoever is named as a guardian and has a row too is invited by the row, so those without guardians go first. */
export async function run({ center, people, approved, dryRun, onProgress }: Running): Promise<Report> {
  const again = firstRows(people)
  const sent = people.filter((person) => !again.has(person))
  const ordered = [
    ...sent.filter(({ guardians }) => guardians.length === 0),
    ...sent.filter(({ guardians }) => guardians.length > 0),
  ]
  const given = roles.filter((role) => role !== 'ADMIN' || sent.some((person) => person.roles.includes('ADMIN')))
  const results: ImportResult[] = [...again].map(([person, row]) => refusedAgain(person, row))
  let emails = 0
  const report = (left: number, error: unknown = null): Report => ({
    ...{ emails, left, error },
    results: results.toSorted((one, other) => one.row - other.row),
  })
  for (let at = 0; at < ordered.length; at += maxImportRows) {
    const rows = ordered.slice(at, at + maxImportRows)
    try {
      const part = await api.members.import(center, { dryRun, approved, roles: given as Role[], rows })
      results.push(...part.results)
      emails += part.emails
      onProgress(at + rows.length)
    } catch (error) {
      // A preview without all rows is none.
      if (dryRun) throw error
      return report(ordered.length - at, error)
    }
  }
  return report(0)
}

export function reportCsv(columns: readonly string[], lines: readonly (readonly (string | number)[])[]): Blob {
  // The mark tells a spreadsheet that this is UTF-8.
  return new Blob(['\ufeff', [columns, ...lines].map((line) => csvLine(line)).join('')], { type: 'text/csv' })
}
