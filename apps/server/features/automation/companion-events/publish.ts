/** An event of a companion app: checked against its type, sent to webhooks, noted as attendance, and the start of workflows. */
import type { publishEvent } from '@countersign/contract/events.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import { type EventType, eventTypes } from '@countersign/contract/webhook-events.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { bodyAjv, type Issue, issueOf } from '../../../http/validation.ts'
import { recordUuid } from '../../../lib/ids.ts'
import { refusedField } from '../../../lib/problem.ts'
import { noteVerified } from '../../centers/attendance/api.ts'
import { publishGiven } from '../webhooks/api.ts'
import { type Happening, type Starting, startForEvent } from '../workflows/api.ts'
import { unitExists } from './queries.ts'

const dataChecks = new Map(Object.entries(eventTypes).map(([type, { schema }]) => [type, bodyAjv.compile(schema)]))

/** The first violation of the type's schema, in the form of request validation; null when the payload is valid. */
export function faultOf(type: EventType, data: unknown): Issue | null {
  const check = dataChecks.get(type)
  if (!check || check(data)) return null
  const [first] = check.errors ?? []
  const { path, message } = first ? issueOf(first) : { path: '', message: "isn't valid" }
  return { path: path === '' ? 'data' : `data.${path}`, message }
}

type AppEvent = BodyOf<(typeof publishEvent)['spec']>

/** A certificate names the decision proof unit of the same center that proves it. */
async function requireUnit(tx: TenantTx, { type, data }: AppEvent): Promise<void> {
  if (type !== 'certificate.issued') return
  const id = recordUuid(String(data.dpuId))
  if (id !== null && (await unitExists(tx, id))) return
  throw refusedField('data.dpuId', 'must be the ID of a decision proof unit in this center. Check the ID')
}

/** Idempotent by the id that the app gave: a repeated event gets the first response. */
export async function publishFromApp(tx: TenantTx, starting: Starting, event: AppEvent) {
  const fault = faultOf(event.type, event.data)
  if (fault) throw refusedField(fault.path, fault.message)
  await requireUnit(tx, event)
  const { isNew, deliveries } = await publishGiven(tx, event)
  if (isNew) {
    if (event.type === 'attendance.verified') await noteVerified(tx, event.data)
    await startForEvent(tx, starting, { type: event.type as Happening['type'], data: event.data })
  }
  return { id: event.id, type: event.type, deliveries }
}
