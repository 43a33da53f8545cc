/** Workflows: parts 2.12 and 4.6 of the specification, and operations to follow and cancel an execution. */
import { Type } from 'typebox'
import { DateTime, FreeObject, freeObject, named, nullable, PageQuery } from './common.ts'
import { Tag } from './decision-events.ts'
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
const Status = oneOf('ExecutionStatus', executionStatuses, 'State of an execution; all but RUNNING are final')

const Schedule = named('Schedule', {
  cron: Type.String({ description: 'Minute, hour, day of month, month, day of week' }),
  timezone: Type.String({ description: 'Time zone of the center, unless the workflow has its own' }),
  nextRun: nullable(DateTime),
})

const cron = {
  maxLength: 100,
  description: 'Minute, hour, day of month, month, day of week; at most once an hour',
  examples: ['0 7 * * 1'],
}
const DraftTags = Type.Array(Tag, { maxItems: 10, description: 'Tags of its drafts, beside its own' })

const WorkflowSettings = named('WorkflowSettings', {
  enabled: Type.Boolean({ description: 'Whether its schedule or event starts it; a person can start it in any case' }),
  schedule: nullable(Type.String({ ...cron, description: `${cron.description}; null: that of the workflow` })),
  parameters: FreeObject,
  tags: DraftTags,
})

const Workflow = named('Workflow', {
  id: WorkflowId,
  name: Type.String(),
  type: oneOf('WorkflowType', workflowTypes, 'What starts the workflow; a person can start any of them'),
  status: oneOf('WorkflowStatus', ['ACTIVE', 'INACTIVE'], 'INACTIVE: neither its schedule nor an event starts it'),
  vertical: VerticalSchema,
  lastRun: nullable(DateTime),
  description: Type.String(),
  schedule: nullable(Schedule),
  event: nullable(Type.String({ description: 'Event that starts a workflow of the type EVENT' })),
  parameters: freeObject('ParameterSchema', 'JSON schema of the `parameters` of an execution'),
  steps: Type.Array(Type.String()),
  settings: WorkflowSettings,
})

const executionFields = {
  executionId: ExecutionId,
  status: Status,
  startedAt: DateTime,
  completedAt: nullable(DateTime),
  dpuId: nullable(TypedId('dpu', 'Decision proof unit of the execution')),
  evidenceLevel: nullable(EvidenceLevelSchema),
  workflowId: WorkflowId,
  trigger: oneOf('ExecutionTrigger', ['manual', 'schedule', 'event'], 'What started the execution'),
  failure: nullable(Type.String({ description: 'For people: why it failed and what to do' })),
}
const Execution = named('Execution', executionFields)

const ExecutionStep = named('ExecutionStep', {
  name: Type.String(),
  status: oneOf('StepStatus', stepStatuses, 'RETRYING: the last attempt failed, and another one is scheduled'),
  attempts: Type.Integer({ minimum: 0 }),
  startedAt: nullable(DateTime),
  completedAt: nullable(DateTime),
  error: nullable(Type.String({ description: 'Error of the last failed attempt' })),
})

const StartedExecution = named('StartedExecution', { executionId: ExecutionId, status: Status, startedAt: DateTime })

const ExecutionDetails = named('ExecutionDetails', {
  ...executionFields,
  workflowName: Type.String(),
  scheduledFor: nullable(DateTime),
  parameters: FreeObject,
  steps: Type.Array(ExecutionStep),
})

const staff = { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] } as const
const shared = { surface: 'platform', tag: 'Workflows', access: staff, store: 'cell' } as const
const Named = Type.String({ minLength: 1, maxLength: 255 })
const workflowParam = Type.Object({ workflowId: Named })
const executionParam = Type.Object({ executionId: Named })

export const listWorkflows = operation({
  ...shared,
  id: 'workflows.list',
  method: 'GET',
  looseQuery: true,
  path: '/workflows',
  summary: 'List the workflows of the current center',
  replies: { 200: Type.Array(Workflow) },
})

export const putWorkflowSettings = operation({
  ...shared,
  access: { ...staff, roles: ['ADMIN'] },
  id: 'workflows.putSettings',
  method: 'PUT',
  path: '/workflows/{workflowId}/settings',
  summary: 'Set when a workflow starts by itself, its thresholds and its tags',
  description:
    'Replaces all settings of the workflow in this center; what is left out has its default. `parameters` are defaults of this center for executions: thresholds, and the tags of the decisions that the workflow reads. The settings apply to executions that start later.',
  params: workflowParam,
  body: named(
    'NewWorkflowSettings',
    {
      enabled: Type.Optional(Type.Boolean({ default: true })),
      schedule: Type.Optional(Type.String({ minLength: 9, ...cron })),
      parameters: Type.Optional(FreeObject),
      tags: Type.Optional(DraftTags),
    },
    { examples: [{ enabled: true, schedule: '0 7 * * 1', parameters: {}, tags: ['weekly-meeting'] }] },
  ),
  replies: { 200: Workflow },
  errors: ['NOT_FOUND'],
})

export const executeWorkflow = operation({
  ...shared,
  id: 'workflows.execute',
  method: 'POST',
  path: '/workflows/{workflowId}/execute',
  summary: 'Run a workflow now',
  description:
    'The server replies as soon as the execution is recorded; `GET /api/workflows/executions/{executionId}` shows its progress. `parameters` must match the schema of the workflow. If the workflow allows one execution at a time and one is running, the reply is 409. If too many executions of the center are open, it is 429.',
  params: workflowParam,
  body: named('NewExecution', { parameters: Type.Optional(FreeObject) }, { examples: [{ parameters: {} }] }),
  replies: { 200: StartedExecution },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const listExecutions = operation({
  ...shared,
  id: 'executions.list',
  method: 'GET',
  looseQuery: true,
  path: '/workflows/{workflowId}/executions',
  envelope: 'page',
  summary: 'List the executions of a workflow in this center, newest first',
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
  summary: 'Get an execution with its steps',
  params: executionParam,
  replies: { 200: ExecutionDetails },
  errors: ['NOT_FOUND'],
})

export const cancelExecution = operation({
  ...shared,
  store: 'sequenced',
  id: 'executions.cancel',
  method: 'POST',
  path: '/workflows/executions/{executionId}/cancel',
  summary: 'Cancel an execution',
  description:
    'Results of completed steps remain. `dpuId` names the unit at level DRAFT that says who canceled the execution and when.',
  params: executionParam,
  replies: { 200: Execution },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
