/** pg-boss with one job for each step: the output of a step is the payload of the next job. */
import { type Job, PgBoss } from 'pg-boss'
import { openSteps, serveStarts } from './steps.ts'

const url = process.env.DATABASE_URL as string
const steps = openSteps(url)
const boss = new PgBoss({ connectionString: url, schema: 'engine_pgboss', max: 8, superviseIntervalSeconds: 1 })
boss.on('error', (error) => process.stderr.write(`${error}\n`))
await boss.start()

interface Payload {
  readonly id: string
  readonly output?: never
}
const run = { collect: steps.collect, weigh: steps.weigh, write: steps.write }
const names = Object.keys(run) as (keyof typeof run)[]
for (const [position, name] of names.entries()) {
  const next = names[position + 1]
  // A worker that dies is noticed after ten seconds.
  await boss.createQueue(name, { heartbeatSeconds: 10, retryDelay: 0, retryLimit: 10 })
  const options = { batchSize: 50, localConcurrency: 2, pollingIntervalSeconds: 0.5 }
  await boss.work<Payload>(name, options, async (jobs: Job<Payload>[]) => {
    const outputs = await Promise.all(jobs.map(({ data }) => run[name](data.id, data.output as never)))
    // The jobs of this batch complete after the next ones exist: a crash in between repeats a step and loses none.
    if (next)
      await boss.insert(
        next,
        jobs.map(({ data }, n) => ({ data: { id: data.id, output: outputs[n] } })),
      )
  })
}

serveStarts(async (ids) => {
  for (let at = 0; at < ids.length; at += 500)
    await boss.insert(
      'collect',
      ids.slice(at, at + 500).map((id) => ({ data: { id } })),
    )
})
