/** A fixture whose clock moves only when a test sets it, with helpers to change, publish, recover and read. */
import { recoverWebhooksJob } from '@countersign/server/features/automation/webhooks/recover-webhooks.job.ts'
import { type Delivery, startWebhookFixture } from '../../../../../../tests/support/webhook-fixture.ts'

export const day = 86_400

export const all = (status: string) => (deliveries: Delivery[]) =>
  deliveries.length > 0 && deliveries.every((each) => each.status === status)

export async function startHoldingFixture() {
  const fixture = await startWebhookFixture()
  fixture.turn(0)
  return {
    fixture,
    patch: async (id: string, change: object) => (await fixture.v1('PATCH', `/api/v1/webhooks/${id}`, change)).body,
    publishOne: async (): Promise<string> => (await fixture.publish()).body.data.id,
    arrived: () => fixture.consumer.received.map(({ envelope }) => envelope.id),
    after: (id: string, attempts: number) => fixture.settled(id, ([first]) => first?.attempts === attempts),
    recover: async (id: string, sinceMs: number) =>
      (await fixture.v1('POST', `/api/v1/webhooks/${id}/recover`, { since: new Date(sinceMs).toISOString() })).body
        .data,
    work: (stop = new AbortController().signal) => recoverWebhooksJob(fixture.server.services, 'main', stop),
  }
}
