/**
 * Declares losses: for each log that lacks confirmed entries, the next generation begins with a statement of what was
 * restored and what is lost. The log before is closed for good.
 */

import type { Domain } from '@countersign/proof/chain.ts'
import { mostDeclarer, mostReason, prepareSuccession } from '@countersign/proof/generations.ts'
import type { CenterProfiles } from '../../access/center-profiles.ts'
import { auditInBatch } from '../../audit/audit.ts'
import { semaphore } from '../../concurrency/semaphore.ts'
import type { Cell } from '../../data/cells.ts'
import type { Caller } from '../../data/directory.ts'
import { newUuid, typedId } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import type { SealItem } from '../../sealing/batch.ts'
import { namedLogs } from '../../sealing/fence/current-database.ts'
import { surveyOf } from '../../sealing/fence/queries.ts'
import { type FenceStore, unknownRoot } from '../../sealing/fence/store.ts'
import type { Sequencer } from '../../sealing/sequencer.ts'
import type { LogBook } from '../../sealing/trees.ts'
import { entryIdKind } from '../scan.ts'
import { findLosses, type Loss } from './losses.ts'
import { generationRows } from './sealed-rows.ts'

interface Declaration {
  readonly reason: string
  readonly declaredBy: string
  /** Null for all centers of the cell. */
  readonly center: number | null
  /** Restored entries without a signature in the database are taken from it as they are. The statement says so. */
  readonly unsigned: boolean
}

interface Declared {
  readonly centerId: number
  readonly domain: Domain
  readonly generation: number
  readonly restored: number
  /** The largest size that was signed. */
  readonly lost: number
}

interface DeclareNeeds {
  readonly cell: Cell
  readonly store: FenceStore
  readonly book: Pick<LogBook, 'nameOf' | 'keys'>
  readonly centers: Pick<CenterProfiles, 'profile'>
  readonly sequencer: Pick<Sequencer, 'seal'>
  readonly caller: Caller
}

const atATime = 64

const refuse = (reason: string): never => {
  throw new Problem('CONFLICT', `Nothing was changed, because ${reason}`)
}

/** Throws when nothing is lost, and where the database is not the current one. */
export async function declareLoss(
  { cell, store, book, centers, sequencer, caller }: DeclareNeeds,
  declaration: Declaration,
  progress: (line: string) => void,
): Promise<{ readonly declared: readonly Declared[]; readonly refused: readonly string[] }> {
  const { reason, declaredBy, center } = declaration
  if (reason.length > mostReason || declaredBy.length > mostDeclarer) {
    refuse(`the reason can be at most ${mostReason} characters long, and the name at most ${mostDeclarer}.`)
  }
  const { identity } = await surveyOf(cell)
  if (identity === null || (await store.read([])).state.identity !== identity) {
    refuse(`this isn't the current database. Accept it first with accept-database ${cell.name} --with-loss.`)
  }
  const finding = { cell, store, book, identity: identity as string, center }
  const losses = await findLosses(finding, (logs) => progress(`${logs} logs compared`))
  const bare = losses.filter(({ signed, size }) => signed < size).map(({ lost }) => lost[0]?.log as string)
  if (bare.length > 0 && !declaration.unsigned) {
    refuse(
      `no signature in the database covers the last restored entries of ${namedLogs(bare)}. If the database was restored to a moment before the last signatures were stored, repeat the command with --unsigned; the statement says which entries are signed.`,
    )
  }
  if (losses.length === 0) refuse('nothing is lost. The database has everything that the fence store has confirmed.')
  const declared: Declared[] = []
  const refused: string[] = []
  const limit = semaphore(atATime)
  await Promise.all(
    losses.map((loss) =>
      limit.run(async () => {
        try {
          const profile = await centers.profile(loss.centerId)
          const outcome = await sequencer.seal(successionItem(loss, declaration, profile, caller))
          if ('result' in outcome) declared.push(outcome.result)
        } catch (error) {
          if (!(error instanceof Problem) || losses.length === 1) throw error
          refused.push(`${loss.lost[0]?.log}: ${error.message}`)
        }
        const done = declared.length + refused.length
        if (done % 1000 === 0 || done === losses.length) progress(`${done} of ${losses.length} losses declared`)
      }),
    ),
  )
  return { declared, refused }
}

const inBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
const knownRoot = (root: string): string | null => (root === unknownRoot ? null : root)
const lastRoot = (root: string): string | null => (root === unknownRoot ? null : inBase64(root))

/** The first of several that declare the same loss is judged to be right; the others find another generation. */
function successionItem(
  loss: Loss,
  { reason, declaredBy }: Declaration,
  center: SealItem<Declared>['center'],
  caller: Caller,
): SealItem<Declared> {
  const { centerId, domain, generation, size, root, signed, lost, next } = loss
  const statement = {
    restored: { size, root: inBase64(root), signed },
    lost: lost.map(({ log, size: most, root: last, kept }) => ({ log, size: most, root: lastRoot(last), kept })),
    reason,
    declaredBy,
  }
  const [continued] = lost as [Loss['lost'][number]]
  return {
    center,
    caller: { ...caller, centerId },
    holds: { chains: [domain] },
    judge(batch) {
      const id = newUuid()
      const prepared = prepareSuccession(domain, typedId(entryIdKind[domain], id), statement)
      const step = { from: generation, to: next, size, root, signed, lost }
      const { sealedAt } = batch.succeed(domain, id, step, prepared)
      batch.rows(generationRows).insert({
        ...{ center_id: centerId, domain, generation: next, restored_size: size, restored_root: root },
        ...{
          lost_size: continued.size,
          lost_root: knownRoot(continued.root),
          reason,
          declared_by: declaredBy,
          declared_at: sealedAt,
        },
      })
      auditInBatch(
        batch,
        { ...caller, centerId },
        {
          type: 'integrity.alarm',
          action: 'loss_declared',
          target: { type: 'chain', id: domain },
          details: { generation: next, restored: size, lost: continued.size, reason, declaredBy },
        },
      )
      return { centerId, domain, generation: next, restored: size, lost: continued.size }
    },
  }
}
