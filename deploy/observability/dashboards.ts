/** The dashboards for Grafana, as data. A test evaluates every expression in a Prometheus that scrapes a server. */

interface Query {
  readonly expr: string
  /** The name of a line, with labels as {{label}}. */
  readonly legend: string
}

interface Panel {
  readonly title: string
  /** What the reader should look for. */
  readonly description: string
  readonly unit: 'reqps' | 's' | 'short' | 'percentunit' | 'bytes'
  readonly queries: readonly Query[]
}

interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly panels: readonly Panel[]
}

const rate = (of: string, by: string, filter = '') => `sum by (${by}) (rate(${of}${filter}[5m]))`
const quantile = (q: number, of: string, by: string) =>
  `histogram_quantile(${q}, sum by (le, ${by}) (rate(${of}_bucket[5m])))`
const panel = (
  title: string,
  description: string,
  unit: Panel['unit'],
  ...queries: (readonly [string, string])[]
): Panel => ({
  title,
  description,
  unit,
  queries: queries.map(([expr, legend]) => ({ expr, legend })),
})

export const dashboards: readonly Dashboard[] = [
  {
    uid: 'countersign-service',
    title: 'Countersign: service',
    panels: [
      panel('Requests', 'The ten busiest operations.', 'reqps', [
        `topk(10, ${rate('countersign_requests_total', 'operation')})`,
        '{{operation}}',
      ]),
      panel('Failed requests', 'Share of 5xx responses. The error budget is 0.1%.', 'percentunit', [
        'sum(rate(countersign_requests_total{status=~"5.."}[5m])) / sum(rate(countersign_requests_total[5m])) or vector(0)',
        '5xx',
      ]),
      panel('Rate-limited requests', 'Requests from callers over a limit.', 'reqps', [
        'sum(rate(countersign_requests_total{status="429"}[5m])) or vector(0)',
        '429',
      ]),
      panel('Response time', '99th percentile of the ten slowest operations.', 's', [
        `topk(10, ${quantile(0.99, 'countersign_request_seconds', 'operation')})`,
        '{{operation}}',
      ]),
      panel('Seals and events', 'Committed per second.', 'reqps', [
        rate('countersign_batch_items_total', 'queue, cell'),
        '{{queue}} {{cell}}',
      ]),
      panel('Batch size', 'Median. At 256, the cell is at its limit.', 'short', [
        quantile(0.5, 'countersign_batch_size', 'queue, cell'),
        '{{queue}} {{cell}}',
      ]),
      panel(
        'Batch wait and commit time',
        '99th percentile. Above 0.5 s, the database or the fence store is slow.',
        's',
        [quantile(0.99, 'countersign_batch_wait_seconds', 'queue, cell'), 'wait, {{queue}} {{cell}}'],
        [quantile(0.99, 'countersign_batch_commit_seconds', 'queue, cell'), 'commit, {{queue}} {{cell}}'],
      ),
      panel('Queue depth', 'If it keeps growing, the cell has more load than it can handle.', 'short', [
        'sum by (queue, cell) (countersign_queue_depth)',
        '{{queue}} {{cell}}',
      ]),
      panel('Connections in use', 'All processes, by database and pool.', 'short', [
        'sum by (database, pool) (countersign_pool_connections{state="used"})',
        '{{database}} {{pool}}',
      ]),
      panel('Requests waiting for a connection', 'If above 0 for a minute, the pool is exhausted.', 'short', [
        'sum by (database, pool) (countersign_pool_waiting)',
        '{{database}} {{pool}}',
      ]),
      panel(
        'Cells and Redis',
        '1 means up.',
        'short',
        ['min by (cell) (countersign_cell_up)', 'cell {{cell}}'],
        ['min(countersign_redis_up)', 'Redis'],
      ),
      panel('Event loop lag', '99th percentile. Above 0.1 s, the process is short of CPU time.', 's', [
        'max by (instance) (nodejs_eventloop_lag_p99_seconds)',
        '{{instance}}',
      ]),
      panel('Memory', 'Resident memory by process.', 'bytes', [
        'max by (instance) (process_resident_memory_bytes)',
        '{{instance}}',
      ]),
      panel('Versions', 'Number of processes by version.', 'short', [
        'count by (version) (countersign_build_info)',
        '{{version}}',
      ]),
    ],
  },
  {
    uid: 'countersign-evidence',
    title: 'Countersign: evidence and delivery',
    panels: [
      panel('Broken chains', 'Anything above 0 needs attention now.', 'short', [
        'max by (cell) (countersign_chains_broken)',
        '{{cell}}',
      ]),
      panel('Refused databases', '1 means that nothing is sealed in the cell until an operator acts.', 'short', [
        'max by (cell) (countersign_fence_refuses)',
        '{{cell}}',
      ]),
      panel('Fence store failures', 'Per second.', 'reqps', [
        rate('countersign_store_failures_total', 'cell'),
        '{{cell}}',
      ]),
      panel('Verified entries', 'Per second, by mode. Records are verified every hour.', 'reqps', [
        rate('countersign_entries_verified_total', 'mode'),
        '{{mode}}',
      ]),
      panel('Logs waiting for a cosignature', 'By cell and witness.', 'short', [
        'max by (cell, witness) (countersign_witness_logs_behind)',
        '{{cell}} {{witness}}',
      ]),
      panel('Witness refusals', "Logs that a witness refused or didn't respond to.", 'short', [
        'max by (cell, witness) (countersign_witness_refusals)',
        '{{cell}} {{witness}}',
      ]),
      panel('Webhook attempts', 'Per second, by outcome.', 'reqps', [
        rate('countersign_webhook_attempts_total', 'outcome'),
        '{{outcome}}',
      ]),
      panel('Oldest overdue delivery', 'Above 60 s, deliveries are late.', 's', [
        'max by (cell) (countersign_webhook_overdue_seconds)',
        '{{cell}}',
      ]),
      panel(
        'Held deliveries and open breakers',
        'Deliveries held for inactive webhooks, and endpoints that keep failing.',
        'short',
        ['max by (cell) (countersign_webhook_deliveries_held)', 'held, {{cell}}'],
        ['max by (cell) (countersign_webhook_breakers_open)', 'breakers, {{cell}}'],
      ),
      panel(
        'Workflow executions',
        'Finished per second, by status, and currently running.',
        'short',
        [rate('countersign_workflow_executions_total', 'status'), '{{status}} per second'],
        ['max by (cell) (countersign_workflow_executions_running)', 'running, {{cell}}'],
      ),
      panel(
        'Mail',
        'Mail waiting to be sent, and how overdue the oldest one is.',
        'short',
        ['max(countersign_mail_waiting)', 'waiting'],
        ['max(countersign_mail_overdue_seconds)', 'seconds overdue'],
      ),
      panel('Jobs', 'Time since each job last succeeded in any worker.', 's', [
        'time() - max by (job_name, cell) (countersign_job_last_success_timestamp_seconds)',
        '{{job_name}} {{cell}}',
      ]),
      panel('Failed jobs', 'Per second. The reason is in the log.', 'reqps', [
        'sum by (job_name) (rate(countersign_jobs_total{outcome="failure"}[5m])) or vector(0)',
        '{{job_name}}',
      ]),
    ],
  },
]

const [width, height, columns] = [12, 8, 2]
const chosenSource = { type: 'prometheus', uid: '$datasource' }

/** In the model of Grafana 10 and later; the reader chooses the data source. */
export const grafanaModel = ({ uid, title, panels }: Dashboard) => ({
  uid,
  title,
  tags: ['countersign'],
  schemaVersion: 39,
  editable: true,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
  panels: panels.map((each, n) => ({
    id: n + 1,
    type: 'timeseries',
    title: each.title,
    description: each.description,
    datasource: chosenSource,
    gridPos: { x: (n % columns) * width, y: Math.floor(n / columns) * height, w: width, h: height },
    fieldConfig: { defaults: { unit: each.unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: each.queries.map(({ expr, legend }, at) => ({
      refId: String.fromCharCode(65 + at),
      expr,
      legendFormat: legend,
      datasource: chosenSource,
    })),
  })),
})
