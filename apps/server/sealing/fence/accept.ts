/** An operator makes a database the current one, after every head was compared with the store. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { Cell } from '../../data/cells.ts'
import { Problem } from '../../lib/problem.ts'
import { isSigned } from '../log-keys.ts'
import type { LogBook } from '../trees.ts'
import { type AskedLogs, type AskedWitness, askWitnesses } from './ask-witnesses.ts'
import { type Comparison, compareHeads } from './compare.ts'
import { besideReason, isBeside, namedLogs } from './current-database.ts'
import type { Whereabouts } from './fence.ts'
import { bindDatabase, headsAfter, type SignedHead, surveyOf } from './queries.ts'
import { type FenceStore, type Found, type StoreState, unknownRoot } from './store.ts'

export interface AcceptOptions {
  /** Logs that lack confirmed entries stay closed; the others go on. */
  readonly withLoss: boolean
  /** The former store and its copy are lost: what was signed is taken from the database. */
  readonly newStore: boolean
  /** With a new store: heads without a signature are taken from the database as they are. */
  readonly unsigned: boolean
}

export interface Accepted {
  readonly identity: string
  readonly wasCurrent: boolean
  readonly compared: number
  readonly lost: readonly string[]
  /** Heads that the store did not know. */
  readonly adopted: number
  readonly witnesses: AskedLogs
}

const perPage = 1000
const acceptMs = 60_000

const refuse = (reason: string): never => {
  throw new Problem('CONFLICT', `Nothing was changed, because ${reason}`)
}

export async function acceptDatabase(
  cell: Cell,
  store: FenceStore,
  book: Pick<LogBook, 'nameOf' | 'keys'>,
  options: AcceptOptions,
  witnesses: readonly AskedWitness[],
  progress: (line: string) => void,
): Promise<Accepted> {
  const where = await surveyOf(cell)
  const identity = where.identity ?? refuse('the database is a standby. Promote it first.')
  const before = (await store.read([])).state
  if (isBeside(before, identity)) refuse(`${besideReason}.`)
  if (await store.isRetired(identity)) refuse("this database was replaced by another one and can't be used again.")
  requireTogether(where, before, await store.hasLogs(), options)
  const comparison =
    (await compareHeads(cell, store, identity, (logs) => progress(`${logs} logs compared`))) ??
    refuse('the connections lead to different databases. Point them at the same one, and repeat the command.')
  requireWhole(comparison, options)
  const asked = await askWitnesses(cell, book, witnesses, progress)
  requireWitnessed(asked, options)
  const adopted = await unknownHeads(cell, store, book, options.unsigned, progress)
  const { compared, lost, writes } = comparison
  const { databaseId } = where
  const reason = await store.write('accept', acceptMs, { databaseId, identity, writes }, [
    ...adopted,
    ...asked.ahead.map(({ log, size }) => ({ log, size, root: unknownRoot })),
  ])
  if (reason !== null) refuse('a process is still sealing with this store. Stop all processes, and repeat the command.')
  await bindDatabase(cell, before.id, true)
  const closed = [...new Set([...lost, ...asked.ahead.map(({ log }) => log)])]
  const wasCurrent = before.identity === identity
  return { identity, wasCurrent, compared, lost: closed, adopted: adopted.length, witnesses: asked }
}

function requireTogether(
  { databaseId, storeId }: Whereabouts,
  state: StoreState,
  hasLogs: boolean,
  { newStore }: AcceptOptions,
): void {
  if (state.databaseId === databaseId && state.id === storeId) return
  if (!newStore) {
    refuse(
      "the fence store and the database don't belong together. Set TLOG_FENCE to this database's store; if that store and its copy are lost, set it to an empty folder and repeat the command with --new-store.",
    )
  }
  if (hasLogs) refuse('the fence store has logs of another database. Set TLOG_FENCE to an empty folder.')
}

function requireWhole({ lost, differing }: Comparison, { withLoss }: AcceptOptions): void {
  if (differing.length > 0) {
    refuse(
      `the database's entries differ from the confirmed ones in ${differing.length} logs: ${namedLogs(differing)}.`,
    )
  }
  if (lost.length > 0 && !withLoss) {
    refuse(
      `the database is missing confirmed entries of ${lost.length} logs: ${namedLogs(lost)}. Recover the missing entries first, or use --with-loss to keep these logs closed and continue with all others.`,
    )
  }
}

const unsigned = (size: number, log: string): string =>
  `none of our signatures covers the ${size} entries of ${log}. If a process was killed before it could sign its last entries, repeat the command with --new-store --unsigned.`

function requireWitnessed({ ahead, contradicting }: AskedLogs, { withLoss }: AcceptOptions): void {
  if (contradicting.length > 0) {
    refuse(
      `witnesses have cosigned entries that differ from the database's in these logs: ${namedLogs(contradicting)}.`,
    )
  }
  if (ahead.length > 0 && !withLoss) {
    const named = ahead.map(({ witness, log, size, has }) => `${log} (${has} entries; ${witness} has cosigned ${size})`)
    refuse(
      `witnesses have cosigned more entries than the database has in these logs: ${namedLogs(named)}. Recover the missing entries first, or use --with-loss to keep these logs closed and continue with all others.`,
    )
  }
}

/** Heads beyond what the store has confirmed. Each is reserved there, or has our signature. */
async function unknownHeads(
  cell: Cell,
  store: FenceStore,
  { nameOf, keys }: Pick<LogBook, 'nameOf' | 'keys'>,
  trusted: boolean,
  progress: (line: string) => void,
): Promise<readonly Found[]> {
  const adopted: Found[] = []
  const nameOfHead = ({ center_id, domain, generation }: SignedHead) =>
    nameOf({ center_id, domain: domain as Domain, generation })
  let heads = 0
  for (let after = { center_id: 0, domain: '' }; ; ) {
    const page = await headsAfter(cell, after, perPage)
    const last = page.at(-1)
    if (!last) return adopted
    after = last
    const { logs } = await store.read(page.map(nameOfHead))
    for (const head of page) {
      const { next_index: size, root, line } = head
      const log = nameOfHead(head)
      const { confirmed, reserved } = logs.get(log) ?? {}
      if (size <= (confirmed?.size ?? 0)) continue
      const isReserved = reserved?.size === size && reserved.root === root
      if (root === null || (!isReserved && !trusted && !isSigned(log, keys, line, { size, root }))) {
        return refuse(unsigned(size, log))
      }
      adopted.push({ log, size, root })
    }
    heads += page.length
    progress(`${heads} heads read`)
  }
}
