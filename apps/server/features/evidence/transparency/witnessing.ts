/**
 * Submits new checkpoints to the witnesses (c2sp.org/tlog-witness) and stores their cosignatures. A refusing witness
 * has seen another history. That raises an alarm and does not stop sealing, because otherwise a witness could stop
 * every center.
 */
import type { Domain } from '@countersign/proof/chain.ts'
import { checkNote, parseNote } from '@countersign/proof/signed-note.ts'
import { consistencyProof } from '@countersign/proof/tree.ts'
import type { PolicyWitness } from '@countersign/proof/trust-policy.ts'
import type { Logger } from 'pino'
import { audit } from '../../../audit/audit.ts'
import { semaphore } from '../../../concurrency/semaphore.ts'
import type { Cell } from '../../../data/cells.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { openService, type Service } from '../../../lib/outbound-http.ts'
import { inBase64 } from '../../../sealing/log-keys.ts'
import { confirmedNewest, type ShowingBook, type ShownCheckpoint } from './confirmed.ts'
import type { WaitingLogs } from './grown-logs.ts'
import { readNodes } from './nodes.ts'
import { keepCosignature, keepRefusal, type LogName, type Unseen, unseenBy } from './publisher-queries.ts'

/** The number of logs per turn, and how many at a time. */
const perTurn = 200
const atATime = 8
const retrySeconds = 30

export interface WitnessClient {
  readonly witness: PolicyWitness
  readonly service: Service
}

export const openWitnesses = (witnesses: readonly PolicyWitness[]): readonly WitnessClient[] =>
  witnesses.flatMap((witness) => {
    if (witness.url === null) return []
    const url = `${witness.url.replace(/\/$/, '')}/add-checkpoint`
    return [{ witness, service: openService(url, { timeoutMs: 5000, maxBytes: 64 * 1024 }) }]
  })

/** One turn over logs that a witness has not cosigned yet. Returns how many logs it cosigned. */
export async function showToWitness(
  cell: Cell,
  client: WitnessClient,
  book: ShowingBook,
  log: Logger,
  stop: AbortSignal,
  waiting: WaitingLogs,
): Promise<number> {
  const { name } = client.witness
  const look = (logs: readonly LogName[] | null, most: number) => cell.asJobs((db) => unseenBy(db, name, logs, most))
  const unseen = await waiting.due(look, perTurn)
  const limit = semaphore(atATime)
  const cosigned = unseen.map((each) =>
    limit.run(async () => !stop.aborted && (await showOne(cell, client, book, log, each, stop))),
  )
  return (await Promise.all(cosigned)).filter(Boolean).length
}

async function showOne(
  cell: Cell,
  { witness, service }: WitnessClient,
  book: ShowingBook,
  log: Logger,
  { center_id, domain, seen }: Unseen,
  stop: AbortSignal,
): Promise<boolean> {
  const job = <T>(work: Parameters<typeof cell.inTenantJob<T>>[2]) => cell.inTenantJob(center_id, 'witnessing', work)
  let refusal = 'its answer could not be parsed'
  // Two attempts: a witness that has cosigned a larger size than the stored one reports it, and gets a proof from
  // there.
  for (let old = seen, tries = 0; tries < 2; tries++) {
    const submission = await job(async (tx) => {
      const row = await confirmedNewest(tx, book, domain)
      if (!row || old > row.size) return row ? { row, body: null } : null
      const proof = consistencyProof(old, row.size, await readNodes(tx, null, domain, { oldSize: old, size: row.size }))
      return { row, body: `old ${old}\n${proof.map((hash) => `${inBase64(hash)}\n`).join('')}\n${row.note}` }
    })
    if (!submission) return false
    const { row, body } = submission
    if (body === null) {
      refusal = `it has cosigned ${old} entries, and this database has ${row.size}`
      break
    }
    const answer = await service.post({ 'content-type': 'text/plain; charset=utf-8' }, body, stop)
    if (answer.status === 200) {
      const line = cosignatureIn(row, witness, answer.body)
      if (line !== null) {
        await job((tx) => keepCosignature(tx, domain, row.size, witness.name, line, now()))
        return true
      }
      refusal = 'its cosignature is not by the key that the policy names'
      break
    }
    if (answer.status === null) {
      await job((tx) => keepRefusal(tx, domain, witness.name, 'no answer', secondsFromNow(retrySeconds)))
      log.warn({ witness: witness.name, reason: answer.failure }, 'a witness does not answer; it will be asked again')
      return false
    }
    refusal = `${answer.status}: ${answer.body.trim().slice(0, 300)}`
    const known = answer.status === 409 ? /^(0|[1-9]\d{0,15})\n$/.exec(answer.body)?.[1] : undefined
    if (known === undefined || Number(known) === old) break
    old = Number(known)
  }
  await refused(job, log, witness, center_id, domain, refusal)
  return false
}

type Job = <T>(
  work: Parameters<Cell['inTenantJob']>[2] extends (tx: infer X) => unknown ? (tx: X) => Promise<T> : never,
) => Promise<T>

async function refused(
  job: Job,
  log: Logger,
  { name }: PolicyWitness,
  centerId: number,
  domain: Domain,
  reason: string,
): Promise<void> {
  const isNews = await job(async (tx) => {
    const changed = await keepRefusal(tx, domain, name, reason, secondsFromNow(retrySeconds))
    if (changed) {
      const target = { type: 'chain', id: domain }
      await audit(tx, {
        type: 'integrity.alarm',
        action: 'witness_refused',
        target,
        details: { witness: name, reason },
      })
    }
    return changed
  })
  if (!isNews) return
  log.error(
    { centerId, domain, witness: name, reason },
    `The witness ${name} does not cosign the chain "${domain}" of center ${centerId}: ${reason}. Either the witness is mistaken or history was rewritten; follow "A witness refuses" in docs/runbook.md.`,
  )
}

/** The signature line of this witness, verified before it is stored, because exports include it. */
function cosignatureIn({ note }: ShownCheckpoint, { key }: PolicyWitness, lines: string): string | null {
  try {
    const signed = parseNote(`${note}${lines}`)
    const { cosignedBy, bad } = checkNote(signed, [key])
    if (cosignedBy.length === 0 || bad.length > 0) return null
    return (
      lines
        .split('\n')
        .find((line) => line.startsWith(`— ${key.name} `))
        ?.concat('\n') ?? null
    )
  } catch {
    return null
  }
}
