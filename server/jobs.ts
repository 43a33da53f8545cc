/** Every background job, bound to its queue. */
import { countEventsJob } from './features/decision-events/count-events.job.ts'
import { housekeepingJob } from './jobs/housekeeping.job.ts'
import type { Services } from './services.ts'

export const startJobs = (services: Services): Promise<void> =>
  services.jobs.start(
    services.config.role === 'api'
      ? null
      : {
          handlers: {
            housekeeping: (cell) => housekeepingJob(services, cell),
            'count-events': (cell, data) => countEventsJob(services, cell, data),
            // Every cell asks; each mail is claimed by one.
            'send-mail': async () => void (await services.mail.sendDue()),
          },
          schedules: { housekeeping: '*/10 * * * *', 'send-mail': '* * * * *' },
        },
  )
