/** The reference for deliveries: signs and posts the same bytes with undici, with the same concurrency, and writes nothing. */
import { deliveryHeaders, envelopeBody, signingKey } from '@countersign/server/features/automation/webhooks/signing.ts'
import { newUuid, typedId } from '@countersign/server/lib/ids.ts'
import { Agent, request } from 'undici'
import { concurrency, sampleData, sampleSecret } from './deliver-sample.ts'

const dispatcher = new Agent({ connections: concurrency, allowH2: false })
const key = signingKey(sampleSecret)

async function post(url: string): Promise<void> {
  const at = new Date()
  const id = typedId('webhookEvent', newUuid())
  const envelope = { id, type: 'dpu.sealed', createdAt: at.toISOString(), data: sampleData, attempt: 1 }
  const body = Buffer.from(envelopeBody(envelope))
  const headers = deliveryHeaders({ body, eventId: id, attempt: 1, at, secrets: [key] })
  const { statusCode, body: answer } = await request(url, { method: 'POST', headers, body, dispatcher })
  await answer.dump()
  if (statusCode !== 200) throw new Error(`the consumer answered ${statusCode}`)
}

process.on('message', async ({ url, seconds }: { url: string; seconds: number }) => {
  const started = performance.now()
  const end = started + seconds * 1000
  let posted = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (; performance.now() < end; posted++) await post(url)
    }),
  )
  process.send?.((1000 * posted) / (performance.now() - started))
})
process.on('SIGTERM', () => process.exit(0))
process.send?.('ready')
