import * as contract from '@countersign/contract/workflows.ts'
import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { peopleInBookings } from '../../centers/attendance/api.ts'
import { peopleIn } from '../../identity/members/api.ts'
import { cancellation } from './cancel.ts'
import type { Catalogue, Workflow } from './catalogue.ts'
import { sealOutcome } from './end.ts'
import { executionOf, shownWorkflow, watchedOf } from './execution.ts'
import { withoutUnit } from './finish.ts'
import {
  countExecutions,
  countedOf,
  findExecution,
  pageOfExecutions,
  standingOf,
  stepsOf,
  type WatchedRow,
} from './queries.ts'
import type { Runner } from './runner.ts'
import { changeSettings, findSettings, settingsFrom } from './settings.ts'
import { settingsOf } from './settings-queries.ts'
import { startExecution } from './start.ts'

function alreadyEnded(): never {
  throw new Problem(
    'CONFLICT',
    "This execution has already ended, so there's nothing to cancel. Read the execution to see its result.",
    { details: { reason: 'runEnded' } },
  )
}

const unknownWorkflow = () =>
  new Problem('NOT_FOUND', 'This center has no workflow with this ID. List its workflows to find the ID.')

interface WorkflowNeeds {
  readonly config: Pick<Config, 'perCenter'>
  readonly log: Logger
  readonly cells: Cells
  readonly directory: Directory
  readonly catalogue: Catalogue
  readonly centers: CenterProfiles
  readonly workflows: Runner
}

async function shown(tx: TenantTx, all: readonly Workflow[], timezone: string) {
  const keys = all.map(({ definition }) => definition.key)
  const standing = await standingOf(tx, keys)
  const chosen = keys.length === 0 ? [] : await settingsOf(tx, keys)
  const of = <R extends { workflow_key: string }>(rows: readonly R[], key: string) =>
    rows.find((row) => row.workflow_key === key)
  return all.map((workflow) => {
    const { key } = workflow.definition
    return shownWorkflow(workflow, settingsFrom(workflow, of(chosen, key)), timezone, of(standing, key))
  })
}

export const workflowRoutes = ({
  config,
  log,
  cells,
  directory,
  catalogue,
  centers,
  workflows,
}: WorkflowNeeds): Route[] => {
  /** A workflow of another vertical does not exist in this center. */
  const named = async (centerId: number, id: string) => {
    const workflow = catalogue.byId(id)
    const { vertical } = await centers.profile(centerId)
    if (workflow?.definition.vertical !== vertical) throw unknownWorkflow()
    return workflow
  }
  const found = async (tx: TenantTx, id: string): Promise<WatchedRow> => {
    const uuid = uuidOf('execution', id)
    const row = uuid === null ? undefined : await findExecution(tx, uuid)
    if (!row)
      throw new Problem(
        'NOT_FOUND',
        "This center has no execution with this ID. List the workflow's executions to find the ID.",
      )
    return row
  }

  return [
    route(contract.listWorkflows, async ({ tx, principal }, reply) => {
      const { vertical, timezone } = await centers.profile(principal.entered.centerId)
      return reply(200, await shown(tx, catalogue.ofVertical(vertical), timezone))
    }),

    route(contract.putWorkflowSettings, async ({ tx, params, body, principal }, reply) => {
      const { centerId } = principal.entered
      const workflow = await named(centerId, params.workflowId)
      await changeSettings(tx, workflow, body)
      const { timezone } = await centers.profile(centerId)
      const [changed] = await shown(tx, [workflow], timezone)
      return reply(200, changed as NonNullable<typeof changed>)
    }),

    route(contract.executeWorkflow, async ({ tx, params, body, principal }, reply) => {
      const { centerId, cell } = principal.entered
      const workflow = await named(centerId, params.workflowId)
      const { parameters: usual, tags } = await findSettings(tx, workflow)
      const parameters = workflow.parameters({ ...usual, ...(body.parameters as object | undefined) })
      const mostOpen = config.perCenter.maxOpenExecutions
      const started = await startExecution(tx, { workflow, parameters, tags, startedBy: principal.actorId, mostOpen })
      if (!started) {
        throw new Problem(
          'CONFLICT',
          'This workflow is already running, and only one execution can run at a time. Wait until that execution ends, or cancel it.',
          { details: { reason: 'running' }, passing: true },
        )
      }
      tx.afterCommit(() => workflows.wake(cell))
      const executionId = typedId('execution', started.id)
      return reply(200, { executionId, status: 'RUNNING', startedAt: started.startedAt.toISOString() })
    }),

    route(contract.listExecutions, async ({ tx, params, query, principal }, reply) => {
      const { definition } = await named(principal.entered.centerId, params.workflowId)
      const { page, limit } = query
      const rows = await pageOfExecutions(tx, definition.key, { limit, offset: (page - 1) * limit })
      return reply(200, { items: rows.map(executionOf), total: await countExecutions(tx, definition.key) })
    }),

    route(contract.getExecution, async ({ tx, params, principal }, reply) => {
      const row = await found(tx, params.executionId)
      const counted = row.status === 'COMPLETED' ? await countedOf(tx, row.id) : null
      // An ADMIN reads the names of all members, an INSTRUCTOR those in appointments and attendance.
      const known = async (ids: readonly string[]) =>
        principal.entered.role === 'ADMIN' ? new Set(ids) : peopleInBookings(tx, ids)
      const people = counted ? await peopleIn(directory, tx.caller, JSON.stringify(counted.rows), known) : []
      const shown = counted && { ...counted, rows: [...counted.rows], people }
      return reply(200, watchedOf(row, await stepsOf(tx, row.id), catalogue.byKey(row.workflow_key), shown))
    }),

    route(contract.cancelExecution, async ({ params, center: { cell }, caller, principal, sequence }, reply) => {
      const row = await cells.of(cell).inTenant(caller, (tx) => found(tx, params.executionId))
      const center = await centers.profile(caller.centerId)
      const ending = cancellation(row, { center, caller, person: principal, catalogue })
      let dpuId: string | null | undefined
      const answer = await sealOutcome(ending, ({ judge, ...item }) =>
        sequence({ ...item, judge: (batch) => judge(batch) ?? alreadyEnded() }, (ended) => {
          dpuId = ended.dpuId
          const evidence_level = ended.dpuId && 'DRAFT'
          return reply(
            200,
            executionOf({ ...row, status: 'CANCELED', completed_at: new Date(ended.at), evidence_level }),
          )
        }),
      )
      if (dpuId === null) withoutUnit(log, ending)
      return answer
    }),
  ]
}
