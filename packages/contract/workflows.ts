/** Workflows: parts 2.12 and 4.6 of the specification, and how an execution is watched and canceled (ours). */
import { Type } from 'typebox'
import { closed, DateTime, FreeObject, nullable, PageQuery } from './common.ts'
import { EvidenceLevelSchema, oneOf, VerticalSchema } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const workflowTypes = ['SCHEDULED', 'MANUAL', 'EVENT'] as const
const executionStatuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const
export type ExecutionStatus = (typeof executionStatuses)[number]
const stepStatuses = ['PENDING', 'RUNNING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELED'] as const
export type StepStatus = (typeof stepStatuses)[number]

const WorkflowId = TypedId('workflow', 'Workflow id, the same in every center')
const ExecutionId = TypedId('execution', 'Execution id')
const Status = oneOf(executionStatuses, 'RUNNING until it has ended; the others are for good')

const Workflow = Type.Object(
  {
    id: WorkflowId,
    name: Type.String(),
    type: oneOf(workflowTypes, 'What starts it by itself; people may run any of them'),
    status: oneOf(['ACTIVE'], 'Every workflow of the vertical is active'),
    vertical: VerticalSchema,
    lastRun: nullable(DateTime),
    description: Type.String(),
    schedule: nullable(
      Type.Object(
        {
          cron: Type.String({ description: 'Minute, hour, day of month, month, day of week' }),
          timezone: Type.String({ description: 'The center’s, unless the workflow has its own' }),
          nextRun: nullable(DateTime),
        },
        closed,
      ),
    ),
    event: nullable(Type.String({ description: 'The happening that starts it, for the type EVENT' })),
    parameters: Type.Unsafe<Record<string, unknown>>({ ...FreeObject, description: 'JSON schema of `parameters`' }),
    steps: Type.Array(Type.String()),
  },
  closed,
)

const executionFields = {
  executionId: ExecutionId,
  status: Status,
  startedAt: DateTime,
  completedAt: nullable(DateTime),
  dpuId: nullable(TypedId('dpu', 'The decision proof unit that it left behind')),
  evidenceLevel: nullable(EvidenceLevelSchema),
  workflowId: WorkflowId,
  trigger: oneOf(['manual', 'schedule', 'event'], 'What started it'),
  failure: nullable(Type.String({ description: 'Why it failed and what to do, for a person' })),
}
const Execution = Type.Object(executionFields, closed)

const ExecutionStep = Type.Object(
  {
    name: Type.String(),
    status: oneOf(stepStatuses, 'RETRYING: the last attempt did not work, and another is to come'),
    attempts: Type.Integer({ minimum: 0 }),
    startedAt: nullable(DateTime),
    completedAt: nullable(DateTime),
    error: nullable(Type.String({ description: 'Of the last attempt that did not work' })),
  },
  closed,
)

const staff = { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] } as const
const shared = { surface: 'platform', tag: 'Workflows', access: staff, store: 'cell' } as const
const Named = Type.String({ minLength: 1, maxLength: 255 })
const workflowParam = Type.Object({ workflowId: Named })
const executionParam = Type.Object({ executionId: Named })

export const listWorkflows = operation({
  ...shared,
  id: 'workflows.list',
  method: 'GET',
  path: '/workflows',
  summary: 'The workflows of the current center: those of its vertical',
  replies: { 200: Type.Array(Workflow) },
})

export const executeWorkflow = operation({
  ...shared,
  id: 'workflows.execute',
  method: 'POST',
  path: '/workflows/{workflowId}/execute',
  summary: 'Run a workflow now',
  description:
    'Answers as soon as the run is recorded; `GET /api/workflows/executions/{executionId}` shows how far it is. `parameters` must fit the schema that the workflow shows. 409 while a run of a workflow that runs alone is under way.',
  params: workflowParam,
  body: Type.Object({ parameters: Type.Optional(FreeObject) }, { ...closed, examples: [{ parameters: {} }] }),
  replies: {
    200: Type.Object({ executionId: ExecutionId, status: Status, startedAt: DateTime }, closed),
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const listExecutions = operation({
  ...shared,
  id: 'executions.list',
  method: 'GET',
  path: '/workflows/{workflowId}/executions',
  envelope: 'page',
  summary: 'The runs of a workflow in this center, newest first',
  params: workflowParam,
  query: PageQuery,
  replies: { 200: Execution },
  errors: ['NOT_FOUND'],
})

export const getExecution = operation({
  ...shared,
  id: 'executions.get',
  method: 'GET',
  path: '/workflows/executions/{executionId}',
  summary: 'One run with its steps, for people who watch (ours)',
  params: executionParam,
  replies: {
    200: Type.Object(
      {
        ...executionFields,
        workflowName: Type.String(),
        scheduledFor: nullable(DateTime),
        parameters: FreeObject,
        steps: Type.Array(ExecutionStep),
      },
      closed,
    ),
  },
  errors: ['NOT_FOUND'],
})

export const cancelExecution = operation({
  ...shared,
  id: 'executions.cancel',
  method: 'POST',
  path: '/workflows/executions/{executionId}/cancel',
  summary: 'Stop a run; what its steps have recorded stays, and it leaves no decision proof unit (ours)',
  params: executionParam,
  replies: { 200: Execution },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
