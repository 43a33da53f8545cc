/** Workflows: parts 2.12 and 4.6 of the specification, and operations to follow and cancel an execution. */
import { Type } from 'typebox'
import { DateTime, described, FreeObject, freeObject, named, nullable, PageQuery } from './common.ts'
import { Tag } from './decision-events.ts'
import { LabeledPerson } from './draft-review.ts'
import { EvidenceLevelSchema, oneOf, VerticalSchema } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const workflowTypes = ['SCHEDULED', 'MANUAL', 'EVENT'] as const
const executionStatuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const
export type ExecutionStatus = (typeof executionStatuses)[number]
const stepStatuses = ['PENDING', 'RUNNING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELED'] as const
export type StepStatus = (typeof stepStatuses)[number]

const WorkflowId = TypedId('workflow', "The workflow's ID, the same in every center.")
const ExecutionId = TypedId('execution', "The execution's ID. Use it to follow or cancel the execution.")
const Status = oneOf(
  'ExecutionStatus',
  executionStatuses,
  "The execution's state. All states except RUNNING are final.",
)

const Schedule = named(
  'Schedule',
  {
    cron: Type.String({ description: 'A cron expression: minute, hour, day of month, month, day of week.' }),
    timezone: Type.String({ description: "The center's time zone, unless the workflow has its own." }),
    nextRun: nullable(described(DateTime, "When the workflow runs next. Null if the workflow isn't turned on.")),
  },
  { description: 'When a workflow starts by itself.' },
)

const cron = {
  maxLength: 100,
  description:
    'A cron expression: minute, hour, day of month, month, day of week. The workflow can run at most once an hour.',
  examples: ['0 7 * * 1'],
}
const DraftTags = Type.Array(Tag, {
  maxItems: 10,
  description: "Tags for the workflow's drafts, in addition to its own.",
  examples: [['weekly-meeting']],
})

const WorkflowSettings = named(
  'WorkflowSettings',
  {
    enabled: Type.Boolean({
      description: "Whether the workflow's schedule or event starts it. A person can always start it.",
    }),
    schedule: nullable(
      Type.String({ ...cron, description: `${cron.description} Null if the workflow's own schedule applies.` }),
    ),
    parameters: described(FreeObject, "The center's default parameters."),
    tags: DraftTags,
  },
  { description: "The center's settings for a workflow." },
)

const Workflow = named(
  'Workflow',
  {
    id: WorkflowId,
    name: Type.String({ description: "The workflow's name." }),
    type: oneOf('WorkflowType', workflowTypes, 'What starts the workflow. A person can start a workflow of any type.'),
    status: oneOf(
      'WorkflowStatus',
      ['ACTIVE', 'INACTIVE'],
      'Whether the workflow starts by itself. INACTIVE: neither its schedule nor an event starts it.',
    ),
    vertical: VerticalSchema,
    lastRun: nullable(described(DateTime, 'When the workflow last ran in this center. Null if it never did.')),
    description: Type.String({ description: 'What the workflow does.' }),
    schedule: nullable(described(Schedule, 'When the workflow starts by itself. Null if it has no schedule.')),
    event: nullable(
      Type.String({ description: 'The event that starts the workflow, if its type is EVENT. Otherwise, null.' }),
    ),
    parameters: freeObject('ParameterSchema', "The JSON schema of an execution's `parameters`."),
    steps: Type.Array(Type.String(), { description: "The names of the workflow's steps, in order." }),
    settings: WorkflowSettings,
  },
  { description: "One of the center's workflows." },
)

const executionFields = {
  executionId: ExecutionId,
  status: Status,
  startedAt: described(DateTime, 'When the execution started.'),
  completedAt: nullable(described(DateTime, 'When the execution ended. Null while it is running.')),
  dpuId: nullable(TypedId('dpu', "The execution's DPU. Null until there is one.")),
  evidenceLevel: nullable(
    described(EvidenceLevelSchema, "The evidence level of the execution's DPU. Null until there is one."),
  ),
  workflowId: WorkflowId,
  trigger: oneOf('ExecutionTrigger', ['manual', 'schedule', 'event'], 'What started the execution.'),
  failure: nullable(
    Type.String({
      description: "Why the execution failed and what to do next, in a sentence. Null if it didn't fail.",
    }),
  ),
}
const Execution = named('Execution', executionFields, { description: 'One run of a workflow.' })

const ExecutionStep = named(
  'ExecutionStep',
  {
    name: Type.String({ description: "The step's name." }),
    status: oneOf(
      'StepStatus',
      stepStatuses,
      'The state of the step. RETRYING: the last attempt failed and another one is scheduled.',
    ),
    attempts: Type.Integer({ minimum: 0, description: 'How many attempts were made.' }),
    startedAt: nullable(described(DateTime, 'When the step started. Null until then.')),
    completedAt: nullable(described(DateTime, 'When the step ended. Null until then.')),
    error: nullable(Type.String({ description: 'The error from the last failed attempt. Null if there was none.' })),
  },
  { description: 'One step of an execution.' },
)

const StartedExecution = named(
  'StartedExecution',
  {
    executionId: ExecutionId,
    status: Status,
    startedAt: described(DateTime, 'When the execution started.'),
  },
  { description: 'The execution that was started.' },
)

const countedStates = ['attended', 'missed', 'unrecorded'] as const
export type CountedState = (typeof countedStates)[number]

