import type { EventType } from '@countersign/contract/webhook-events.ts'
import { expect } from 'vitest'
import { openProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { typedId, uuidOf } from '../../../../lib/ids.ts'
import { faultOf } from '../../companion-events/publish.ts'
import { aWhile, type Fixture } from './fixture.ts'

type ReceivedEvent = { readonly type: string; readonly data: Record<string, unknown> }

/** A center with a webhook. `receivedEvents` waits for this many events, checks that no more come, and validates them. */
export async function subscribedCenter(fixture: Fixture, events = ['*']) {
  const proof = await openProofFixture(fixture.server)
  const consumer = await fixture.newConsumer()
  await proof.v1('POST', '/api/v1/webhooks', { url: consumer.url, events })
  async function receivedEvents(count: number): Promise<ReceivedEvent[]> {
    await consumer.until(count)
    await aWhile()
    const found = consumer.received.map(({ envelope: { type, data } }) => ({ type, data }))
    expect(found).toHaveLength(count)
    for (const { type, data } of found) expect([type, faultOf(type as EventType, data)]).toEqual([type, null])
    return found.toSorted((a, b) => (a.type < b.type ? 1 : -1))
  }
  const written = () =>
    fixture.server.world.query<{ type: string; transaction: string }>(
      'select type, xmin::text as transaction from cell.webhook_events where center_id = $1 order by created_at, type',
      [proof.center.id],
    )
  return { ...proof, consumer, receivedEvents, written }
}

export const dpuOf = (eventId: string) => typedId('dpu', uuidOf('decisionEvent', eventId) as string)
export const byHuman = { actor: { id: 'kim', type: 'human' } }
