/**
 * Figures of a cell that need a scan of tables. The job `read-figures` reads them in one worker per cell, because a scan for
 * each scrape of each process took half a second at 100,000 endpoints. A process shows what it has read until two readings are
 * overdue: then another worker reads, or none does.
 */
import { Gauge, type Registry } from 'prom-client'
import { nowMs } from './clock.ts'

export interface WebhookFigures {
  readonly overdueSeconds: number
  readonly held: number
  readonly openBreakers: number
}

export interface ExecutionFigures {
  readonly running: number
  readonly overdueSeconds: number
}

export interface WitnessFigures {
  readonly witness: string
  /** Logs with entries that it has not cosigned. */
  readonly behind: number
  /** Logs that it refused, or for which it gave no answer, at the last attempt. */
  readonly refusing: number
}

export interface MailFigures {
  readonly waiting: number
  readonly overdueSeconds: number
}

export interface CellFigures {
  readonly brokenChains: number
  readonly webhooks: WebhookFigures
  readonly executions: ExecutionFigures
  readonly witnesses: readonly WitnessFigures[]
  /** Of the directory, read with the first cell; null with the others. */
  readonly mails: MailFigures | null
}

/** What waits in each cell that answers, read at each call: for people who look at it, not for scrapes. */
export interface Queues {
  webhooks(): Promise<ReadonlyMap<string, WebhookFigures>>
  executions(): Promise<ReadonlyMap<string, ExecutionFigures>>
}

const shownMs = 150_000

export interface ShownFigures {
  put(cell: string, figures: CellFigures): void
  shown(): ReadonlyMap<string, CellFigures>
}

export function shownFigures(): ShownFigures {
  const read = new Map<string, { readonly figures: CellFigures; readonly at: number }>()
  return {
    put: (cell, figures) => void read.set(cell, { figures, at: nowMs() }),
    shown: () =>
      new Map(
        [...read].flatMap(([cell, { figures, at }]) => (nowMs() - at < shownMs ? [[cell, figures] as const] : [])),
      ),
  }
}

const gauges: readonly (readonly [name: string, help: string, value: (of: CellFigures) => number])[] = [
  [
    'countersign_chains_broken',
    'Chains that were found broken and not cleared by an operator',
    ({ brokenChains }) => brokenChains,
  ],
  [
    'countersign_webhook_overdue_seconds',
    'Age of the oldest due delivery without an attempt, of active webhooks that are not paused',
    ({ webhooks }) => webhooks.overdueSeconds,
  ],
  [
    'countersign_webhook_deliveries_held',
    'Deliveries held for inactive webhooks, counted up to 100,000',
    ({ webhooks }) => webhooks.held,
  ],
  [
    'countersign_webhook_breakers_open',
    'Endpoints that get one attempt at a time',
    ({ webhooks }) => webhooks.openBreakers,
  ],
  ['countersign_workflow_executions_running', 'Executions that have not ended', ({ executions }) => executions.running],
  [
    'countersign_workflow_overdue_seconds',
    'Age of the oldest execution that is due and not leased',
    ({ executions }) => executions.overdueSeconds,
  ],
]

export function scannedMetrics(registry: Registry, scanned: () => ReadonlyMap<string, CellFigures>): void {
  const registers = [registry]
  for (const [name, help, value] of gauges) {
    new Gauge({
      name,
      help,
      labelNames: ['cell'],
      registers,
      collect() {
        this.reset()
        for (const [cell, figures] of scanned()) this.set({ cell }, value(figures))
      },
    })
  }
  const ofWitness = (name: string, help: string, value: (of: WitnessFigures) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['cell', 'witness'],
      registers,
      collect() {
        this.reset()
        for (const [cell, { witnesses }] of scanned())
          for (const each of witnesses) this.set({ cell, witness: each.witness }, value(each))
      },
    })
  ofWitness(
    'countersign_witness_logs_behind',
    'Logs with entries that the witness has not cosigned',
    ({ behind }) => behind,
  )
  ofWitness(
    'countersign_witness_refusals',
    'Logs that the witness refused or did not answer',
    ({ refusing }) => refusing,
  )
  const ofMail = (name: string, help: string, value: (of: MailFigures) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const mails = [...scanned().values()].map((each) => each.mails).find((each) => each !== null)
        if (mails) this.set(value(mails))
        else this.remove()
      },
    })
  ofMail('countersign_mail_waiting', 'Mails that are not sent yet', ({ waiting }) => waiting)
  ofMail(
    'countersign_mail_overdue_seconds',
    'Age of the oldest mail that is due',
    ({ overdueSeconds }) => overdueSeconds,
  )
}
