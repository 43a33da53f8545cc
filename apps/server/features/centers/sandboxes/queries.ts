import type { Vertical } from '@countersign/contract/enums.ts'
import type { DirectoryTx, OperatorTx } from '../../../data/directory.ts'

type Tx = DirectoryTx | OperatorTx

/** Locked: of concurrent requests for the sandbox of one center, each sees the result of the one before. */
export const lockOwner = (tx: Tx, centerId: number) =>
  tx.db
    .selectFrom('centers')
    .select(['name', 'status', 'vertical', 'settings', 'country', 'region', 'inherited_policies'])
    .where('id', '=', centerId)
    .forUpdate()
    .$narrowType<{ vertical: Vertical }>()
    .executeTakeFirstOrThrow()

/** The sandbox that has not ended; a unique index allows one. */
export const findSandbox = (tx: Tx, centerId: number) =>
  tx.db
    .selectFrom('centers')
    .select(['id', 'status'])
    .where('sandbox_of', '=', centerId)
    .where('status', '<>', 'INACTIVE')
    .executeTakeFirst()

export const isAdmin = async (tx: OperatorTx, centerId: number, actorId: string): Promise<boolean> =>
  (await tx.db
    .selectFrom('memberships')
    .select('id')
    .where('center_id', '=', centerId)
    .where('actor_id', '=', actorId)
    .where('role', '=', 'ADMIN')
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst()) !== undefined

/** The administrator, whom a sandbox of theirs may see. */
export const personOf = (tx: Tx, actorId: string) =>
  tx.db.selectFrom('actors').select(['id', 'name', 'email']).where('id', '=', actorId).executeTakeFirstOrThrow()
