/** What a change is called in the event stream, and who is notified. Pure. */
import type { ActorRole } from '@countersign/contract/enums.ts'
import { typedId } from '../../../lib/ids.ts'
import type { ChangeRow } from './queries.ts'

/** The kinds of things that change. Contents are read from the operations, with the rights of the reader. */
export const changeKinds = [
  'decision',
  'dpu',
  'policy',
  'freeze',
  'webhook',
  'execution',
  'chain',
  'booking',
  'member',
  'api_key',
  'center',
] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface Change {
  readonly kind: ChangeKind
  /** Null where more than one of the kind may have changed. */
  readonly id: string | null
}

const staff: readonly ActorRole[] = ['ADMIN', 'INSTRUCTOR']

/** The roles that may read each kind; null for every role. */
const readers: Readonly<Record<ChangeKind, readonly ActorRole[] | null>> = {
  decision: staff,
  dpu: staff,
  execution: staff,
  chain: staff,
  policy: ['ADMIN'],
  freeze: staff,
  webhook: ['ADMIN'],
  member: ['ADMIN'],
  api_key: ['ADMIN'],
  booking: null,
  center: null,
}

/** Only the roles that may read such things learn that one changed. */
export const isToldTo = (roles: readonly ActorRole[], { kind }: Change): boolean =>
  readers[kind]?.some((role) => roles.includes(role)) ?? true

const kindsOfEntries: Readonly<Record<string, ChangeKind>> = {
  'decision.sealed': 'decision',
  'dpu.changed': 'dpu',
  'policy.changed': 'policy',
  'webhook.changed': 'webhook',
  'workflow.executed': 'execution',
  'integrity.alarm': 'chain',
  'settings.updated': 'center',
  'center.updated': 'center',
}

export function changeOf({ type, target_type, target_id }: ChangeRow): Change | null {
  if (type === 'decision.recorded') return { kind: 'decision', id: typedId('decisionEvent', target_id) }
  if (type === 'webhook.delivered') return { kind: 'webhook', id: typedId('webhook', target_id) }
  if (target_type === 'booking') return { kind: 'booking', id: target_id }
  if (target_type === 'freeze') return { kind: 'freeze', id: target_id }
  const kind = kindsOfEntries[type]
  return kind ? { kind, id: target_id } : null
}

/** Changes of the directory name no object. */
export function changeOfTag(tag: string): (Change & { readonly centerId: number }) | null {
  const [, name, center] = /^(center|members|keys):(\d+)$/.exec(tag) ?? []
  const kinds: Record<string, ChangeKind> = { center: 'center', members: 'member', keys: 'api_key' }
  const kind = kinds[name ?? '']
  return kind ? { kind, id: null, centerId: Number(center) } : null
}
