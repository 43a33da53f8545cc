/**
 * What whoever holds the database and the key of the log can make of a genuine decision that a passkey approved: any
 * field rewritten, and all hashes, links, states and proofs made anew and witnessed.
 */
import { actionDigest, type DigestedAction } from '../action-digest.ts'
import { canonical, type Json } from '../canonical.ts'
import { commitment } from '../commitment.ts'
import type { PriorApproval } from '../control.ts'
import type { ExportDocument } from '../export.ts'
import { passkeyState } from '../history-entry.ts'
import { type AnyApprovalStatement, reasonDigest } from '../passkey.ts'
import { checkEntry } from '../verify-entry.ts'
import type { BuiltEntry } from './arbitraries.ts'
import { anchored } from './log.ts'
import { approvalBy, decisionBy, firstStatementOf, keys, priorBy, priorOf, statementOf, threeKeys } from './passkeys.ts'
import { approvalOf } from './proof-kinds.ts'

type Tree = Record<string, unknown>
interface Entry extends Tree {
  chain: { hash: string; index: number; previousHash: string | null }
  commitments: Record<string, string>
  disclosures: Record<string, string>
}
interface Evidence extends Entry {
  bindings: Entry[]
  approval: Tree & { passkey: Tree }
}

export const three = threeKeys()
const prior = [priorBy(approvalOf('session'))]
const byAda = (statement: AnyApprovalStatement) =>
  approvalBy('act_ada', keys.ada, three[3] as BuiltEntry, { statement })

/** Of 0.1.0, and of today with an earlier approval that the person knew of. */
const signed = {
  first: decisionBy(byAda(firstStatementOf('act_ada')), three),
  present: decisionBy(byAda(statementOf('act_ada', { prior: priorOf(prior) })), three, { prior }),
}
export type Form = keyof typeof signed
const genuine = (form: Form) => structuredClone(signed[form])

const valueAt = (from: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Tree | undefined)?.[name], from)

/** Commits anew to what is shown, and hashes anew. */
function resealed(entry: Entry, domain: 'proof' | 'history'): void {
  for (const path of Object.keys(entry.disclosures)) {
    const value = valueAt(entry, path) as Json | undefined
    if (value === undefined) {
      delete entry.disclosures[path]
      delete entry.commitments[path]
    } else entry.commitments[path] = commitment(entry.disclosures[path] as string, path, value)
  }
  const checked = checkEntry(entry, domain, '', ['status', 'bindings'], () => undefined)
  if (checked !== null) entry.chain.hash = checked.hash
}

/** All hashes, links, states and proofs are made to fit what the file says now. */
function made(told: ExportDocument): ExportDocument {
  const document = JSON.parse(JSON.stringify(told)) as ExportDocument
  const evidence = document.evidence as unknown as Evidence
  const hashes = new Map<unknown, string>()
  const last = new Map<unknown, string>()
  let confirmedSoFar = ''
  for (const entry of evidence.bindings) {
    const before = entry.chain.hash
    entry.previous = last.get(entry.target) ?? null
    const confirmation = entry.confirmation as Tree | undefined
    if (confirmation?.binding !== undefined)
      confirmation.binding = hashes.get(confirmation.binding) ?? confirmation.binding
    confirmedSoFar = String(confirmation?.how ?? confirmedSoFar)
    entry.state = passkeyState({ passkey: 'bound', confirmed: confirmedSoFar })
    resealed(entry, 'history')
    hashes.set(before, entry.chain.hash)
    last.set(entry.target, entry.chain.hash)
  }
  const { passkey } = evidence.approval
  if (passkey?.binding !== undefined) passkey.binding = hashes.get(passkey.binding) ?? passkey.binding
  evidence.approval.approvedAt = evidence.sealedAt
  resealed(evidence, 'proof')
  const { hash, index, previousHash } = evidence.chain
  const verification = { ...document.verification, chainHash: hash, chainIndex: index, previousHash }
  return anchored({ ...document, verification })
}

/** The statement is rewritten too, to say what the record says now. */
function restated(document: ExportDocument): void {
  const evidence = document.evidence as unknown as Evidence
  const { approval, event, actionSalt } = evidence
  const statement = (evidence.statement ?? approval.passkey.statement) as Tree
  const { type, actor, action } = event as Tree
  // Without these there is no digest.
  if (type && actor && action)
    evidence.actionDigest = actionDigest(String(actionSalt), event as unknown as DigestedAction)
  Object.assign(statement, {
    log: evidence.log,
    eventId: String(evidence.id).replace('evd_', 'evt_'),
    decisionId: evidence.decisionId,
    actionDigest: evidence.actionDigest,
    result: approval.result,
    reasonDigest:
      approval.reason === undefined ? null : reasonDigest(String(approval.reasonSalt), String(approval.reason)),
    approverId: (approval.approver as Tree).id,
    policies: evidence.policies ?? [],
    onBehalfOf: approval.onBehalfOf ?? null,
  })
  if (evidence.statement === undefined) return
  const { shown = null } = (evidence.control ?? {}) as Tree
  const { prior0 } = evidence as { prior0?: PriorApproval }
  Object.assign(statement, { shown, ...(prior0?.salt !== undefined && { prior: priorOf([prior0]) }) })
}

/** The values, without hashes and salts. */
const shownBy = ({ evidence }: ExportDocument): string => {
  const hidden = ['commitments', 'disclosures', 'chain', 'binding', 'previous']
  const text = JSON.stringify(evidence, (name, value) => (hidden.includes(name) ? undefined : value))
  return canonical(JSON.parse(text))
}

/** Leaves of the evidence, without what `made` makes anew. */
function leaves(value: unknown, path: string[] = []): string[][] {
  if (['commitments', 'disclosures', 'chain'].includes(path.at(-1) ?? '')) return []
  if (typeof value !== 'object' || value === null) return [path]
  return Object.keys(value).flatMap((name) => leaves((value as Tree)[name], [...path, name]))
}

const altered = (value: unknown): unknown => {
  if (typeof value === 'string') return value === '' ? 'x' : `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : 'x'
}

/** `same`: the rewritten file shows what the genuine one shows, because what was changed is made anew. */
export interface Rewritten {
  readonly name: string
  readonly document: ExportDocument
  readonly same: boolean
}

export const untouched = (form: Form): ExportDocument => made(genuine(form))

/** Each is made when it's asked for: making all takes half a minute. */
export function* ways(form: Form): Generator<() => Rewritten> {
  const before = shownBy(untouched(form))
  const changes = { altered, removed: () => undefined }
  for (const path of leaves(genuine(form).evidence).filter(([name]) => !['status', 'sealedAt'].includes(name ?? ''))) {
    for (const [how, change] of Object.entries(changes)) {
      for (const isRestated of [false, true]) {
        yield () => {
          const document = genuine(form)
          const parent = path
            .slice(0, -1)
            .reduce((tree, name) => tree[name] as Tree, document.evidence as unknown as Tree)
          const name = path.at(-1) as string
          const value = change(parent[name])
          if (value === undefined) delete parent[name]
          else parent[name] = value
          if (isRestated) restated(document)
          const rewritten = made(document)
          const where = path.join('.').replace(/^bindings\.\d+/, 'bindings.*')
          return { name: `${where} ${how}`, document: rewritten, same: shownBy(rewritten) === before }
        }
      }
    }
  }
}
