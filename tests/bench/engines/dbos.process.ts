/** DBOS: a workflow with three recorded steps, on a queue. The package is not ours: it is in a folder that PACKAGES names. */
import { atMost, openSteps, serveStarts } from './steps.ts'

const url = process.env.DATABASE_URL as string
const { DBOS } = await import(process.env.PACKAGES as string)
const steps = openSteps(url)

DBOS.setConfig({
  name: 'engines',
  systemDatabaseUrl: url,
  systemDatabasePoolSize: 20,
  logLevel: 'error',
  applicationVersion: '1',
  // Without the commercial Conductor a process recovers the workflows of its own id, when it starts.
  executorID: process.env.SLOT,
})
const three = DBOS.registerWorkflow(
  async (id: string) => {
    const collected = await DBOS.runStep(() => steps.collect(id), { name: 'collect' })
    const weighed = await DBOS.runStep(() => steps.weigh(id, collected), { name: 'weigh' })
    return await DBOS.runStep(() => steps.write(id, weighed), { name: 'write' })
  },
  { name: 'three' },
)
await DBOS.launch()
await DBOS.registerQueue('engines', { workerConcurrency: 200, minPollingIntervalMs: 50 })

serveStarts((ids) => atMost(16, ids, (id) => DBOS.startWorkflow(three, { queueName: 'engines', workflowID: id })(id)))
