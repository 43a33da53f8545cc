import * as contract from '@countersign/contract/executions.ts'
import type { Cells } from '../../../data/cells.ts'
import { type Route, route } from '../../../http/route.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { unknownEvent } from '../decision-events/api.ts'
import { brokenRecord } from '../dpu/api.ts'
import { firstReceipt, type Watching } from '../transparency/api.ts'
import { type Consumed, consumptionItem } from './consume.ts'
import { outcomeItem } from './outcome.ts'

interface ExecutionNeeds {
  readonly cells: Cells
  readonly watching: Watching
}

function eventUuid(id: string): string {
  const uuid = uuidOf('decisionEvent', id)
  if (uuid === null) throw unknownEvent()
  return uuid
}

const consumptionOf = ({ event, row, entry }: Consumed) => {
  if (row.consumed_hash === null) throw brokenRecord('the entry of its consumption is missing')
  return {
    eventId: typedId('decisionEvent', event.id),
    actionDigest: event.action_digest,
    executor: row.executor,
    consumedAt: new Date(row.consumed_at).toISOString(),
    replayed: entry === null,
    chainHash: row.consumed_hash,
    receipt: entry?.receipt() ?? null,
  }
}

function requireSmall(output: object | undefined): void {
  if (output === undefined || Buffer.byteLength(JSON.stringify(output)) <= contract.mostOutputBytes) return
  const message = `is larger than ${contract.mostOutputBytes} bytes; report a digest or an address of the result`
  throw new Problem('VALIDATION_ERROR', `"output" ${message}.`, { details: { issues: [{ path: 'output', message }] } })
}

export const executionRoutes = ({ cells, watching }: ExecutionNeeds): Route[] => [
  route(contract.consumeDecision, async ({ params, body, principal, center, caller, sequence }, reply) => {
    const item = consumptionItem(eventUuid(params.id), body, { key: principal, caller })
    let earlier: Consumed | undefined
    const answer = await sequence(item, (consumed) => {
      if (consumed.entry === null) earlier = consumed
      return reply(200, consumptionOf(consumed))
    })
    if (!earlier) return answer
    const { consumed_index } = earlier.row
    const receipt = await cells
      .of(center.cell)
      .inTenant(caller, (tx) => firstReceipt(tx, watching, 'history', consumed_index), 'read')
    return reply(200, { ...consumptionOf(earlier), receipt })
  }),

  route(contract.reportOutcome, ({ params, body, principal, caller, sequence }, reply) => {
    requireSmall(body.output)
    const item = outcomeItem(eventUuid(params.id), body, { key: principal, caller })
    return sequence(item, ({ event, status, reportedAt, hash }) =>
      reply(200, { eventId: typedId('decisionEvent', event.id), status, reportedAt, chainHash: hash }),
    )
  }),
]
