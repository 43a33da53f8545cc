/** The rule file for Prometheus and its unit tests for promtool, from the table of alerts. JSON is YAML too. */
import { type Alert, alerts } from './alerts.ts'

const labelsOf = ({ severity }: Alert) => ({ severity })

const annotationsOf = ({ name, summary }: Alert) => ({
  summary,
  runbook: `docs/alerts.md#${name.toLowerCase()}`,
})

const ruleOf = (alert: Alert) => ({
  alert: alert.name,
  expr: alert.expr,
  for: alert.for,
  labels: labelsOf(alert),
  annotations: annotationsOf(alert),
})

export const rules = (rows: readonly Alert[] = alerts, interval = '30s') => ({
  groups: [{ name: 'countersign', interval, rules: rows.map(ruleOf) }],
})

/** By then every window of the alert is filled, and it has held for long enough. */
function evaluatedAt({ expr, for: held }: Alert): string {
  if (expr.includes('[1d]')) return '26h'
  return /\[[36]h\]/.test(expr) || held === '1h' ? '390m' : '70m'
}

/** One test fires an alert, and one with harmless series does not. */
export const ruleTests = () => ({
  rule_files: ['rules.json'],
  evaluation_interval: '5m',
  tests: alerts.flatMap((alert) => {
    const eval_time = evaluatedAt(alert)
    const inputs = (series: Alert['fires']) => series.map(([name, values]) => ({ series: name, values }))
    return [
      {
        name: `${alert.name} fires`,
        interval: '1m',
        input_series: inputs(alert.fires),
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert.name}",alertstate="firing"})`,
            eval_time,
            exp_samples: [{ labels: '{}', value: 1 }],
          },
        ],
      },
      {
        name: `${alert.name} does not fire`,
        interval: '1m',
        input_series: inputs(alert.silent),
        promql_expr_test: [
          { expr: `count(ALERTS{alertname="${alert.name}",alertstate="firing"})`, eval_time, exp_samples: [] },
        ],
      },
    ]
  }),
})
