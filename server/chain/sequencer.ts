/**
 * Group commit of seals. One batch is in flight per process and cell; whatever arrives meanwhile is the next. No timer:
 * when idle a seal waits for one commit, under load a commit carries hundreds. Each caller is answered after the commit
 * that holds what it asked for, and whoever lost is told so.
 */
import type { Cell, Cells } from '../data/cells.ts'
import { sqlState } from '../data/transaction.ts'
import type { Answer } from '../http/idempotency.ts'
import { isStorable, keptSeconds } from '../http/idempotency.ts'
import { now, secondsFromNow } from '../lib/clock.ts'
import { failpoint } from '../lib/failpoint.ts'
import { Problem } from '../lib/problem.ts'
import { makeBatch, type OpenBatch } from './batch.ts'
import type { Claim, Item, Outcome } from './item.ts'
import { openBatch, writeBatch } from './queries.ts'
import type { TakenRow } from './rows.ts'

export interface Limits {
  readonly maxBatch: number
  /** One: the next batch waits on the same heads anyway, and gathers more meanwhile. */
  readonly maxInFlight: number
}
const usual: Limits = { maxBatch: 256, maxInFlight: 1 }
/** Beyond this a caller would wait longer than it is worth: it is told to come back. */
const maxWaiting = 4096

export interface Sequencer {
  seal<T>(item: Item<T>, claim?: Claim<T>): Promise<Outcome<T>>
}

interface Waiting {
  readonly item: Item<unknown>
  readonly claim: Claim<unknown> | null
  resolve(outcome: Outcome<unknown>): void
  reject(error: unknown): void
}

export function sequencer(cells: Cells, logHost: string, limits: Limits = usual): Sequencer {
  const lines = new Map<string, (waiting: Waiting) => void>()
  return {
    seal: <T>(item: Item<T>, claim?: Claim<T>) =>
      new Promise<Outcome<T>>((resolve, reject) => {
        let join = lines.get(item.center.cell)
        if (!join) {
          join = makeLine(cells.of(item.center.cell), logHost, limits)
          lines.set(item.center.cell, join)
        }
        join({ item, claim: claim ?? null, resolve, reject } as Waiting)
      }),
  }
}

function makeLine(cell: Cell, logHost: string, { maxBatch, maxInFlight }: Limits): (waiting: Waiting) => void {
  let waiting: Waiting[] = []
  let inFlight = 0

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const { batch, rest } = nextBatch(waiting, maxBatch)
      waiting = rest
      await commit(cell, logHost, batch)
    }
    inFlight--
  }

  return (each) => {
    if (waiting.length >= maxWaiting) {
      each.reject(
        new Problem('SERVICE_UNAVAILABLE', 'Too many decisions are waiting to be sealed; try again in a second.', {
          retryAfter: 1,
        }),
      )
      return
    }
    waiting.push(each)
    failpoint('seal.queued')
    if (inFlight >= maxInFlight) return
    inFlight++
    // Begun after this turn of the loop, so that requests read in the same turn share the first batch too.
    setImmediate(() => void drain())
  }
}

/** Two with the same Idempotency-Key do not share a batch: the second finds the first one's answer in the next. */
function nextBatch(waiting: readonly Waiting[], maxBatch: number): { batch: Waiting[]; rest: Waiting[] } {
  const keys = new Set<string>()
  const batch: Waiting[] = []
  const rest: Waiting[] = []
  for (const each of waiting) {
    const key = each.claim ? placeOf(each.item.center.centerId, each.claim.request) : null
    if (batch.length >= maxBatch || (key !== null && keys.has(key))) {
      rest.push(each)
      continue
    }
    if (key !== null) keys.add(key)
    batch.push(each)
  }
  return { batch, rest }
}

const placeOf = (
  centerId: number,
  { principal, method, path, key }: Omit<TakenRow, 'center_id' | 'fingerprint' | 'status' | 'body'>,
) => [centerId, principal, method, path, key].join('\n')

/** An item whose judgement failed after it had begun to write: the batch is done again without it. */
class Poisoned extends Error {
  readonly culprit: Waiting
  constructor(culprit: Waiting, cause: unknown) {
    super('an item failed halfway', { cause })
    this.culprit = culprit
  }
}

type Settled = { readonly outcome: Outcome<unknown> } | { readonly problem: unknown }

