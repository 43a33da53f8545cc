/** Looks again for the records of proven domains that are due. The job of every cell tries; one of them takes each domain. */
import type { Logger } from 'pino'
import { leaseWorker } from '../../../concurrency/leases.ts'
import type { Directory } from '../../../data/directory.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import type { TxtRecords } from '../../../lib/txt-records.ts'
import { recordFinding } from './domains.ts'
import { findingOf, recordName } from './proof.ts'
import { type DueDomain, putOffCheck, takeDue } from './queries.ts'

interface CheckNeeds {
  readonly directory: Directory
  readonly log: Logger
  readonly txtRecords: TxtRecords
}

const most = 20
/** Until then a domain that a crashed worker took is not checked again. */
const seconds = 600

/** Returns the number of domains that count no longer. */
export async function checkDomainsJob({ directory, log, txtRecords }: CheckNeeds): Promise<number> {
  const caller = { requestId: 'check-domains', actorId: null, centerId: 0 }
  let lapsed = 0
  const checks = leaseWorker<DueDomain>({
    name: 'domains',
    store: {
      take: (at, until, free) => directory.identity(caller, (tx) => takeDue(tx, { at, until, most: free, held: [] })),
      release: async (domain, at) => void (await directory.identity(caller, (tx) => putOffCheck(tx, domain, at))),
    },
    most,
    seconds,
    retryAt: () => secondsFromNow(seconds),
    async work({ id, domain, purpose, token }) {
      const finding = findingOf(await txtRecords.at(recordName(domain)), token)
      const judged = await directory.identity(caller, (tx) => recordFinding(tx, id, finding))
      if (judged?.proven_at === null) {
        lapsed++
        log.warn({ domain, purpose }, 'a domain lost its TXT record and counts no longer')
      }
      return 'done'
    },
    log,
    fields: (row) => ({ domain: row?.domain }),
  })
  await checks.drain()
  return lapsed
}
