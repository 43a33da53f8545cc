/** Moves of a guardianship, judged by the one table in packages/contract/moves.ts. */
import { type GuardianshipMove, guardianshipMoves } from '@countersign/contract/moves.ts'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx, IdentityTx } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { type GuardianshipRow, setGuardianship } from './queries.ts'

/** The caller must hold the lock of the row. One move and one audit entry. */
export async function moveGuardianship(
  tx: DirectoryTx | IdentityTx,
  row: GuardianshipRow,
  move: GuardianshipMove,
): Promise<void> {
  const { from, to } = guardianshipMoves[move]
  if (!(from as readonly string[]).includes(row.status)) {
    throw new Problem(
      'CONFLICT',
      `A guardianship with the status ${row.status} can't be changed to ${to}. Its status may have changed recently, so fetch the guardianship again.`,
      { details: { reason: 'status' } },
    )
  }
  await setGuardianship(tx, row, to)
  await noteGuardianship(tx, row, move, { from: row.status, to })
}

export const noteGuardianship = (
  tx: DirectoryTx | IdentityTx,
  row: Pick<GuardianshipRow, 'id' | 'center_id' | 'child_id'>,
  move: GuardianshipMove | 'added',
  { from, to }: { from: string | null; to: string },
) =>
  audit(tx, {
    type: 'membership.transitioned',
    action: `guardianship_${move}`,
    target: { type: 'guardianship', id: typedId('guardianship', row.id) },
    details: { from, to, childId: row.child_id },
    centerId: row.center_id,
  })
