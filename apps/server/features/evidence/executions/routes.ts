import * as contract from '@countersign/contract/executions.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import { type Route, route } from '../../../http/route.ts'
import { recordUuid, typedId } from '../../../lib/ids.ts'
import { refusedField } from '../../../lib/problem.ts'
import { unknownEvent } from '../decision-events/api.ts'
import { brokenRecord, type ExportConfig } from '../dpu/api.ts'
import { firstReceipt, type Watching } from '../transparency/api.ts'
import { type Consumed, consumptionItem } from './consume.ts'
import { outcomeItem } from './outcome.ts'
import { readSealed } from './sealed.ts'

interface ExecutionNeeds {
  readonly cells: Cells
  readonly config: ExportConfig
  readonly watching: Watching
}

function eventUuid(id: string): string {
  const uuid = recordUuid(id)
  if (uuid === null) throw unknownEvent()
  return uuid
}

const consumptionOf = ({ event, row, entry }: Consumed, actionDigest: string) => {
  if (row.consumed_hash === null) throw brokenRecord("the consumption's entry is missing")
  return {
    eventId: typedId('decisionEvent', event.id),
    actionDigest,
    executor: row.executor,
    consumedAt: new Date(row.consumed_at).toISOString(),
    replayed: entry === null,
    chainHash: row.consumed_hash,
    receipt: entry?.receipt() ?? null,
  }
}

function requireSmall(output: object | undefined): void {
  if (output === undefined || Buffer.byteLength(JSON.stringify(output)) <= contract.mostOutputBytes) return
  throw refusedField(
    'output',
    `is larger than ${contract.mostOutputBytes} bytes. Report a digest or the address of the result instead`,
  )
}

export const executionRoutes = ({ cells, config, watching }: ExecutionNeeds): Route[] => [
  route(contract.consumeDecision, async ({ params, body, principal, center, caller, sequence }, reply) => {
    const eventId = eventUuid(params.id)
    const inCenter = <T>(work: (tx: TenantTx) => Promise<T>) => cells.of(center.cell).inTenant(caller, work, 'read')
    // A record that does not hold is not acted on. What was sealed does not change until the batch.
    const sealed = await inCenter((tx) => readSealed(tx, eventId, config))
    const item = consumptionItem(eventId, body, { key: principal, caller, center }, sealed)
    let earlier: Consumed | undefined
    const answer = await sequence(item, (consumed) => {
      if (consumed.entry === null) earlier = consumed
      return reply(200, consumptionOf(consumed, body.actionDigest))
    })
    if (!earlier) return answer
    const { consumed_index } = earlier.row
    const receipt = await inCenter((tx) => firstReceipt(tx, watching, 'history', consumed_index))
    return reply(200, { ...consumptionOf(earlier, body.actionDigest), receipt })
  }),

  route(contract.reportOutcome, ({ params, body, principal, caller, sequence }, reply) => {
    requireSmall(body.output)
    const item = outcomeItem(eventUuid(params.id), body, { key: principal, caller })
    return sequence(item, ({ event, status, reportedAt, hash }) =>
      reply(200, { eventId: typedId('decisionEvent', event.id), status, reportedAt, chainHash: hash }),
    )
  }),
]
