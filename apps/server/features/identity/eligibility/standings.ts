/** From when each role of a member counts for approvals. Pure. */

export interface RoleStanding {
  readonly role: string
  readonly countsFrom: string
  /** The index in `history` of the entry by which the role counts: the one that gave or confirmed it. */
  readonly since: number
  /** Everybody who cannot confirm it, beside its person. */
  readonly makers: readonly string[]
  readonly confirmedBy: string | null
}

/** A standing without `since` is one that the next entry gives or confirms. */
export type NextStanding = Omit<RoleStanding, 'since'> & { readonly since?: number }

/** What a row of a membership says of it. */
interface Row {
  readonly role: string
  readonly active: boolean
  readonly counts_from: string | null
  readonly since_index: number
  readonly makers: readonly string[]
  readonly confirmed_by: string | null
  readonly standings: readonly RoleStanding[] | null
}

/** The highest role first. A row of one role says it in its columns. */
export function standingsOf(row: Row): readonly RoleStanding[] {
  if (!row.active || row.counts_from === null) return []
  if (row.standings) return row.standings
  const { role, since_index: since, makers, confirmed_by: confirmedBy } = row
  const countsFrom = new Date(row.counts_from).toISOString()
  return [{ role, countsFrom, since, makers, confirmedBy }]
}

export const standingAs = (row: Row, role: string): RoleStanding | undefined =>
  standingsOf(row).find((each) => each.role === role)

export const hasBegun = ({ countsFrom }: Pick<RoleStanding, 'countsFrom'>, at: string): boolean =>
  Date.parse(countsFrom) <= Date.parse(at)

/** The columns say all of it: there is one role at most, and the next entry is the one that gives it. */
export const isPlain = (next: readonly NextStanding[]): boolean =>
  next.length === 0 || (next.length === 1 && next[0]?.since === undefined)

export const isSame = (standings: readonly RoleStanding[], roles: readonly string[]): boolean =>
  standings.length === roles.length && standings.every(({ role }) => roles.includes(role))
