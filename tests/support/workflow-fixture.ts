/** A center with people and a running worker, workflows made for a test, and helpers that run and watch them. */

import type { Json } from '@countersign/proof/canonical.ts'
import { workflowUuid } from '@countersign/server/features/automation/workflows/catalogue.ts'
import type {
  Definition,
  Draft,
  EventDefinition,
  ManualDefinition,
  ScheduledDefinition,
  Step,
} from '@countersign/server/features/automation/workflows/definition.ts'
import { typedId } from '@countersign/server/lib/ids.ts'
import { Type } from 'typebox'
import type { Answer } from './contract-check.ts'
import { openProofFixture, type ProofFixture } from './proof-fixture.ts'
import { type ServerOptions, startServer } from './server.ts'

export interface WatchedStep {
  readonly name: string
  readonly status: string
  readonly attempts: number
  readonly startedAt: string | null
  readonly completedAt: string | null
  readonly error: string | null
}

export interface Watched {
  readonly executionId: string
  readonly status: string
  readonly failure: string | null
  readonly dpuId: string | null
  readonly evidenceLevel: string | null
  readonly startedAt: string
  readonly completedAt: string | null
  readonly steps: WatchedStep[]
  readonly [more: string]: unknown
}

export interface WorkflowFixture extends ProofFixture {
  execute(key: string, parameters?: object, headers?: Record<string, string>): Promise<Answer>
  /** Starts an execution and returns its id. */
  run(key: string, parameters?: object): Promise<string>
  watch(executionId: string): Promise<Watched>
  /** Waits until the execution is in the expected state. */
  until(executionId: string, wanted: (watched: Watched) => boolean): Promise<Watched>
  ended(executionId: string): Promise<Watched>
  close(): Promise<void>
}

export const workflowId = (key: string): string => typedId('workflow', workflowUuid(key))

export const draft = (content: string, more: Partial<Draft> = {}): Json =>
  ({ content, tags: ['test'], ai: null, ...more }) as unknown as Json

export const step = (name: string, run: Step['run'], more: Partial<Step> = {}): Step => ({
  name,
  timeoutSeconds: 10,
  attempts: 3,
  backoffSeconds: 0,
  run,
  ...more,
})

type Overrides =
  | ({ key: string; type?: 'MANUAL' } & Partial<Omit<ManualDefinition, 'type'>>)
  | ({ key: string; type: 'SCHEDULED' } & Partial<ScheduledDefinition> & Pick<ScheduledDefinition, 'schedule'>)
  | ({ key: string; type: 'EVENT' } & Partial<EventDefinition> & Pick<EventDefinition, 'event'>)

/** A workflow with one step that returns a draft, in the vertical of test centers; every field can be overridden. */
export const workflow = (overrides: Overrides): Definition =>
  ({
    type: 'MANUAL',
    name: `Test of ${overrides.key}`,
    description: 'For a test.',
    vertical: 'education',
    alone: false,
    parameters: Type.Object({}, { additionalProperties: false }),
    steps: [step('write', async () => draft('All is well.'))],
    ...overrides,
  }) as Definition

export interface WorkflowFixtureOptions extends ServerOptions {
  /** Without a runner, started executions wait. */
  readonly resting?: boolean
}

export async function startWorkflowFixture({ resting, ...options }: WorkflowFixtureOptions): Promise<WorkflowFixture> {
  const server = await startServer(options)
  const fixture = await openProofFixture(server)
  if (!resting) server.services.workflows.start()
  const execute: WorkflowFixture['execute'] = (key, parameters, headers) =>
    fixture.platform('POST', `/api/workflows/${workflowId(key)}/execute`, parameters ? { parameters } : {}, headers)
  const watch = async (id: string): Promise<Watched> =>
    (await fixture.platform('GET', `/api/workflows/executions/${id}`)).body.data
  const until: WorkflowFixture['until'] = async (id, wanted) => {
    const end = performance.now() + 15_000
    for (;;) {
      const watched = await watch(id)
      if (wanted(watched)) return watched
      if (performance.now() > end)
        throw new Error(`the execution did not reach the expected state: ${JSON.stringify(watched)}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return {
    ...fixture,
    execute,
    watch,
    until,
    async run(key, parameters) {
      const answer = await execute(key, parameters)
      if (answer.status !== 200) throw new Error(`could not be run: ${answer.text}`)
      return answer.body.data.executionId
    },
    ended: (id) => until(id, ({ status }) => status !== 'RUNNING'),
    close: () => server.close(),
  }
}
