/** Looks again for the records of proven domains that are due. The job of every cell tries; one of them takes each domain. */
import type { Logger } from 'pino'
import { leaseWorker } from '../../../concurrency/leases.ts'
import type { Config } from '../../../config/config.ts'
import type { Directory } from '../../../data/directory.ts'
import { tableLeases } from '../../../delivery/lease-queries.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import type { SiteProbe } from '../../../lib/site-probe.ts'
import type { TxtRecords } from '../../../lib/txt-records.ts'
import { look, recordLooked } from './domains.ts'
import { checks, type DueDomain } from './queries.ts'

interface CheckNeeds {
  readonly config: Pick<Config, 'mailSpf'>
  readonly directory: Directory
  readonly log: Logger
  readonly txtRecords: TxtRecords
  readonly siteProbe: SiteProbe
}

const most = 20
/** Until then a domain that a crashed worker took is not checked again. */
const seconds = 600

/** Returns the number of domains that count no longer. */
export async function checkDomainsJob(needs: CheckNeeds): Promise<number> {
  const { config, directory, log, txtRecords, siteProbe } = needs
  const looking = { txtRecords, siteProbe, mailSpf: config.mailSpf }
  const caller = { requestId: 'check-domains', actorId: null, centerId: 0 }
  let lapsed = 0
  const checking = leaseWorker<DueDomain>({
    name: 'domains',
    store: tableLeases<DueDomain>(checks, (work) => directory.identity(caller, ({ db }) => work(db))),
    most,
    seconds,
    retryAt: () => secondsFromNow(seconds),
    async work(row) {
      const { id, domain, purpose } = row
      const looked = await look(row, looking)
      const judged = await directory.identity(caller, (tx) => recordLooked(tx, id, looked))
      if (judged?.proven_at === null) {
        lapsed++
        log.warn({ domain, purpose }, 'a domain lost its TXT record and counts no longer')
      }
      return 'done'
    },
    log,
    fields: (row) => ({ domain: row?.domain }),
  })
  await checking.drain()
  return lapsed
}
