/** All definitions, checked when the process starts, so that a wrong definition fails there and not in an execution. */
import { createHash } from 'node:crypto'
import type { Json } from '@countersign/proof/canonical.ts'
import { fill } from '@countersign/words/say.ts'
import { termValues } from '@countersign/words/terms.ts'
import type { ErrorObject } from 'ajv'
import { parametersAjv, validationProblem } from '../../../http/validation.ts'
import { typedId } from '../../../lib/ids.ts'
import { isTimezone } from '../../../lib/local-time.ts'
import type { Definition, StartingEvent, WorkflowCenter } from './definition.ts'
import { checkCron } from './due-times.ts'

export type Parameters = Readonly<Record<string, Json>>

export interface Workflow {
  /** As people see it: wfl_… */
  readonly id: string
  readonly definition: Definition
  /** The given parameters with the defaults; throws a Problem that names each invalid one. */
  parameters(given: unknown): Parameters
  /** Some of the parameters, as defaults of a center; throws a Problem that names each invalid one. */
  someParameters(given: unknown): Parameters
  /** Those of stored parameters that are valid: the definition may have changed since they were stored. */
  usable(stored: Parameters): Parameters
}

export interface Catalogue {
  readonly all: readonly Workflow[]
  byKey(key: string): Workflow | undefined
  byId(id: string): Workflow | undefined
  ofVertical(vertical: string): readonly Workflow[]
  startedBy(event: StartingEvent, vertical: string): readonly Workflow[]
}

/** The name by which a center knows the workflow. */
export function nameIn(
  { name, names }: Definition,
  { locale, terms }: Pick<WorkflowCenter, 'locale' | 'terms'>,
): string {
  const language = locale.startsWith('ko') ? 'ko' : 'en'
  return fill(names?.[language] ?? name, termValues(terms, language)) ?? name
}

/** A UUID of version 8 made of the key, so that it is the same in every process and version. */
export function workflowUuid(key: string): string {
  const digest = createHash('sha256').update(`countersign workflow ${key}`).digest()
  digest[6] = ((digest[6] as number) & 0x0f) | 0x80
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80
  const hex = digest.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export function makeCatalogue(definitions: readonly Definition[]): Catalogue {
  const all = definitions.map(workflowOf)
  const byKey = new Map(all.map((workflow) => [workflow.definition.key, workflow]))
  const byId = new Map(all.map((workflow) => [workflow.id, workflow]))
  if (byKey.size !== all.length) throw new Error('two workflows have the same key')
  const verticals = Map.groupBy(all, ({ definition }) => definition.vertical as string)
  const ofVertical = (vertical: string) => verticals.get(vertical) ?? []
  return {
    all,
    byKey: (key) => byKey.get(key),
    byId: (id) => byId.get(id),
    ofVertical,
    startedBy: (event, vertical) =>
      ofVertical(vertical).filter(({ definition }) => definition.type === 'EVENT' && definition.event === event),
  }
}

function workflowOf(definition: Definition): Workflow {
  const { key, steps } = definition
  const wrong = (what: string): never => {
    throw new Error(`workflow ${key}: ${what}`)
  }
  if (steps.length === 0) wrong('has no step')
  if (new Set(steps.map(({ name }) => name)).size !== steps.length) wrong('has two steps of the same name')
  for (const { name, attempts, timeoutSeconds, backoffSeconds } of steps) {
    if (!(attempts >= 1 && timeoutSeconds > 0 && backoffSeconds >= 0)) wrong(`step ${name} cannot be tried`)
  }
  if (definition.type === 'SCHEDULED') {
    const { cron, timezone } = definition.schedule
    checkCron(cron)
    if (timezone !== undefined && !isTimezone(timezone)) wrong(`${timezone} is not a time zone`)
  }
  const check = parametersAjv.compile(definition.parameters)
  const parameters = (given: unknown): Parameters => {
    const completed = structuredClone(given ?? {})
    if (!check(completed)) throw validationProblem('platform', (check.errors ?? []).map(underParameters))
    return completed as Parameters
  }
  const checkSome = parametersAjv.compile({ ...definition.parameters, required: [] })
  const someParameters = (given: unknown): Parameters => {
    if (!checkSome(structuredClone(given))) {
      throw validationProblem('platform', (checkSome.errors ?? []).map(underParameters))
    }
    return given as Parameters
  }
  const usable = (stored: Parameters): Parameters =>
    Object.fromEntries(Object.entries(stored).filter(([name, value]) => checkSome({ [name]: value })))
  // A schedule and an event give no parameters.
  if (definition.type !== 'MANUAL') parameters({})
  return { id: typedId('workflow', workflowUuid(key)), definition, parameters, someParameters, usable }
}

const underParameters = (error: ErrorObject): ErrorObject => ({
  ...error,
  instancePath: `/parameters${error.instancePath}`,
})