const Who = 'by the end of their ID, or by the reference that a companion app uses'
const CountedRow = named(
  'CountedRow',
  {
    at: described(DateTime, 'When it was.'),
    who: nullable(Type.String({ description: `Who came or should have come, ${Who}. Null if nobody was named.` })),
    by: nullable(Type.String({ description: 'With which member, by the end of their ID. Null if nobody was named.' })),
    state: oneOf(
      'CountedState',
      countedStates,
      'What was recorded when the workflow read the row. unrecorded: an appointment without a record of attendance.',
    ),
  },
  { description: "An appointment or a record of attendance in the draft's period." },
)

const Counted = named(
  'CountedRows',
  {
    rows: Type.Array(CountedRow, { description: 'The newest 500, newest first.' }),
    total: Type.Integer({ minimum: 0, description: 'How many there were.' }),
    people: Type.Array(LabeledPerson, {
      description: 'The names of the people in the rows, as far as you may see them.',
    }),
  },
  { description: 'The appointments and records of attendance that a workflow read for its draft.' },
)

const ExecutionDetails = named(
  'ExecutionDetails',
  {
    ...executionFields,
    workflowName: Type.String({ description: "The workflow's name, as people see it." }),
    scheduledFor: nullable(described(DateTime, 'When the execution was due. Null if a person or an event started it.')),
    parameters: described(FreeObject, 'The parameters that the execution runs with.'),
    steps: Type.Array(ExecutionStep, { description: 'The steps, in order.' }),
    counted: nullable(
      described(
        Counted,
        "The rows that the draft counts, as the workflow read them. They are kept with the execution and aren't part of the draft, so the seal doesn't cover them. Null if the execution hasn't completed or read no appointments or attendance.",
      ),
    ),
  },
  { description: 'One run of a workflow, with its steps.' },
)

const staff = { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] } as const
const shared = { surface: 'platform', tag: 'Workflows', access: staff, store: 'cell' } as const
const Named = Type.String({ minLength: 1, maxLength: 255 })
const workflowParam = Type.Object({
  workflowId: described(Named, "The workflow's ID, as in the list of workflows.", 'wfl_01kz9x4q8hfx5r3v7t2b6n0m1c'),
})
const executionParam = Type.Object({
  executionId: described(Named, "The execution's ID, as returned when it started.", 'exe_01kz9x4q8hfx5r3v7t2b6n0m1c'),
})

export const listWorkflows = operation({
  ...shared,
  id: 'workflows.list',
  method: 'GET',
  looseQuery: true,
  path: '/workflows',
  summary: 'List workflows',
  description:
    "Returns the current center's workflows with their schedules, parameters and settings. Run one with `POST /api/workflows/{workflowId}/execute`.",
  replies: { 200: Type.Array(Workflow) },
})

export const putWorkflowSettings = operation({
  ...shared,
  access: { ...staff, roles: ['ADMIN'] },
  id: 'workflows.putSettings',
  method: 'PUT',
  path: '/workflows/{workflowId}/settings',
  summary: "Set a workflow's settings",
  description:
    "Sets when a workflow starts by itself, and its thresholds and tags. This replaces all of the workflow's settings in this center; anything you leave out is reset to its default. `parameters` are this center's defaults for executions: thresholds, and the tags of the decisions that the workflow reads. The settings apply to executions that start later.",
  params: workflowParam,
  body: named(
    'NewWorkflowSettings',
    {
      enabled: Type.Optional(
        Type.Boolean({ default: true, description: 'Whether the schedule or event starts the workflow.' }),
      ),
      schedule: Type.Optional(
        Type.String({
          minLength: 9,
          ...cron,
          description:
            "A cron expression: minute, hour, day of month, month, day of week. The workflow can run at most once an hour. Leave this out to use the workflow's own schedule.",
          examples: ['0 7 * * 1'],
        }),
      ),
      parameters: Type.Optional(
        described(FreeObject, "This center's default parameters, matching the workflow's schema.", {}),
      ),
      tags: Type.Optional(DraftTags),
    },
    {
      description: 'The settings to use.',
      examples: [{ enabled: true, schedule: '0 7 * * 1', parameters: {}, tags: ['weekly-meeting'] }],
    },
  ),
  replies: { 200: Workflow },
  errors: ['NOT_FOUND'],
})

export const executeWorkflow = operation({
  ...shared,
  id: 'workflows.execute',
  method: 'POST',
  path: '/workflows/{workflowId}/execute',
  summary: 'Run a workflow',
  description:
    "Starts the workflow now and responds as soon as the execution is recorded. To follow the execution, call `GET /api/workflows/executions/{executionId}`. `parameters` must match the workflow's schema. If the workflow allows only one execution at a time and one is running, the response is 409. If the center has too many running executions, the response is 429.",
  params: workflowParam,
  body: named(
    'NewExecution',
    {
      parameters: Type.Optional(
        described(
          FreeObject,
          "Parameters for this execution, matching the workflow's schema. Leave them out to use the center's defaults.",
          {},
        ),
      ),
    },
    { description: 'The parameters to run the workflow with.', examples: [{ parameters: {} }] },
  ),
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
  summary: 'List executions',
  description: "Returns a workflow's executions in this center, newest first.",
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
  summary: 'Retrieve an execution',
  description: 'Returns an execution with its steps. Poll it until `status` is no longer RUNNING.',
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
    'Cancels a running execution. The results of completed steps are kept. `dpuId` is the ID of a DPU at the DRAFT level that records who canceled the execution and when.',
  params: executionParam,
  replies: { 200: Execution },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
