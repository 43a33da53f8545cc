/** The services of the process, passed explicitly: without a container, every use leads to its definition. */

import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type Authenticator, authenticator } from './access/authenticate.ts'
import { type CenterProfiles, centerProfiles } from './access/center-profiles.ts'
import { type Passwords, passwords } from './access/passwords.ts'
import { type Tokens, tokens } from './access/tokens.ts'
import type { Startable } from './concurrency/loop.ts'
import type { Config } from './config/config.ts'
import { type Cells, openCells } from './data/cells.ts'
import { type ClockWatch, clockWatch } from './data/clock-watch.ts'
import { type Directory, openDirectory } from './data/directory.ts'
import { directoryChanges } from './data/directory-changes.ts'
import { type DurabilityWatch, durabilityWatch } from './data/durability-watch.ts'
import { knownCells } from './data/known-cells.ts'
import { writeHealth } from './data/write-health.ts'
import type { CenterOutbox } from './delivery/centers.ts'
import { breakerAt } from './delivery/health.ts'
import { openTransports, type Transports } from './delivery/transports.ts'
import { openStreams, type Streams } from './features/automation/stream/streams.ts'
import { changeWatcher } from './features/automation/stream/watcher.ts'
import { perEndpoint } from './features/automation/webhooks/delivery-worker.ts'
import { webhookFigures } from './features/automation/webhooks/delivery-worker-queries.ts'
import { deliveryWorkers } from './features/automation/webhooks/delivery-workers.ts'
import { openAi } from './features/automation/workflows/ai/openai-compatible.ts'
import { type Catalogue, makeCatalogue } from './features/automation/workflows/catalogue.ts'
import type { Definition } from './features/automation/workflows/definition.ts'
import { type Runner, runner } from './features/automation/workflows/runner.ts'
import { executionFigures } from './features/automation/workflows/runner-queries.ts'
import { type ExportWorkers, exportWorkers } from './features/centers/leaving/worker.ts'
import { type Recorder, recorder } from './features/evidence/decision-events/record.ts'
import { oversightCounters } from './features/evidence/oversight/counter.ts'
import type { Inheriting } from './features/evidence/policies/api.ts'
import { inheriting } from './features/evidence/policies/inherited.ts'
import { type SharedPolicies, sharedPolicies } from './features/evidence/policies/shared.ts'
import { searchIndexers } from './features/evidence/search/worker.ts'
import type { OpenWatching } from './features/evidence/transparency/api.ts'
import { type Watch, watch } from './features/evidence/transparency/publisher.ts'
import { openWatching } from './features/evidence/transparency/trust-policy.ts'
import { type Eligibility, eligibilityOutbox } from './features/identity/eligibility/outbox.ts'
import { type Notifications, openNotifications } from './features/identity/notifications/notifications.ts'
import { type PasskeyHost, passkeyHost } from './features/identity/passkeys/host.ts'
import { passkeyOutbox } from './features/identity/passkeys/outbox.ts'
import { openPush, type Push } from './features/identity/push/push.ts'
import { type RateLimits, rateLimits } from './http/rate-limit.ts'
import type { ExplainMissing } from './http/scope.ts'
import { alarmOfSealing } from './integrity/faults.ts'
import { explainMissing } from './integrity/generations/missing-record.ts'
import { type Jobs, openJobs } from './jobs/boss.ts'
import { dueWork } from './jobs/due-work.ts'
import { wakeUps } from './jobs/wake-ups.ts'
import { type AddressGuard, addressGuard } from './lib/address-guard.ts'
import { openBrokers } from './lib/brokers/pool.ts'
import { now } from './lib/clock.ts'
import { type Metrics, makeMetrics } from './lib/metrics.ts'
import { type Queues, type ShownFigures, shownFigures } from './lib/metrics-scanned.ts'
import { openTracing } from './lib/open-tracing.ts'
import { type OutboundFetch, openOutboundFetch } from './lib/outbound-fetch.ts'
import { type Outbound, openOutbound } from './lib/outbound-http.ts'
import { openRedis } from './lib/redis.ts'
import { type SecretBox, secretBox } from './lib/secret-box.ts'
import { openSiteProbe, type SiteProbe } from './lib/site-probe.ts'
import type { Tracing } from './lib/tracing.ts'
import { openTxtRecords, type TxtRecords } from './lib/txt-records.ts'
import { version } from './lib/version.ts'
import { type Mail, openMail } from './mail/mail.ts'
import { type KeyWatch, keyWatch } from './sealing/key-watch.ts'
import { type OpenLogBook, openLogBook } from './sealing/log-book.ts'
import { sequencer } from './sealing/sequencer.ts'
import { definitions } from './workflow-library/all.ts'

