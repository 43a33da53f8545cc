/** Policies and action types of a center as a file, and what a file would change. Pure. */
import { hash } from 'node:crypto'
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { FileChange, FiledActionType, FiledPolicy, PolicyFile } from '@countersign/contract/policy-files.ts'
import type { ActionTemplate } from '@countersign/proof/action-template.ts'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem, refusedField } from '../../../lib/problem.ts'
import type { GroupRow } from '../../identity/groups/api.ts'
import { keyOfType, type StandingRow, templateOf } from '../action-types/api.ts'
import { bodyText, isFixed, requireOwn, requireSound, type VersionRow } from '../policies/api.ts'
import { differing, type WantedChange } from './change.ts'
import type { ImportedType } from './effect.ts'
import type { RuleChangeRow } from './sealed-rows.ts'

type Named = Pick<GroupRow, 'id' | 'name'>

/** What a center has when a file is made or compared. */
export interface RuleState {
  /** All that are in force, shared ones too. */
  readonly rows: readonly VersionRow[]
  /** The newest version of each, withdrawn ones too. */
  readonly types: readonly StandingRow[]
  readonly groups: readonly Named[]
  /** What is known of the center's own policies. */
  readonly known: readonly Pick<RuleChangeRow, 'policy_id' | 'since' | 'asked'>[]
}

type Versions = readonly { readonly id: string; readonly version: number }[]

/** The same for the same state, wherever it is read. */
export function revisionOf(
  policies: Versions,
  types: readonly { readonly key: string; readonly version: number }[],
  groups: readonly Named[],
): string {
  const lines = [
    ...policies.map(({ id, version }) => `policy ${id} ${version}`),
    ...types.map(({ key, version }) => `type ${key} ${version}`),
    ...groups.map(({ id, name }) => `group ${id} ${name}`),
  ]
  return `sha256:${hash('sha256', canonical(lines.sort() as Json))}`
}

const bodyOf = ({ policy }: Pick<VersionRow, 'policy'>) => JSON.parse(policy) as PolicyBody

const ownRows = ({ rows }: RuleState): readonly VersionRow[] => rows.filter((row) => bodyOf(row).scope === 'center')

export const revisionOfState = (state: RuleState): string => revisionOf(ownRows(state), state.types, state.groups)

/** The same value with another name for every group in it. */
function withGroups<T>(value: T, name: (group: string) => string): T {
  if (Array.isArray(value)) return value.map((each) => withGroups(each, name)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([member, each]) => [
    member,
    member === 'groupIds' ? (each as string[]).map(name) : withGroups(each, name),
  ])
  return Object.fromEntries(entries) as T
}

function filedPolicy(row: VersionRow, groups: readonly Named[]): FiledPolicy {
  const { name, description, match, guards, approval, active } = bodyOf(row)
  const nameOf = (id: string) => {
    const group = groups.find((each) => typedId('group', each.id) === id)
    const isClear = group && groups.filter((each) => each.name === group.name).length === 1
    return isClear ? group.name : id
  }
  return {
    ...{ name, ...(description !== undefined && { description }), match, guards },
    ...(approval && { approval: withGroups(approval, nameOf) }),
    ...(active === false && { active }),
  }
}

function filedType({ template }: StandingRow): FiledActionType {
  const { type, name, sentence, labels } = JSON.parse(template) as ActionTemplate
  const filed = { type, name, ...(sentence && { sentence }), ...(Object.keys(labels).length > 0 && { labels }) }
  return filed as FiledActionType
}

/** What an import accepts, in the order of the names. */
export function fileOf(state: RuleState, center: CenterProfile): PolicyFile {
  const own = ownRows(state).filter(({ id }) => !isFixed(center, id))
  return {
    version: 1,
    policies: own.map((row) => filedPolicy(row, state.groups)).sort((a, b) => (a.name < b.name ? -1 : 1)),
    actionTypes: state.types.filter(({ deleted }) => !deleted).map(filedType),
  }
}

export interface Plan {
  readonly revision: string
  readonly changes: readonly FileChange[]
  readonly wanted: readonly WantedChange[]
  readonly types: readonly ImportedType[]
  /** The policies as they would be in force. */
  readonly after: readonly VersionRow[]
}

function groupNamed(groups: readonly Named[], wanted: string): string {
  const found = uuidOf('group', wanted)
    ? groups.filter(({ id }) => typedId('group', id) === wanted)
    : groups.filter(({ name }) => name === wanted)
  const [group] = found
  if (!group) {
    throw new Problem(
      'VALIDATION_ERROR',
      `This center has no group "${wanted}". Create the group first, or use the name or ID of another one.`,
      { details: { reason: 'groupGone' } },
    )
  }
  if (found.length > 1) {
    throw new Problem(
      'VALIDATION_ERROR',
      `This center has several groups named "${wanted}". Use the group's ID instead.`,
      { details: { reason: 'sameGroups' } },
    )
  }
  return typedId('group', group.id)
}

