/**
 * Every alert, with what fires it. The rules for Prometheus and their unit tests are generated from this table, and each alert
 * has a section of the same name in docs/alerts.md.
 */

export interface Alert {
  readonly name: string
  readonly expr: string
  /** How long the expression holds before the alert fires. */
  readonly for: string
  /** `page`: a person acts now. `ticket`: a person acts on the next working day. */
  readonly severity: 'page' | 'ticket'
  readonly summary: string
  /** Series of one sample a minute, in the notation of promtool: those that fire it within the hour, and those that do not. */
  readonly fires: readonly (readonly [series: string, values: string])[]
  readonly silent: readonly (readonly [series: string, values: string])[]
}

const constant = (series: string, value: number | string) => [[series, `${value}x80`]] as const
const steady = (value: number) => `${value}+0`
const growing = (from: number, by: number) => `${from}+${by}`

/** Error budget of 30 days: one request in a thousand may fail. */
const errors = (window: string) =>
  `(sum(rate(countersign_requests_total{status=~"5.."}[${window}])) / sum(rate(countersign_requests_total[${window}])))`
/** One seal in a hundred may take longer than a second. */
const sealing = 'operation=~"decisionEvents.approve|decisions.approve|agents.decide"'
const slow = (window: string) =>
  `(1 - sum(rate(countersign_request_seconds_bucket{${sealing},le="1"}[${window}])) / sum(rate(countersign_request_seconds_count{${sealing}}[${window}])))`

const served = (status: string) => `countersign_requests_total{operation="decisionEvents.record",status="${status}"}`
const seals = (suffix: string) => `countersign_request_seconds${suffix}`

/** Two windows: the long one shows that the budget is really spent, the short one ends the alert when the fault ends. */
const burn = (of: (window: string) => string, budget: number, factor: number, long: string, short: string) =>
  `${of(long)} > ${factor} * ${budget} and ${of(short)} > ${factor} * ${budget}`

const burnSeries = (failing: number) =>
  [
    [served('201'), `0+${1000 - failing}x1600`],
    [served('500'), `0+${failing}x1600`],
  ] as const
const slowSeries = (fast: number) =>
  [
    [seals('_bucket{operation="agents.decide",le="1"}'), `0+${fast}x1600`],
    [seals('_count{operation="agents.decide"}'), `0+1000x1600`],
  ] as const

const storeFailures = 'sum by (cell) (increase(countersign_store_failures_total[10m]))'

