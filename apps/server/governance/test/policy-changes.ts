/** Any sets of policies and any changes of them. A member that the contract has and this does not fails a test. */
import {
  approverRoles,
  conditionOperators,
  eventActorTypes,
  evidenceLevels,
  requiredIdentities,
} from '@countersign/contract/enums.ts'
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import fc from 'fast-check'
import type { PolicyRow } from '../rows.ts'

/** Few values of each, so that they meet. */
export const people = ['kim', 'lee', 'park', 'choi'] as const
export const actionTypes = ['refund', 'refund.large', 'plan.adjust'] as const
export const eventTypes = ['ai_recommendation', 'agent_execution'] as const
export const seconds = [30, 300, 3000] as const
export const groups = ['grp-1', 'grp-2'] as const

const some = <T>(...values: readonly T[]) => fc.subarray([...values], { minLength: 1 })
const approvers = { roles: some(...approverRoles), actorIds: some(...people) }
const yes = fc.boolean()

/** The value has the form that its operator needs, as the server requires it. */
const conditions: Record<(typeof conditionOperators)[number], fc.Arbitrary<object>> = {
  eq: fc.record({ value: fc.constantFrom(100, 5000, 'urgent') }),
  in: fc.record({ value: some<string | number>(100, 5000, 'urgent') }),
  gt: fc.record({ value: fc.constantFrom(50, 1000) }),
  lt: fc.record({ value: fc.constantFrom(50, 1000) }),
  exists: fc.record({ value: yes }, { requiredKeys: [] }),
}
const condition = fc
  .tuple(
    fc.constantFrom('/action/input/amount', '/tags', '/riskScore', '/aiContext/confidence'),
    fc.constantFrom(...conditionOperators),
  )
  .chain(([pointer, op]) => conditions[op].map((value) => ({ pointer, op, ...value })))

/** Two members at most, beside those that must be there, so that some decisions pass. */
function sparse(members: Readonly<Record<string, fc.Arbitrary<unknown>>>, ...always: string[]): fc.Arbitrary<object> {
  const names = Object.keys(members).filter((name) => !always.includes(name))
  const chosen = fc.subarray(names, { maxLength: 2 })
  return chosen.chain((some) =>
    fc.record(Object.fromEntries([...always, ...some].map((name) => [name, members[name] as fc.Arbitrary<unknown>]))),
  )
}

const escalateTo = { ...approvers, afterSeconds: fc.constantFrom(...seconds) }
const named = { ...approvers, groupIds: some(...groups) }
const step = {
  title: fc.constantFrom('Teacher', 'Director'),
  ...named,
  count: fc.constantFrom(1, 1, 2),
  identity: fc.constantFrom(...requiredIdentities),
  escalateTo: sparse(escalateTo, 'afterSeconds'),
  delegated: yes,
}
const match = {
  eventTypes: some(...eventTypes),
  actionTypes: some(...actionTypes, 'refund*', '*'),
  verticals: some('rehabilitation', 'education'),
  actorTypes: some(...eventActorTypes),
  when: fc.array(condition, { minLength: 1, maxLength: 2 }),
}
const guards = {
  policyRequired: yes,
  minimumEvidenceLevel: fc.constantFrom(...evidenceLevels),
  humanReview: yes,
  riskThreshold: fc.constantFrom(0, 0.4, 0.8, 1),
  dualApproval: fc.constantFrom(true, true, false),
}
/** A policy has one guard at least; this one asks for nothing. */
export const noGuard = { humanReview: false }
const withOne = (held: object) => (Object.keys(held).length > 0 ? held : noGuard)

const emergency = { ...named, confirmWithinSeconds: fc.constantFrom(...seconds) }
const approval = {
  identity: fc.constantFrom(...requiredIdentities),
  ...approvers,
  steps: fc.array(sparse(step), { minLength: 1, maxLength: 3 }),
  inform: sparse(named),
  expiresAfterSeconds: fc.constantFrom(...seconds),
  usableForSeconds: fc.constantFrom(...seconds, 604_800, 604_801),
  escalateTo: sparse(escalateTo, 'afterSeconds'),
  emergency: sparse(emergency, 'confirmWithinSeconds'),
}
/** Seldom a condition, so that most policies match most decisions. */
const emptyOr = (matching: fc.Arbitrary<object>) => fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, matching)
const top = {
  name: fc.constantFrom('Refunds', 'Plans'),
  description: fc.constantFrom('Old', 'New'),
  scope: fc.oneof({ weight: 4, arbitrary: fc.constant('center') }, fc.constantFrom('global', 'country', 'region')),
  country: fc.constantFrom('KR', 'US'),
  region: fc.constantFrom('KR-11', 'KR-26'),
  match: emptyOr(sparse(match)),
  guards: sparse(guards).map(withOne),
  approval: sparse(approval),
  active: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, yes),
}
const body = fc.record(top, { requiredKeys: ['name', 'scope', 'match', 'guards'] }) as fc.Arbitrary<PolicyBody>

