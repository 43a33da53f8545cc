/** A worker of this service. The end of an execution is a sealed record, with chain entry and audit entries. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '@countersign/server/config/config.ts'
import type { Workflow } from '@countersign/server/features/automation/workflows/catalogue.ts'
import type { Definition } from '@countersign/server/features/automation/workflows/definition.ts'
import { startExecution } from '@countersign/server/features/automation/workflows/start.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { Problem } from '@countersign/server/lib/problem.ts'
import { openServices } from '@countersign/server/services.ts'
import { Type } from 'typebox'
import { atMost, openSteps, serveStarts } from './steps.ts'

const steps = openSteps(process.env.DATABASE_URL as string)
const shared = { timeoutSeconds: 30, attempts: 3, backoffSeconds: 1 }
const idOf = ({ id }: Readonly<Record<string, unknown>>) => String(id)
const definition: Definition = {
  key: 'bench.engines',
  name: 'Three steps',
  description: 'For a measurement.',
  vertical: 'education',
  type: 'MANUAL',
  alone: false,
  parameters: Type.Object({ id: Type.String() }, { additionalProperties: false }),
  steps: [
    { ...shared, name: 'collect', run: ({ parameters }) => steps.collect(idOf(parameters)) },
    {
      ...shared,
      name: 'weigh',
      run: ({ parameters, outputs }) => steps.weigh(idOf(parameters), outputs.collect as { bookings: number }),
    },
    {
      ...shared,
      name: 'write',
      async run({ parameters, outputs }) {
        const content = await steps.write(idOf(parameters), outputs.weigh as { digest: string; bookings: number })
        return { content, tags: ['weekly'], metadata: { reason: 'Weekly digest.' }, ai: null }
      },
    },
  ],
}

const config = readConfig()
const services = openServices(config, makeLog(config), { definitions: [definition] })
const cell = services.cells.of('main')
const workflow = services.catalogue.byKey(definition.key) as Workflow
const centerIds = (process.env.CENTERS ?? '').split(',').map(Number)
services.workflows.start()

/** A process that has too much to do refuses, and its caller tries again. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE')) throw error
      await sleep(100)
    }
  }
}

const startOne = (centerId: number, id: string) =>
  cell.inTenant({ requestId: 'bench', actorId: 'bench', centerId }, async (tx) => {
    await startExecution(tx, { workflow, parameters: workflow.parameters({ id }), startedBy: 'bench' })
    tx.afterCommit(() => services.workflows.wake('main'))
  })

serveStarts((ids) =>
  atMost(16, [...ids.entries()], ([n, id]) => patiently(() => startOne(centerIds[n % centerIds.length] as number, id))),
)
