/** What other parts may use: the types of a workflow, and starting executions for an event in the transaction that causes it. */
export { type Catalogue, workflowUuid } from './catalogue.ts'
export {
  type Counted,
  type Definition,
  type Draft,
  type StartingEvent,
  type Step,
  type StepContext,
  StepFailure,
  type WorkflowCenter,
} from './definition.ts'
export { keepExecutions } from './retention.ts'
export { executionFigures } from './runner-queries.ts'
export { type Happening, type Starting, startForEvent } from './start.ts'