/** By the place of the object in a body. */
export const generated: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  '': top,
  '/match': match,
  '/guards': guards,
  '/approval': approval,
  '/approval/escalateTo': escalateTo,
  '/approval/steps/*': step,
  '/approval/steps/*/escalateTo': escalateTo,
  '/approval/inform': named,
  '/approval/emergency': emergency,
}
const required = [
  '/name',
  '/scope',
  '/match',
  '/guards',
  '/approval/escalateTo/afterSeconds',
  '/approval/steps/*/escalateTo/afterSeconds',
]

export const pointers: readonly string[] = Object.entries(generated).flatMap(([place, members]) =>
  Object.keys(members).map((member) => `${place}/${member}`),
)

export type Change =
  | { readonly kind: 'edit'; readonly at: number; readonly pointer: string; readonly value: unknown }
  | { readonly kind: 'add'; readonly body: PolicyBody }
  | { readonly kind: 'remove'; readonly at: number }

const at = fc.nat(3)
const edit = (among: readonly string[]): fc.Arbitrary<Change> =>
  fc.constantFrom(...among).chain((pointer) => {
    const cut = pointer.lastIndexOf('/')
    const value = generated[pointer.slice(0, cut)]?.[pointer.slice(cut + 1)] as fc.Arbitrary<unknown>
    return fc.record({
      kind: fc.constant('edit' as const),
      at,
      pointer: fc.constant(pointer),
      value: required.includes(pointer) ? value : fc.option(value, { nil: undefined, freq: 4 }),
    })
  })
/** Edits are of the members that are named here. */
export const change = (among: readonly string[] = pointers): fc.Arbitrary<Change> =>
  fc.oneof(
    { weight: 8, arbitrary: edit(among) },
    { weight: 2, arbitrary: body.map((added): Change => ({ kind: 'add', body: added })) },
    { weight: 1, arbitrary: at.map((from): Change => ({ kind: 'remove', at: from })) },
  )
/** Where only a member of steps changes, one short line in which it counts: such a change is seldom found among all others. */
export function bodiesFor(among: readonly string[]): fc.Arbitrary<PolicyBody[]> {
  const inSteps = '/approval/steps/*/'
  if (!among.every((pointer) => pointer.startsWith(inSteps))) return fc.array(body, { maxLength: 3 })
  const always = among.map((pointer) => pointer.slice(inSteps.length).split('/')[0] as string)
  const steps = fc.array(sparse(step, ...always), { minLength: 1, maxLength: 2 })
  const line = { name: 'Line', scope: 'center' as const, match: {}, guards: { humanReview: true } }
  return steps.map((made) => [{ ...line, approval: { steps: made } }])
}

/** The body with another value at that place; undefined removes it. `*` is every item of a list. */
export function withValue(old: PolicyBody, pointer: string, value: unknown): PolicyBody {
  const [first = '', ...rest] = pointer.slice(1).split('/')
  if (first === '*') {
    const items = Array.isArray(old) ? old : [{}]
    return items.map((item) => withValue(item, `/${rest.join('/')}`, value)) as unknown as PolicyBody
  }
  const { [first]: held, ...others } = old as unknown as Record<string, unknown>
  if (rest.length > 0 && held === undefined && value === undefined) return old
  const changed = rest.length > 0 ? withValue((held ?? {}) as PolicyBody, `/${rest.join('/')}`, value) : value
  return { ...others, ...(changed !== undefined && { [first]: changed }) } as unknown as PolicyBody
}

const row = (place: number, text: PolicyBody): PolicyRow => ({
  center_id: 7,
  id: `00000000-0000-7000-8000-${String(place).padStart(12, '0')}`,
  version: 1,
  policy: JSON.stringify(text),
  digest: '',
})
export const rowsOf = (texts: readonly PolicyBody[]): readonly PolicyRow[] =>
  texts.map((text, place) => row(place, text))

/** Later policies have ids that no earlier one had. */
export function changed(rows: readonly PolicyRow[], one: Change, step: number): readonly PolicyRow[] {
  if (one.kind === 'add') return [...rows, row(100 + step, one.body)]
  const place = one.at % Math.max(rows.length, 1)
  if (one.kind === 'remove') return rows.toSpliced(place, 1)
  return rows.map((each, index) => {
    if (index !== place) return each
    const edited = withValue(JSON.parse(each.policy), one.pointer, one.value)
    return { ...each, policy: JSON.stringify({ ...edited, guards: withOne(edited.guards) }) }
  })
}
