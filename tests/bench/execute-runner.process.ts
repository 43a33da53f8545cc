/** The runner and a caller that starts enough executions to keep it busy, for the given number of seconds. */
import { readConfig } from '@countersign/server/config/config.ts'
import type { Workflow } from '@countersign/server/features/automation/workflows/catalogue.ts'
import { startExecution } from '@countersign/server/features/automation/workflows/start.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { openServices } from '@countersign/server/services.ts'
import { sample } from './execute-sample.ts'

const config = readConfig()
const services = openServices(config, makeLog(config), { definitions: [sample] })
const cell = services.cells.of('main')
const workflow = services.catalogue.byKey(sample.key) as Workflow
const parameters = workflow.parameters({})
const askers = 16
/** The caller starts no executions above this backlog. */
const mostWaiting = 600

let ended = 0
const { executionEnded } = services.metrics
Object.assign(services.metrics, {
  executionEnded(status: string) {
    ended++
    executionEnded(status)
  },
})
services.workflows.start()

async function window(centerIds: readonly number[], seconds: number): Promise<number> {
  let asked = 0
  const before = ended
  const begun = performance.now()
  const end = begun + seconds * 1000
  const ask = async () => {
    while (performance.now() < end) {
      if (asked - (ended - before) >= mostWaiting) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        continue
      }
      const centerId = centerIds[asked++ % centerIds.length] as number
      await cell.inTenant({ requestId: 'bench', actorId: 'bench', centerId }, async (tx) => {
        await startExecution(tx, { workflow, parameters, startedBy: 'bench' })
        tx.afterCommit(() => services.workflows.wake('main'))
      })
    }
  }
  await Promise.all(Array.from({ length: askers }, ask))
  while (ended - before < asked) await new Promise((resolve) => setTimeout(resolve, 5))
  return (1000 * asked) / (performance.now() - begun)
}

process.on('message', async ({ centerIds, seconds }: { centerIds: number[]; seconds: number }) => {
  process.send?.(await window(centerIds, seconds))
})
process.on('SIGTERM', () => void services.close().then(() => process.exit(0)))
process.send?.('ready')
