/** A house whose clock stands still until it is turned, and short ways to change, publish, recover and look. */
import { recoverWebhooksJob } from '@countersign/server/features/webhooks/recover-webhooks.job.ts'
import { type Delivery, startWebhookHouse } from '../support/webhook-house.ts'

export const day = 86_400

export const all = (status: string) => (deliveries: Delivery[]) =>
  deliveries.length > 0 && deliveries.every((each) => each.status === status)

export async function startHoldingHouse() {
  const house = await startWebhookHouse()
  house.turn(0)
  return {
    house,
    patch: async (id: string, change: object) => (await house.v1('PATCH', `/api/v1/webhooks/${id}`, change)).body,
    publishOne: async (): Promise<string> => (await house.publish()).body.data.id,
    arrived: () => house.consumer.received.map(({ envelope }) => envelope.id),
    after: (id: string, attempts: number) => house.settled(id, ([first]) => first?.attempts === attempts),
    recover: async (id: string, sinceMs: number) =>
      (await house.v1('POST', `/api/v1/webhooks/${id}/recover`, { since: new Date(sinceMs).toISOString() })).body.data,
    work: (stop = new AbortController().signal) => recoverWebhooksJob(house.server.services, 'main', stop),
  }
}