function requireDistinct(names: readonly string[], what: string): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw refusedField(what, `has "${twice}" twice. Each entry needs a name of its own`)
}

/** What the file says, compared with what the center has. */
export function planOf(file: PolicyFile, state: RuleState, center: CenterProfile): Plan {
  const own = ownRows(state)
  requireDistinct(
    file.policies.map(({ name }) => name),
    'policies',
  )
  const named = Map.groupBy(own, (row) => bodyOf(row).name)
  const wanted = file.policies.flatMap((filed): WantedChange[] => {
    const body: PolicyBody = { ...withGroups(filed, (group) => groupNamed(state.groups, group)), scope: 'center' }
    requireSound(body)
    const [row, second] = named.get(filed.name) ?? []
    if (second) {
      throw new Problem(
        'CONFLICT',
        `This center has several policies named "${filed.name}", and a file finds them by name. Rename all but one of them first.`,
        { details: { reason: 'samePolicies' } },
      )
    }
    if (row) requireOwn(center, row.id)
    if (row?.policy === bodyText(body)) return []
    return [{ id: row?.id ?? newUuid(), old: row ? { version: row.version, body: bodyOf(row) } : null, body }]
  })
  const names = new Set(file.policies.map(({ name }) => name))
  const ending = own
    .filter((row) => !names.has(bodyOf(row).name) && !isFixed(center, row.id))
    .map((row): WantedChange => ({ id: row.id, old: { version: row.version, body: bodyOf(row) }, body: null }))
  const all = [...wanted, ...ending]
  const types = file.actionTypes ? changedTypes(file.actionTypes, state.types) : []
  return {
    revision: revisionOfState(state),
    changes: [...all.map((each) => changeOf(each, state.groups)), ...types.map(({ shown }) => shown)],
    wanted: all,
    types: types.map(({ imported }) => imported),
    after: rowsAfter(state.rows, all),
  }
}

function rowsAfter(rows: readonly VersionRow[], wanted: readonly WantedChange[]): readonly VersionRow[] {
  const changed = new Set(wanted.map(({ id }) => id))
  const next = wanted.flatMap(({ id, old, body }): VersionRow[] =>
    body === null
      ? []
      : [
          {
            center_id: null,
            id,
            version: (old?.version ?? 0) + 1,
            policy: bodyText(body),
            digest: '',
            created_at: null,
          },
        ],
  )
  return [...rows.filter(({ id }) => !changed.has(id)), ...next]
}

function changeOf({ id, old, body }: WantedChange, groups: readonly Named[]): FileChange {
  const filed = (each: PolicyBody | undefined | null) =>
    each ? filedPolicy({ policy: bodyText(each) } as VersionRow, groups) : null
  const [was, becomes] = [filed(old?.body), filed(body)]
  const { before, after } = differing(was, becomes)
  return {
    kind: 'policy',
    change: body === null ? 'ended' : old ? 'changed' : 'created',
    name: becomes?.name ?? was?.name ?? '',
    id: old ? typedId('policy', id) : null,
    before: was && before,
    after: becomes && after,
  }
}

interface TypeChange {
  readonly imported: ImportedType
  readonly shown: FileChange
}

function changedTypes(filed: readonly FiledActionType[], known: readonly StandingRow[]): readonly TypeChange[] {
  requireDistinct(
    filed.map(({ type }) => keyOfType(type)),
    'actionTypes',
  )
  const changeOf = (type: string, row: StandingRow | undefined, next: FiledActionType | null): TypeChange => {
    const was = row && !row.deleted ? filedType(row) : null
    const { before, after } = differing(was, next)
    const { type: _, ...template } = next ?? { type }
    return {
      imported: { type, base: row?.version ?? 0, after: next && (template as Omit<FiledActionType, 'type'>) },
      shown: {
        ...{ kind: 'actionType', change: next === null ? 'ended' : was ? 'changed' : 'created', name: type, id: null },
        before: was && before,
        after: next && after,
      },
    }
  }
  const rows = new Map(known.map((row) => [row.key, row]))
  const set = filed.flatMap((each) => {
    const { type, ...template } = each
    const row = rows.get(keyOfType(type))
    const next = filedType({ template: JSON.stringify(templateOf(type, template)) } as StandingRow)
    const isSame =
      row && !row.deleted && canonical(filedType(row) as unknown as Json) === canonical(next as unknown as Json)
    return isSame ? [] : [changeOf(type, row, next)]
  })
  const kept = new Set(filed.map(({ type }) => keyOfType(type)))
  const ended = known
    .filter((row) => !row.deleted && !kept.has(row.key))
    .map((row) => changeOf(filedType(row).type, row, null))
  return [...set, ...ended]
}
