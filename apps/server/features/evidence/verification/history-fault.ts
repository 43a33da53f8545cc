/** Faults of the record of an entry in the chain `history`, as a message, or null. Pure. */
import { hash } from 'node:crypto'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import type { EntryRow } from '../../../integrity/verify-queries.ts'
import type { EligibilityRow } from '../../identity/eligibility/api.ts'
import type { GroupRow } from '../../identity/groups/api.ts'
import { committedFault, contentOf, redactedPaths } from './committed.ts'
import { type DisclosedStep, executionFault } from './execution-fault.ts'
import { type DisclosedFreeze, type FreezeFacts, freezeFault } from './freeze-fault.ts'
import { type DisclosedGroup, groupFault } from './group-fault.ts'
import { type DisclosedMember, memberFault } from './member-fault.ts'
import type { NewestFacts } from './newest-queries.ts'
import { type PasskeyFacts, passkeyFault } from './passkey-fault.ts'
import type {
  HistoryEntryRow,
  HistoryOfEntry,
  PolicyVersion,
  SharedVersion,
  StoredActionType,
  StoredExecution,
  StoredVersion,
} from './queries.ts'

export interface HistoryFacts {
  readonly entry: EntryRow
  readonly row: HistoryOfEntry['row']
  /** Redactions of its target, or of itself. */
  readonly redactions: readonly HistoryEntryRow[]
  /** The version of its policy that it discloses. */
  readonly version: PolicyVersion | null
  /** The same of a policy that centers share. */
  readonly shared: SharedVersion | null
  /** The version of its action type that it discloses. */
  readonly actionType: StoredActionType | null
  /** The execution of the decision that it is about. */
  readonly execution: StoredExecution | null
  /** The passkey that it is about. */
  readonly passkey: PasskeyFacts | null
  /** The membership that it is about. */
  readonly member: NewestFacts<EligibilityRow> | null
  /** The group that it is about. */
  readonly group: NewestFacts<GroupRow> | null
  /** The stop that it is about. */
  readonly freeze: FreezeFacts | null
}

export function historyFault(facts: HistoryFacts): string | null {
  const { entry, row, redactions, version, shared, actionType, execution, passkey, member, group, freeze } = facts
  if (!row?.disclosed || !row.salts) return "the entry's record is missing"
  const content = contentOf(entry)
  const fault = committedFault(content, row.disclosed, row.salts, redactedPaths(redactions, entry.idx))
  if (fault !== null) return fault
  if (content.type === 'policy') {
    const said = row.disclosed as unknown as DisclosedPolicy
    return said.shared === true ? sharedFault(said, shared) : policyFault(entry, said, version)
  }
  if (content.type === 'actionType') {
    return actionTypeFault(entry, row.disclosed as unknown as DisclosedActionType, actionType)
  }
  if (content.type === 'passkey' && passkey) return passkeyFault(entry, String(content.target), passkey)
  if (content.type === 'member' && member) {
    return memberFault(entry, content.state, row.disclosed as unknown as DisclosedMember, member)
  }
  if (content.type === 'group' && group) {
    return groupFault(entry, content, row.disclosed as unknown as DisclosedGroup, group)
  }
  if (content.type === 'freeze' && freeze) {
    return freezeFault(entry, content.state, row.disclosed as unknown as DisclosedFreeze, freeze)
  }
  if (content.type === 'execution') return executionFault(entry, row.disclosed as unknown as DisclosedStep, execution)
  return null
}

interface DisclosedVersion {
  readonly version: number
  readonly digest: string
  readonly action: string
  readonly by: { readonly id: string }
}

interface DisclosedPolicy extends DisclosedVersion {
  readonly policy?: Json
  readonly shared?: boolean
}

interface DisclosedActionType extends DisclosedVersion {
  readonly actionType: Json
  readonly key: string
}

/** A version of a policy is written together with its entry and must match it. */
function policyFault(entry: EntryRow, said: DisclosedPolicy, stored: PolicyVersion | null): string | null {
  if (stored?.version !== said.version) return `version ${said.version} of the policy is missing`
  const agrees = stored.policy === canonical(said.policy ?? null) && agree(entry, said, stored, stored.policy)
  return agrees ? null : `version ${said.version} of the policy doesn't match what was sealed`
}

/** The operator's own history has when a shared version was made; the end of one in a center names the version without its text. */
function sharedFault(said: DisclosedPolicy, stored: SharedVersion | null): string | null {
  if (stored?.version !== said.version) return `version ${said.version} of the shared policy is missing`
  const agrees =
    stored.digest === said.digest &&
    stored.digest === `sha256:${hash('sha256', stored.policy)}` &&
    (said.action === 'deleted' || stored.policy === canonical(said.policy ?? null))
  return agrees ? null : `version ${said.version} of the shared policy doesn't match what was sealed`
}

/** The same for an action type. */
function actionTypeFault(entry: EntryRow, said: DisclosedActionType, stored: StoredActionType | null): string | null {
  if (stored?.version !== said.version) return `version ${said.version} of the action type is missing`
  const agrees =
    stored.template === canonical(said.actionType) &&
    stored.key === said.key &&
    agree(entry, said, stored, stored.template)
  return agrees ? null : `version ${said.version} of the action type doesn't match what was sealed`
}

const agree = (entry: EntryRow, said: DisclosedVersion, stored: StoredVersion, text: string): boolean =>
  stored.digest === said.digest &&
  stored.digest === `sha256:${hash('sha256', text)}` &&
  stored.deleted === (said.action === 'deleted') &&
  stored.created_by === said.by.id &&
  new Date(stored.created_at).toISOString() === entry.sealed_at &&
  stored.change_hash === entry.hash