export interface Services {
  readonly config: Config
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly figures: ShownFigures
  readonly queues: Queues
  readonly directory: Directory
  readonly clock: ClockWatch
  readonly durability: DurabilityWatch
  readonly cells: Cells
  readonly redis: Redis | null
  readonly limits: RateLimits
  readonly box: SecretBox
  readonly tokens: Tokens
  readonly authenticate: Authenticator
  readonly passwords: Passwords
  readonly jobs: Jobs
  readonly knownCells: Startable
  readonly mail: Mail
  readonly push: Push
  readonly notifications: Notifications
  readonly recorder: Recorder
  readonly centers: CenterProfiles
  readonly logBook: OpenLogBook
  readonly logKeys: KeyWatch
  readonly watching: OpenWatching
  readonly watch: Watch
  readonly sequencer: Inheriting
  readonly explainMissing: ExplainMissing
  readonly sharedPolicies: SharedPolicies
  readonly passkeyHost: PasskeyHost
  readonly passkeyOutbox: CenterOutbox
  readonly eligibility: Eligibility
  readonly addressGuard: AddressGuard
  readonly transports: Transports
  readonly deliveryWorkers: Startable
  readonly searchIndexers: Startable
  readonly oversightCounters: Startable
  readonly outbound: Outbound
  readonly outboundFetch: OutboundFetch
  readonly txtRecords: TxtRecords
  readonly siteProbe: SiteProbe
  readonly catalogue: Catalogue
  readonly workflows: Runner
  readonly exports: ExportWorkers
  readonly streams: Streams
  close(): Promise<void>
}

/** Replacements that a test may pass. */
export interface Brought {
  readonly definitions?: readonly Definition[]
  /** The authority of the certificates of centers' domains, in PEM. */
  readonly siteAuthority?: string
}

