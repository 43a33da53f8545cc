/** Editing the approval line of a policy: templates, and steps that are changed, moved, added and removed. Pure. */
import type { PolicyApproval, PolicyStep } from '@countersign/sdk'
import { type Body, countOf, type Who, whoOf, withPeople } from './body.ts'

export type Template = 'one' | 'director' | 'two' | 'own'
export const templates: readonly Template[] = ['one', 'director', 'two', 'own']

export interface Titles {
  readonly staff: string
  readonly director: string
}

export const stepsOf = ({ approval }: Body): readonly PolicyStep[] | null => approval?.steps ?? null
export const countIn = ({ count = 1 }: PolicyStep): number => count

/** What the line of a policy is made from; null where it asks for no approval. */
export function templateOf(body: Body): Template | null {
  const steps = stepsOf(body)
  if (steps === null) return countOf(body) === 0 ? null : countOf(body) === 2 ? 'two' : 'one'
  const [first, last, ...more] = steps
  const isDirector = last && more.length === 0 && countIn(last) === 1 && isOnlyAdmin(last)
  return isDirector && first && countIn(first) === 1 && !isNamed(first) ? 'director' : 'own'
}

const isNamed = ({ roles, actorIds, groupIds }: PolicyStep): boolean => Boolean(roles ?? actorIds ?? groupIds)
const isOnlyAdmin = ({ roles, actorIds, groupIds }: PolicyStep): boolean =>
  !actorIds && !groupIds && roles?.length === 1 && roles[0] === 'ADMIN'

export function withTemplate(body: Body, template: Template, titles: Titles): Body {
  const who: Who = stepsOf(body) === null ? whoOf(body) : 'ANY'
  if (template === 'one') return withPeople(short(body), who, 1)
  if (template === 'two') return withPeople(short(body), 'ANY', 2)
  if (template === 'own') return withSteps(body, stepsOf(body) ?? [stepOf(body)])
  return withSteps(body, [{ title: titles.staff }, { title: titles.director, roles: ['ADMIN'] }])
}

/** The one step that a policy without a line has. */
function stepOf({ approval, guards }: Body): PolicyStep {
  const { roles, actorIds, escalateTo } = approval ?? {}
  return {
    ...(roles && { roles }),
    ...(actorIds && { actorIds }),
    ...(guards.dualApproval && { count: 2 }),
    ...(escalateTo && { escalateTo }),
  }
}

const levels = ['claim', 'session', 'passkey'] as const
type Level = (typeof levels)[number]
const higher = (a: Level, b: Level): Level => (levels.indexOf(a) > levels.indexOf(b) ? a : b)

/** A place asks for the higher one of its step's level and of the policy's. */
export const levelOf = (body: Body, { identity = 'claim' }: PolicyStep): Level => higher(ownLevel(body), identity)
const ownLevel = ({ approval }: Body): Level => approval?.identity ?? 'session'

/** Without its line: the level is the highest that a step asked for. */
function short(body: Body): Body {
  const steps = stepsOf(body)
  if (steps === null) return body
  const { steps: _, ...approval } = body.approval as PolicyApproval
  const identity = steps.map((step) => levelOf(body, step)).reduce(higher)
  return { ...body, approval: { ...approval, identity } }
}

export function withSteps(body: Body, steps: readonly PolicyStep[]): Body {
  const { dualApproval, ...others } = body.guards
  const asks = !dualApproval && (others.humanReview || others.riskThreshold !== undefined)
  const { roles: _, actorIds: __, escalateTo: ___, ...approval } = body.approval ?? {}
  return {
    ...body,
    guards: asks ? others : { ...others, humanReview: true },
    approval: { ...approval, steps: [...steps] },
  }
}

/** Members that are undefined are left out. */
export function changed(
  step: PolicyStep,
  change: { readonly [K in keyof PolicyStep]?: PolicyStep[K] | undefined },
): PolicyStep {
  const entries = Object.entries({ ...step, ...change }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as PolicyStep
}

export const replaced = (steps: readonly PolicyStep[], at: number, step: PolicyStep): readonly PolicyStep[] =>
  steps.with(at, step)

/** A level below the policy's own becomes the policy's, and the other steps keep theirs. */
export function withLevel(body: Body, at: number, identity: Level): Body {
  const steps = stepsOf(body) ?? []
  if (levels.indexOf(identity) >= levels.indexOf(ownLevel(body))) {
    return withSteps(body, replaced(steps, at, changed(steps[at] as PolicyStep, { identity })))
  }
  const spread = steps.map((step, place) => changed(step, { identity: place === at ? undefined : levelOf(body, step) }))
  return withSteps({ ...body, approval: { ...body.approval, identity } }, spread)
}

export function moved(steps: readonly PolicyStep[], from: number, to: number): readonly PolicyStep[] {
  const step = steps[from]
  return step && to >= 0 && to < steps.length ? steps.toSpliced(from, 1).toSpliced(to, 0, step) : steps
}

export type Named = Pick<PolicyStep, 'roles' | 'actorIds' | 'groupIds'>
export type Kind = keyof Named

export interface Entry {
  readonly kind: Kind
  readonly id: string
}

export const entriesOf = ({ roles = [], actorIds = [], groupIds = [] }: Named): readonly Entry[] => [
  ...roles.map((id) => ({ kind: 'roles', id }) as const),
  ...groupIds.map((id) => ({ kind: 'groupIds', id }) as const),
  ...actorIds.map((id) => ({ kind: 'actorIds', id }) as const),
]

const listOf = (ids: readonly string[]) => (ids.length > 0 ? [...ids] : undefined)

export const withEntry = (named: Named, { kind, id }: Entry): { readonly [K in Kind]?: string[] | undefined } => ({
  [kind]: listOf([...new Set<string>([...(named[kind] ?? []), id])]),
})
export const withoutEntry = (named: Named, { kind, id }: Entry): { readonly [K in Kind]?: string[] | undefined } => ({
  [kind]: listOf((named[kind] ?? []).filter((each) => each !== id)),
})

export function withInform(body: Body, inform: Named): Body {
  const { inform: _, ...approval } = body.approval ?? {}
  const named = entriesOf(inform).length > 0 ? { ...approval, inform } : approval
  const { approval: __, ...rest } = body
  return Object.keys(named).length > 0 ? { ...rest, approval: named } : rest
}

/** Who may approve in an emergency, and within what time the line confirms it; null takes it away. */
export function withEmergency(body: Body, emergency: NonNullable<PolicyApproval['emergency']> | null): Body {
  const { emergency: _, ...approval } = body.approval ?? {}
  if (emergency === null) return { ...body, approval }
  const named = Object.fromEntries(Object.entries(emergency).filter(([, value]) => value !== undefined))
  return { ...body, approval: { ...approval, emergency: named as typeof emergency } }
}