export const alerts: readonly Alert[] = [
  {
    name: 'CountersignErrorBudgetFast',
    expr: burn(errors, 0.001, 14.4, '1h', '5m'),
    for: '2m',
    severity: 'page',
    summary: 'Requests are failing fast enough to use up the 30-day error budget within about two days',
    fires: burnSeries(20),
    silent: burnSeries(10),
  },
  {
    name: 'CountersignErrorBudgetSlow',
    expr: burn(errors, 0.001, 3, '1d', '2h'),
    for: '15m',
    severity: 'ticket',
    summary: 'Requests are failing fast enough to use up the 30-day error budget within ten days',
    fires: burnSeries(5),
    silent: burnSeries(2),
  },
  {
    name: 'CountersignSealsSlow',
    expr: burn(slow, 0.01, 6, '6h', '30m'),
    for: '15m',
    severity: 'page',
    summary: 'More than 6% of seals take longer than one second',
    fires: slowSeries(900),
    silent: slowSeries(960),
  },
  {
    name: 'CountersignDown',
    expr: 'up{job="countersign"} == 0',
    for: '2m',
    severity: 'page',
    summary: "A process isn't responding to the metrics collector",
    fires: constant('up{job="countersign",instance="api-1"}', steady(0)),
    silent: constant('up{job="countersign",instance="api-1"}', steady(1)),
  },
  {
    name: 'CountersignChainBroken',
    expr: 'max by (cell) (countersign_chains_broken) > 0',
    for: '0m',
    severity: 'page',
    summary: 'A stored chain is broken: records were altered outside the service',
    fires: constant('countersign_chains_broken{cell="main"}', steady(1)),
    silent: constant('countersign_chains_broken{cell="main"}', steady(0)),
  },
  {
    name: 'CountersignDatabaseRefused',
    expr: 'max by (cell) (countersign_fence_refuses) > 0',
    for: '1m',
    severity: 'page',
    summary: "The fence refuses a cell's database because it was replaced or restored; nothing is sealed in the cell",
    fires: constant('countersign_fence_refuses{cell="main"}', steady(1)),
    silent: constant('countersign_fence_refuses{cell="main"}', steady(0)),
  },
  {
    name: 'CountersignCellAway',
    expr: 'min by (cell) (countersign_cell_up) == 0',
    for: '1m',
    severity: 'page',
    summary: "A process can't write to a cell; its centers get 503",
    fires: constant('countersign_cell_up{cell="main"}', steady(0)),
    silent: constant('countersign_cell_up{cell="main"}', steady(1)),
  },
  {
    name: 'CountersignLogKeyRefused',
    expr: 'max by (instance) (countersign_log_key_refused) > 0',
    for: '0m',
    severity: 'page',
    summary: 'A process has only a stolen log key, so it seals nothing',
    fires: constant('countersign_log_key_refused{instance="api-1"}', steady(1)),
    silent: constant('countersign_log_key_refused{instance="api-1"}', steady(0)),
  },
  {
    name: 'CountersignLogKeysDiffer',
    expr: 'count(count by (key) (countersign_log_key_info)) > 1',
    for: '10m',
    severity: 'ticket',
    summary: 'Processes are signing with different log keys; at least one has an old key file',
    fires: [
      ['countersign_log_key_info{key="0fd8fdee",instance="api-1"}', '1x80'],
      ['countersign_log_key_info{key="77d1e0aa",instance="api-2"}', '1x80'],
    ],
    silent: constant('countersign_log_key_info{key="0fd8fdee",instance="api-1"}', steady(1)),
  },
  {
    name: 'CountersignClockSkew',
    expr: 'max by (instance) (abs(countersign_clock_skew_seconds)) > 2',
    for: '1m',
    severity: 'page',
    summary: "A process's clock differs from the database's; beyond 30 seconds, the process stops making changes",
    fires: constant('countersign_clock_skew_seconds{instance="api-1"}', steady(-5)),
    silent: constant('countersign_clock_skew_seconds{instance="api-1"}', '0.4+0'),
  },
  {
    name: 'CountersignNotDurable',
    // An installation that never was durable runs with DURABILITY=warn by choice.
    expr: 'max by (database) (countersign_durability_faults) > 0 and min by (database) (min_over_time(countersign_durability_faults[1d])) == 0',
    for: '5m',
    severity: 'ticket',
    summary:
      'A database lost a durability setting and may lose acknowledged data; with DURABILITY=strict, the next start fails',
    fires: [['countersign_durability_faults{database="directory"}', '0x1500 1x100']],
    silent: [['countersign_durability_faults{database="directory"}', '1x1600']],
  },
  {
    name: 'CountersignStoreFailing',
    // A busy host stalls a store for a moment, and the batch is repeated: that is worth a page when one batch in a hundred meets it.
    expr: `${storeFailures} > 3 unless ${storeFailures} <= 0.01 * sum by (cell) (increase(countersign_batch_size_count{queue="seals"}[10m]))`,
    for: '0m',
    severity: 'page',
    summary: 'The fence store is failing or too slow; seals are retried or refused',
    fires: constant('countersign_store_failures_total{cell="main"}', growing(0, 1)),
    silent: [
      ['countersign_store_failures_total{cell="main"}', '0+1x80'],
      ['countersign_batch_size_count{cell="main",queue="seals"}', '0+200x80'],
    ],
  },
  {
    name: 'CountersignWitnessAway',
    expr: 'max by (cell, witness) (countersign_witness_refusals) > 0',
    for: '15m',
    severity: 'ticket',
    summary: "A witness is refusing checkpoints or not responding, so new seals don't get its cosignature",
    fires: constant('countersign_witness_refusals{cell="main",witness="w1"}', steady(2)),
    silent: constant('countersign_witness_refusals{cell="main",witness="w1"}', steady(0)),
  },
  {
    name: 'CountersignQueueGrowing',
    expr: 'min_over_time(sum by (cell, queue) (countersign_queue_depth)[5m:30s]) > 100',
    for: '0m',
    severity: 'page',
    summary: 'Seals or events are arriving faster than the cell can commit them',
    fires: constant('countersign_queue_depth{cell="main",queue="seals"}', growing(0, 20)),
    silent: [['countersign_queue_depth{cell="main",queue="seals"}', '300 0 300 0 300 0 300 0 300 0 300 0x60']],
  },
  {
    name: 'CountersignPoolExhausted',
    expr: 'min_over_time(countersign_pool_waiting[1m]) > 0',
    for: '1m',
    severity: 'page',
    summary: 'Requests are waiting for a database connection: the pool is exhausted or statements are slow',
    fires: constant('countersign_pool_waiting{database="main",pool="api",instance="api-1"}', steady(3)),
    silent: constant('countersign_pool_waiting{database="main",pool="api",instance="api-1"}', steady(0)),
  },
  {
    name: 'CountersignNoWorker',
    expr: 'time() - max by (cell) (max_over_time(countersign_job_last_success_timestamp_seconds{job_name="read-figures"}[6h])) > 300',
    for: '1m',
    severity: 'page',
    summary: "No worker is running a cell's jobs: webhooks aren't delivered and decisions don't expire",
    fires: [['countersign_job_last_success_timestamp_seconds{cell="main",job_name="read-figures"}', '60x400']],
    silent: [['countersign_job_last_success_timestamp_seconds{cell="main",job_name="read-figures"}', '0+60x400']],
  },
  {
    name: 'CountersignJobFailing',
    expr: 'sum by (cell, job_name) (increase(countersign_jobs_total{outcome="failure"}[30m])) > 2',
    for: '0m',
    severity: 'ticket',
    summary: 'A job keeps failing',
    fires: constant('countersign_jobs_total{cell="main",job_name="send-mail",outcome="failure"}', growing(0, 1)),
    silent: constant('countersign_jobs_total{cell="main",job_name="send-mail",outcome="failure"}', steady(9)),
  },
  {
    name: 'CountersignNotVerified',
    expr: 'sum(increase(countersign_entries_verified_total{mode="records"}[3h])) == 0',
    for: '30m',
    severity: 'ticket',
    summary: 'No stored record has been verified for three hours',
    fires: [['countersign_entries_verified_total{mode="records"}', '500+0x400']],
    silent: [['countersign_entries_verified_total{mode="records"}', '500+5x400']],
  },
  {
    name: 'CountersignWebhooksLate',
    expr: 'max by (cell) (countersign_webhook_overdue_seconds) > 60',
    for: '10m',
    severity: 'page',
    summary: 'Webhook deliveries are more than one minute late',
    fires: constant('countersign_webhook_overdue_seconds{cell="main"}', growing(0, 60)),
    silent: constant('countersign_webhook_overdue_seconds{cell="main"}', steady(20)),
  },
  {
    name: 'CountersignWorkflowsLate',
    expr: 'max by (cell) (countersign_workflow_overdue_seconds) > 60',
    for: '10m',
    severity: 'ticket',
    summary: 'Workflow executions are more than one minute late',
    fires: constant('countersign_workflow_overdue_seconds{cell="main"}', growing(0, 60)),
    silent: constant('countersign_workflow_overdue_seconds{cell="main"}', steady(20)),
  },
  {
    name: 'CountersignMailLate',
    expr: 'max(countersign_mail_overdue_seconds) > 300',
    for: '10m',
    severity: 'ticket',
    summary: 'Mail is more than five minutes late: the mail server is rejecting it or is down',
    fires: constant('countersign_mail_overdue_seconds', growing(0, 60)),
    silent: constant('countersign_mail_overdue_seconds', steady(120)),
  },
  {
    name: 'CountersignRedisAway',
    expr: 'min(countersign_redis_up) == 0',
    for: '5m',
    severity: 'ticket',
    summary: "A process can't reach Redis and counts rate limits on its own, so callers can exceed their limits",
    fires: constant('countersign_redis_up{instance="api-1"}', steady(0)),
    silent: constant('countersign_redis_up{instance="api-1"}', steady(1)),
  },
  {
    name: 'CountersignVersionsMixed',
    expr: 'count(count by (version) (countersign_build_info)) > 1',
    for: '1h',
    severity: 'ticket',
    summary: 'Processes of different versions have been running longer than a rollout takes',
    fires: [
      ['countersign_build_info{version="0.1.0"}', '1x400'],
      ['countersign_build_info{version="0.2.0"}', '1x400'],
    ],
    silent: [['countersign_build_info{version="0.1.0"}', '1x400']],
  },
]