export function openServices(config: Config, log: Logger, brought: Brought = {}): Services {
  const health = writeHealth()
  const directory = openDirectory(config, log, health)
  const clock = clockWatch(directory, log)
  const durability = durabilityWatch(config, log)
  const redis = openRedis(config.redisUrl, log)
  const waking = wakeUps(redis, config.redisPrefix, log)
  const cells = openCells(config, log, waking.wrote, health)
  const logBook = openLogBook(config, cells, log)
  const watching = openWatching(config, logBook)
  const logKeys = keyWatch(logBook.keys, directory, config.role, log)
  const box = secretBox(config.secretKeys)
  const keyRing = tokens(config, directory, box)
  const changes = directoryChanges(config.databaseUrl, config.logins, log)
  const credentials = authenticator(directory, keyRing, log, changes.coverage)
  const centers = centerProfiles(directory, changes.coverage)
  const authenticate: Authenticator = {
    ...credentials,
    forget(...tags) {
      credentials.forget(...tags)
      for (const tag of tags) centers.forget(tag)
    },
  }
  const figures = shownFigures()
  const queues: Queues = {
    webhooks: () => cells.ofEach((cell) => cell.asJobs((db) => webhookFigures(db, now(), breakerAt))),
    executions: () => cells.ofEach((cell) => cell.asJobs((db) => executionFigures(db, now()))),
  }
  const metrics = makeMetrics({
    version,
    redisUp: () => redis && redis.status === 'ready',
    pools: () => [['directory', directory.pools()], ...cells.all.map((cell) => [cell.name, cell.pools()] as const)],
    lockedChains: () => sequencing.locked(),
    scanned: figures.shown,
    clockSkewMs: clock.skewMs,
    durabilityFaults: durability.faults,
    logKey: () => ({ vkey: logBook.keys.current.vkey, refuses: logBook.keys.refuses }),
    fences: () => cells.all.map(({ name }) => [name, logBook.fenceOf(name).health()]),
    cellsUp: () => cells.up(),
  })
  const tracing = openTracing(config.telemetry, metrics, log)
  const due = dueWork(log, waking)
  const jobs = openJobs({ config, cells, log, metrics, tracing, due, wakeUps: waking })
  const known = knownCells({ config, directory, cells, added: jobs.add, log })
  const shared = sharedPolicies(directory, cells, log)
  const { allowedNetworks, dnsServers } = config.webhooks
  const outbound = openOutbound({ allowedNetworks, dnsServers, connectionsPerOrigin: perEndpoint })
  const brokers = openBrokers({ allowedNetworks, dnsServers })
  const outboundFetch = openOutboundFetch({ allowedNetworks, dnsServers })
  const txtRecords = openTxtRecords(dnsServers)
  const siteProbe = openSiteProbe({
    ...{ allowedNetworks, dnsServers, target: config.siteTarget, ca: brought.siteAuthority },
  })
  const guard = addressGuard(allowedNetworks)
  const transports = openTransports({ config, guard, outbound, brokers })
  const mail = openMail({ config, directory, box, transports, log })
  const push = openPush({ box, centers, directory, log, transports })
  const notifications = openNotifications({ config, cells, centers, directory, mail, push, log })
  const sealing = sequencer(cells, logBook, log, alarmOfSealing(log), {
    admit: clock.require,
    watch: (cell) => metrics.batches('seals', cell),
  })
  const sequencing = inheriting(sealing, {
    cells,
    directory,
    log,
  })
  const deliveries = deliveryWorkers({
    due,
    cells,
    book: logBook,
    transports,
    box,
    metrics,
    tracing,
    log,
  })
  const outbox = passkeyOutbox({ config, directory, centers, mail, sequencer: sequencing, log })
  const eligibility = eligibilityOutbox({ config, directory, centers, mail, sequencer: sequencing, log })
  changes.subscribe(authenticate.forget)
  const ai = openAi(config.ai)
  const catalogue = makeCatalogue(brought.definitions ?? definitions)
  const running = runner({ due, cells, catalogue, directory, centers, sequencer: sequencing, ai, metrics, log })
  const exporting = exportWorkers({ due, cells, config, directory, book: logBook, watching, log })
  const watchers = watch(cells, watching, config, log, waking)
  const indexers = searchIndexers(cells, log)
  const counters = oversightCounters(cells, centers, log)
  const streams = openStreams({ changes, watcher: changeWatcher({ cells, log }), log })
  return {
    config,
    log,
    metrics,
    tracing,
    figures,
    queues,
    directory,
    clock,
    durability,
    cells,
    redis,
    box,
    authenticate,
    jobs,
    knownCells: known,
    mail,
    push,
    notifications,
    limits: rateLimits(config, redis),
    tokens: keyRing,
    passwords: passwords(),
    recorder: recorder(cells, jobs, (cell) => metrics.batches('events', cell)),
    centers,
    logBook,
    logKeys,
    watching,
    watch: watchers,
    sequencer: sequencing,
    explainMissing: explainMissing(cells, logBook),
    sharedPolicies: shared,
    passkeyHost: passkeyHost(config),
    passkeyOutbox: outbox,
    eligibility,
    addressGuard: guard,
    transports,
    deliveryWorkers: deliveries,
    searchIndexers: indexers,
    oversightCounters: counters,
    outbound,
    outboundFetch,
    txtRecords,
    siteProbe,
    catalogue,
    workflows: running,
    exports: exporting,
    streams,
    async close() {
      await known.stop()
      await logKeys.stop()
      await clock.stop()
      await durability.stop()
      await streams.stop()
      await shared.stop()
      await outbox.stop()
      await eligibility.stop()
      await deliveries.stop()
      await indexers.stop()
      await counters.stop()
      await running.stop()
      await exporting.stop()
      await ai.close()
      await watchers.stop()
      await notifications.stop()
      await push.close()
      await Promise.all([outbound.close(), brokers.close(), outboundFetch.close()])
      txtRecords.close()
      siteProbe.close()
      await jobs.stop()
      await authenticate.close()
      await changes.stop()
      await mail.close()
      await logBook.close()
      await Promise.all([directory.close(), cells.close()])
      waking.close()
      redis?.disconnect()
      await tracing.close()
    },
  }
}
