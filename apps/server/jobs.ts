/** Every background job, bound to its queue. */

import { recoverWebhooksJob } from './features/automation/webhooks/recover-webhooks.job.ts'
import { passOnPlacesJob } from './features/centers/bookings/pass-on-places.job.ts'
import { checkDomainsJob } from './features/centers/domains/check-domains.job.ts'
import { endTrialsJob } from './features/centers/subscription/end-trials.job.ts'
import { notifyChannelsJob } from './features/evidence/channels/notify-channels.job.ts'
import { countEventsJob } from './features/evidence/decision-events/count-events.job.ts'
import { waitingDecisionsJob } from './features/evidence/decisions/waiting-decisions.job.ts'
import { tellFreezesJob } from './features/evidence/freezes/tell-freezes.job.ts'
import { tellIntegrityJob } from './features/evidence/verification/tell-integrity.job.ts'
import { verifyChainsJob } from './features/evidence/verification/verify-chains.job.ts'
import { tellPeopleJob } from './features/identity/notifications/tell-people.job.ts'
import { housekeepingJob } from './housekeeping.job.ts'
import { readFiguresJob } from './read-figures.job.ts'
import type { Services } from './services.ts'

export async function startJobs(services: Services): Promise<void> {
  services.knownCells.start()
  services.logKeys.start()
  services.clock.start()
  services.durability.start()
  // In every process, whatever its role, because each process has its own cache to refresh.
  services.sharedPolicies.start()
  // In every process too, so that the one that registers a key delivers it at once.
  services.passkeyOutbox.start()
  services.eligibility.start()
  if (services.config.role !== 'api') {
    services.deliveryWorkers.start()
    services.watch.start()
    services.workflows.start()
    services.exports.start()
    services.notifications.start()
    services.searchIndexers.start()
    services.oversightCounters.start()
  }
  await services.jobs.start(
    services.config.role === 'api'
      ? null
      : {
          handlers: {
            housekeeping: (cell) => housekeepingJob(services, cell),
            'count-events': (cell, data) => countEventsJob(services, cell, data),
            'waiting-decisions': (cell, data) => waitingDecisionsJob(services, cell, data),
            'notify-channels': (cell) => notifyChannelsJob(services, cell),
            'recover-webhooks': (cell, _data, stop) => recoverWebhooksJob(services, cell, stop),
            'verify-chains': (cell, _data, stop) => verifyChainsJob(services, cell, stop),
            'tell-integrity': (cell) => tellIntegrityJob(services, cell),
            'tell-freezes': (cell) => tellFreezesJob(services, cell),
            'pass-on-places': (cell) => passOnPlacesJob(services, cell),
            'tell-people': (cell) => tellPeopleJob(services, cell),
            'read-figures': (cell) => readFiguresJob(services, cell),
            'end-trials': async () => void (await endTrialsJob(services)),
            // Every cell runs these three; one of them claims each domain, each mail and each push message.
            'check-domains': async () => void (await checkDomainsJob(services)),
            'send-mail': async () => void (await services.mail.sendDue()),
            'send-push': async () => void (await services.push.sendDue()),
          },
          schedules: {
            housekeeping: '*/10 * * * *',
            'waiting-decisions': '* * * * *',
            'check-domains': '*/10 * * * *',
            'send-mail': '* * * * *',
            'read-figures': '* * * * *',
            'tell-integrity': '* * * * *',
            'tell-freezes': '* * * * *',
            'pass-on-places': '* * * * *',
            'tell-people': '* * * * *',
            'send-push': '* * * * *',
            'end-trials': '*/5 * * * *',
            'notify-channels': '* * * * *',
            // Asked for with each recovery; this is for one whose worker died.
            'recover-webhooks': '*/5 * * * *',
            'verify-chains': '17 * * * *',
          },
        },
  )
}
