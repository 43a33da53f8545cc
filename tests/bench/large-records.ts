/** Seals decisions of about 1 MB each through the API, a few at a time. */
import type { Client } from '../support/client.ts'

const parallel = 4
/** Below the limit of a request body, 1 MiB. */
const size = 1_000_000

export async function sealLargeRecords(client: Pick<Client, 'call'>, key: string, records: number): Promise<void> {
  let sealed = 0
  const work = async () => {
    while (sealed < records) {
      const n = sealed++
      const unit = `decision ${n} of an agent that reads long documents. `
      const body = {
        agent: { id: 'agent-7', name: 'Care planner' },
        action: { type: 'plan.adjust', input: { document: unit.repeat(size / unit.length) } },
      }
      const { status, text } = await client.call('POST', '/api/v1/agents/decide', { token: key, body })
      if (status !== 200 && status !== 201) throw new Error(`decide answered ${status}: ${text}`)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
}
