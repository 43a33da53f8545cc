/** A worker of Temporal: a workflow with three activities. The packages are not ours: PACKAGES names their folder. */
import { atMost, openSteps, serveStarts } from './steps.ts'

const { NativeConnection, Worker, Client, Connection } = await import(process.env.PACKAGES as string)
const steps = openSteps(process.env.DATABASE_URL as string)
const address = process.env.TEMPORAL as string
const taskQueue = 'engines'
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowBundle: { codePath: process.env.BUNDLE },
  activities: { collect: steps.collect, weigh: steps.weigh, write: steps.write },
  maxConcurrentActivityTaskExecutions: 200,
})
void worker.run()
const client = new Client({ connection: await Connection.connect({ address }) })

serveStarts((ids) => atMost(16, ids, (id) => client.workflow.start('three', { taskQueue, workflowId: id, args: [id] })))