async function commit(cell: Cell, logHost: string, batch: readonly Waiting[], again = true): Promise<void> {
  if (batch.length === 0) return
  let settled: readonly Settled[]
  try {
    settled = await attempt(cell, logHost, batch)
  } catch (error) {
    if (error instanceof Poisoned) {
      error.culprit.reject(error.cause)
      return commit(
        cell,
        logHost,
        batch.filter((each) => each !== error.culprit),
      )
    }
    if (isAboutData(error) && batch.length > 1) {
      // One of them cannot be stored: each is tried alone, so that it fails alone.
      for (const each of batch) await commit(cell, logHost, [each])
      return
    }
    // Somebody recorded the same decision in the same moment; now it is there to be seen.
    if (isTaken(error) && again) return commit(cell, logHost, batch, false)
    for (const each of batch) each.reject(error)
    return
  }
  failpoint('seal.committed')
  batch.forEach((each, index) => {
    const result = settled[index] as Settled
    failpoint('seal.answer')
    if ('problem' in result) each.reject(result.problem)
    else each.resolve(result.outcome)
    failpoint('seal.answered')
  })
}

function attempt(cell: Cell, logHost: string, waiting: readonly Waiting[]): Promise<readonly Settled[]> {
  failpoint('seal.begin')
  const centers = [...new Set(waiting.map(({ item }) => item.center.centerId))].sort((a, b) => a - b)
  return cell.inBatch(centers, async (tx) => {
    failpoint('seal.begun')
    const opened = await openBatch(tx, waiting, now().toISOString(), secondsFromNow(keptSeconds).toISOString())
    // Read while the chains are held: whoever held them before has an earlier time, and whoever waits a later one.
    const at = now().toISOString()
    failpoint('seal.opened')
    const open = makeBatch(opened, at, logHost)
    const taken = new Map((opened.taken ?? []).map((row) => [placeOf(row.center_id, row), row]))
    const settled = waiting.map((each) => settle(each, open, taken))
    failpoint('seal.judged')
    await writeBatch(tx, open)
    failpoint('seal.written')
    return settled
  })
}

function settle(each: Waiting, open: OpenBatch, taken: ReadonlyMap<string, TakenRow>): Settled {
  const { item, claim } = each
  const record = claim && taken.get(placeOf(item.center.centerId, claim.request))
  if (claim && record) return replay(claim, record)
  const before = effects(open)
  try {
    const result = item.judge(open.batch)
    failpoint('seal.settled')
    if (claim) keepAnswer(open, each.item, claim, claim.render(result))
    return { outcome: { result } }
  } catch (error) {
    if (effects(open) !== before) throw new Poisoned(each, error)
    if (claim) keepAnswer(open, each.item, claim, error instanceof Problem ? claim.refuse(error) : null)
    return { problem: error }
  }
}

function replay(claim: Claim<unknown>, { fingerprint, status, body }: TakenRow): Settled {
  if (fingerprint !== claim.request.fingerprint.toString('hex')) {
    return {
      problem: new Problem(
        'CONFLICT',
        'This Idempotency-Key was used for another request; use a new key for a new action.',
      ),
    }
  }
  return { outcome: { replay: { status, body: Buffer.from(body ?? '', 'base64').toString() } } }
}

/** Expired by every clock, also one that is behind. */
const longAgo = '1970-01-01T00:00:00.000Z'

/** The answer is stored with the effect; one that must not be repeated gives its key back. */
function keepAnswer({ writes }: OpenBatch, item: Item<unknown>, claim: Claim<unknown>, answer: Answer | null) {
  const { principal, method, path, key } = claim.request
  const place = { center_id: item.center.centerId, principal, method, path, key }
  writes.answers.push(
    answer && isStorable(answer.status)
      ? { ...place, status: answer.status, body: Buffer.from(answer.body).toString('base64') }
      : { ...place, expires_at: longAgo },
  )
}

const effects = ({ writes }: OpenBatch): number =>
  writes.entries.length +
  writes.events.length +
  writes.moves.size +
  writes.approvals.length +
  writes.units.length +
  writes.changedUnits.size +
  writes.history.length +
  writes.policies.length +
  writes.published.length +
  writes.audit.length

const databaseState = (error: unknown): string => sqlState(error instanceof Problem ? error.cause : error)
/** Data exceptions and constraint violations: about a row, not about the connection or the server. */
const isAboutData = (error: unknown): boolean => /^(22|23)/.test(databaseState(error))
const isTaken = (error: unknown): boolean => databaseState(error) === '23505'
