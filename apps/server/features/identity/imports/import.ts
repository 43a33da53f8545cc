/**
 * An import of people: each row is carried out or refused on its own, all of them in one transaction under the lock of the
 * center. A dry run does the same and undoes it.
 */
import { type ImportEffect, type ImportReason, importEffects } from '@countersign/contract/enums.ts'
import type { importMembers as operation } from '@countersign/contract/member-import.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { isOffered } from '../../../access/promises.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { actorOfLogin, emailIdentifier } from '../auth/api.ts'
import { lockCenter } from '../members/api.ts'
import { carryOut, type Done, type Importing, Refusal } from './people.ts'
import { keep, mark, undo } from './queries.ts'
import { type ReadRow, readRows } from './rows.ts'

export type ImportNeeds = Importing['needs'] & { readonly centers: CenterProfiles }

interface Outcome {
  readonly done: Done | null
  readonly reason: ImportReason | null
  readonly duplicateOf?: number | undefined
}

export async function importMembers(needs: ImportNeeds, { tx, body, principal }: Context<typeof operation.spec>) {
  const { dryRun, approved = false } = body
  const rows = readRows(body.rows, body.roles)
  const { centerId, centerName } = principal.entered
  // Only the directory's own role can read login addresses, and this transaction has another role.
  const known = await needs.directory.identity({ ...tx.caller, centerId: 0 }, async (own) => {
    const found = new Map<string, string | null>()
    for (const address of addressesOf(rows)) found.set(address, await actorOfLogin(own, emailIdentifier(address)))
    return found
  })
  const families = isOffered('families', await needs.centers.profile(centerId))
  await lockCenter(tx, centerId)
  if (dryRun) await mark(tx, 'dry_run')
  const importing: Importing = { needs, tx, known, approved, families, centerName, inviter: principal.name }
  const outcomes = new Map<ReadRow, Outcome>()
  // Whoever is a member in their own right is invited as that, and not as a guardian of an earlier row.
  for (const row of [...rows.filter((each) => !hasGuardians(each)), ...rows.filter(hasGuardians)])
    outcomes.set(row, await judged(importing, row))
  if (dryRun) await undo(tx, 'dry_run')
  const results = rows.map((row) => resultOf(row, outcomes.get(row) as Outcome, dryRun))
  const counts = Object.fromEntries(
    importEffects.map((effect) => [effect, results.filter((each) => each.effect === effect).length]),
  ) as Record<ImportEffect, number>
  const emails = [...outcomes.values()].reduce((sum, { done }) => sum + (done?.emails ?? 0), 0)
  return { dryRun, counts, emails, results }
}

const hasGuardians = ({ guardians }: ReadRow): boolean => guardians.length > 0

const addressesOf = (rows: readonly ReadRow[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ refused, email, guardians }) => (refused ? [] : [...(email ? [email] : []), ...guardians])))

async function judged(importing: Importing, row: ReadRow): Promise<Outcome> {
  const { tx } = importing
  if (row.refused) return { done: null, ...row.refused }
  await mark(tx, 'one_row')
  try {
    const done = await carryOut(importing, row)
    await keep(tx, 'one_row')
    return { done, reason: null }
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === null) throw error
    await undoRow(tx)
    return { done: null, reason }
  }
}

async function undoRow(tx: DirectoryTx): Promise<void> {
  await undo(tx, 'one_row')
  await keep(tx, 'one_row')
}

/** Null: not the row is at fault, so nothing is imported. */
function reasonOf(error: unknown): ImportReason | null {
  if (error instanceof Refusal) return error.reason
  if (!(error instanceof Problem)) return null
  if (error.code === 'RATE_LIMITED') return 'invitations'
  if (error.code !== 'CONFLICT') return null
  const { reason } = error.details as { readonly reason?: unknown }
  return reason === 'seats' || reason === 'subscription' ? reason : 'conflict'
}

const resultOf = (row: ReadRow, { done, reason, duplicateOf }: Outcome, dryRun: boolean) => ({
  row: row.row,
  effect: done?.effect ?? ('refused' as const),
  reason,
  duplicateOf: duplicateOf ?? null,
  name: row.name,
  email: row.email,
  roles: [...row.roles],
  formerName: done?.formerName ?? null,
  sameName: done?.sameName ?? false,
  guardiansInvited: done?.guardiansInvited ?? 0,
  membershipId: dryRun || !done?.membershipId ? null : typedId('membership', done.membershipId),
})
