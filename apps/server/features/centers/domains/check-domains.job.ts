/** Looks again for the records of proven domains that are due. The job of every cell tries; each domain is claimed once. */
import type { Logger } from 'pino'
import type { Directory } from '../../../data/directory.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import type { TxtRecords } from '../../../lib/txt-records.ts'
import { recordFinding } from './domains.ts'
import { findingOf, recordName } from './proof.ts'
import { claimDue } from './queries.ts'

interface CheckNeeds {
  readonly directory: Directory
  readonly log: Logger
  readonly txtRecords: TxtRecords
}

const batch = 20
/** Until then a domain that a crashed worker claimed is not checked again. */
const claimSeconds = 600

/** Returns the number of domains that count no longer. */
export async function checkDomainsJob({ directory, log, txtRecords }: CheckNeeds): Promise<number> {
  const caller = { requestId: 'check-domains', actorId: null, centerId: 0 }
  let lapsed = 0
  for (;;) {
    const due = await directory.identity(caller, (tx) => claimDue(tx, now(), secondsFromNow(claimSeconds), batch))
    const lookups = await Promise.all(due.map(({ domain }) => txtRecords.at(recordName(domain))))
    for (const [index, row] of due.entries()) {
      const finding = findingOf(lookups[index] ?? { found: 'error' }, row.token)
      const judged = await directory.identity(caller, (tx) => recordFinding(tx, row.id, finding))
      if (judged?.proven_at !== null) continue
      lapsed++
      log.warn({ domain: row.domain, purpose: row.purpose }, 'a domain lost its TXT record and counts no longer')
    }
    if (due.length < batch) return lapsed
  }
}
