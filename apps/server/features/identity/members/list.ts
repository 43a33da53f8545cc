/** The list of members: a page with the numbers that its filters show, or all of it as CSV. */
import { type ActorRole, actorRoles, type MembershipStatus, membershipStatuses } from '@countersign/contract/enums.ts'
import type { listMembers } from '@countersign/contract/members.ts'
import type { Caller, Directory, DirectoryTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { csvOf } from '../../../lib/csv.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { invitationSeconds } from './invite.ts'
import * as queries from './list-queries.ts'
import { memberOf } from './membership.ts'
import type { MemberRow } from './queries.ts'

const listedOf = (row: MemberRow) => ({
  ...memberOf(row),
  invitationExpiresAt:
    row.status === 'INVITED' ? new Date(row.invited_at.getTime() + invitationSeconds * 1000).toISOString() : null,
})

export async function listPage({ tx, query }: Context<typeof listMembers.spec>) {
  const { page, limit, cursor, ...filter } = query
  const after = await positionAfter(tx, cursor)
  const figures = await queries.memberFigures(tx)
  const rows = await queries.pageOfMembers(tx, filter, { after, limit: limit + 1, offset: (page - 1) * limit })
  const shown = rows.slice(0, limit)
  return {
    items: shown.map(listedOf),
    total: filter.search === undefined ? sum(figures, filter) : await queries.countMatching(tx, filter),
    nextCursor: rows.length > limit ? typedId('membership', (shown.at(-1) as MemberRow).id) : null,
    counts: countsOf(figures, filter),
  }
}

/** A cursor is the id of the last member of the page before. */
async function positionAfter(tx: DirectoryTx, cursor: string | undefined): Promise<queries.MemberPosition | null> {
  if (cursor === undefined) return null
  const id = uuidOf('membership', cursor)
  const position = id === null ? undefined : await queries.positionOf(tx, id)
  if (position) return position
  throw new Problem(
    'VALIDATION_ERROR',
    '"cursor" doesn\'t belong to this list. Send the `nextCursor` of the previous page.',
    { details: { reason: 'cursor', field: 'cursor' } },
  )
}

interface Standing {
  readonly role?: ActorRole
  readonly status?: MembershipStatus
}

const sum = ({ counts }: queries.MemberFigures, { role, status }: Standing): number =>
  (counts ?? [])
    .filter((each) => (role ? each.role === role : !each.also) && (status ?? each.status) === each.status)
    .reduce((total, { members }) => total + members, 0)

function countsOf(figures: queries.MemberFigures, { role, status }: Standing) {
  const given = { ...(role && { role }), ...(status && { status }) }
  const each = <Name extends string>(names: readonly Name[], count: (name: Name) => number) =>
    Object.fromEntries(names.map((name) => [name, count(name)])) as Record<Name, number>
  return {
    byRole: each(actorRoles, (name) => sum(figures, { ...given, role: name })),
    byStatus: each(membershipStatuses, (name) => sum(figures, { ...given, status: name })),
    activeAdmins: figures.admins,
    seats: figures.seats,
  }
}

const pageSize = 500
const columns = ['id', 'name', 'email', 'role', 'status', 'invitedAt', 'endedAt', 'actorId', 'roles'] as const

export const membersCsv = (directory: Directory, caller: Caller, filter: queries.MemberFilter) =>
  csvOf<MemberRow>(
    columns,
    (after) =>
      directory.asCenter(
        caller,
        (tx) => queries.pageOfMembers(tx, filter, { after, limit: pageSize, offset: 0 }),
        'read',
      ),
    (row) => {
      const member = memberOf(row)
      return columns.map((column) => (column === 'roles' ? member.roles.join(' ') : member[column]))
    },
  )
