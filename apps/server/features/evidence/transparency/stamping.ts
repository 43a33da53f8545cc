/** Time stamps (RFC 3161): once an hour, for the newest checkpoint of every log that has grown. */
import { createHash, randomBytes } from 'node:crypto'
import type { Domain } from '@countersign/proof/chain.ts'
import { derChildren, derItem } from '@countersign/proof/der.ts'
import { readTimestamp } from '@countersign/proof/timestamp.ts'
import type { Logger } from 'pino'
import type { Cell } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import type { Service } from '../../../lib/outbound-http.ts'
import { anchoringOf, type Watching } from './api.ts'
import { confirmedOver } from './confirmed.ts'
import type { WaitingLogs } from './grown-logs.ts'
import { keepTimestamp, type LogName, unstamped } from './publisher-queries.ts'

const stampEverySeconds = 3600
const perTurn = 50

/** Returns how many logs were stamped. */
export async function stampLogs(
  cell: Cell,
  service: Service,
  watching: Watching,
  log: Logger,
  stop: AbortSignal,
  waiting: WaitingLogs,
) {
  const look = (logs: readonly LogName[] | null, most: number) =>
    cell.asJobs((db) => unstamped(db, logs, stampEverySeconds, most))
  const due = await waiting.due(look, perTurn)
  let stamped = 0
  for (const { center_id, domain } of due) {
    if (stop.aborted) break
    const failure = await stampOne(cell, service, watching, center_id, domain, stop)
    if (failure === null) stamped++
    else {
      log.warn({ center_id, domain, reason: failure }, 'a checkpoint was not time-stamped; it will be tried again')
      break
    }
  }
  return stamped
}

async function stampOne(
  cell: Cell,
  service: Service,
  { policy, book }: Watching,
  centerId: number,
  domain: Domain,
  stop: AbortSignal,
): Promise<string | null> {
  const job = <T>(work: Parameters<typeof cell.inTenantJob<T>>[2]) => cell.inTenantJob(centerId, 'stamping', work)
  // Prefers a cosigned checkpoint, so that the stamp also dates the cosignatures.
  const rows = await job((tx) => confirmedOver(tx, book, domain, 0))
  const row = rows.find((each) => !each.token && anchoringOf(each, policy) === 'witnessed') ?? rows[0]
  if (!row || row.token) return null
  const text = row.note.slice(0, row.note.indexOf('\n\n') + 1)
  const digest = createHash('sha256').update(text).digest()
  const headers = { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' }
  const answer = await service.post(headers, timestampQuery(digest), stop)
  if (answer.status !== 200) return answer.failure ?? `the authority answered ${answer.status}`
  try {
    const token = tokenIn(answer.bytes)
    if (readTimestamp(token).digest !== digest.toString('hex')) return 'the token covers another digest'
    await job((tx) => keepTimestamp(tx, domain, row.size, token, now()))
    return null
  } catch (error) {
    if (error instanceof RangeError) return `the answer is not a time stamp: ${error.message}`
    throw error
  }
}

/** Version 1, SHA-256, a positive nonce, and certificates in the answer. */
const timestampQuery = (digest: Buffer): Buffer => {
  const nonce = randomBytes(8)
  nonce[0] = ((nonce[0] as number) & 0x7f) | 0x01
  return Buffer.concat([
    Buffer.from('30430201013031300d060960864801650304020105000420', 'hex'),
    digest,
    Buffer.from('0208', 'hex'),
    nonce,
    Buffer.from('0101ff', 'hex'),
  ])
}

/** TimeStampResp: a status, of which 0 and 1 mean granted, and the token after it. */
function tokenIn(response: Buffer): Buffer {
  const [status, token, ...more] = derChildren(derItem(response))
  const code = derChildren(status)[0]?.body
  if (code?.length !== 1 || (code[0] as number) > 1) throw new RangeError('the authority refused')
  if (!token || more.length > 0) throw new RangeError('the answer does not have exactly one token')
  return Buffer.from(token.whole)
}
