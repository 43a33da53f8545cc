/**
 * Whoever holds the database and the key of the log can write any record, make all hashes anew and have them witnessed.
 * Without the private key of a bound passkey they cannot make an approval of it: a rewritten field is refused, or it is
 * one that no signature covers, and those are listed here.
 */
import { describe, expect, it } from 'vitest'
import { softwareAuthenticator } from '../../../tests/support/authenticator.ts'
import { actionDigest, type DigestedAction } from '../action-digest.ts'
import { canonical, type Json } from '../canonical.ts'
import { commitment } from '../commitment.ts'
import type { ExportDocument } from '../export.ts'
import { passkeyState } from '../history-entry.ts'
import { challengeOf, reasonDigest } from '../passkey.ts'
import { parsePolicy } from '../trust-policy.ts'
import { checkEntry } from '../verify-entry.ts'
import { verifyProof } from '../verify-proof.ts'
import type { BuiltEntry } from './arbitraries.ts'
import { anchored, policyText } from './log.ts'
import { approvalBy, bindingsOf, bound, decisionBy, keys, registered, statementOf, threeKeys } from './passkeys.ts'

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

const policy = parsePolicy(policyText)
const three = threeKeys()
const signed = decisionBy(approvalBy('act_ada', keys.ada, three[3] as BuiltEntry), three)
const genuine = () => structuredClone(signed)

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
  const { statement } = approval.passkey as { statement: Tree }
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
}

const holds = (document: ExportDocument): boolean => {
  const verdict = verifyProof(JSON.parse(JSON.stringify(document)), policy)
  return verdict.facts.decision?.approvals.some(({ passkey }) => passkey?.status === 'holds') ?? false
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

/** What a holder of the log's key may say beside a genuine signature. */
const uncovered = [
  'approval.approver.name altered',
  'approval.approver.name removed',
  'approval.approver.type altered',
  'approval.identity.by removed',
  'approval.passkey.historySize altered',
  'approval.submittedBy altered',
  'approval.submittedBy removed',
  'bindings.*.action removed',
  'bindings.*.actorId removed',
  'bindings.*.authenticator.aaguid altered',
  'bindings.*.authenticator.aaguid removed',
  'bindings.*.authenticator.backedUp altered',
  'bindings.*.authenticator.backedUp removed',
  'bindings.*.id altered',
  'bindings.*.target altered',
  'event.occurredAt altered',
  'evidenceLevel altered',
]

it('a rewritten field is refused unless no signature covers it', { timeout: 300_000 }, () => {
  expect(holds(made(genuine()))).toBe(true)
  const before = shownBy(made(genuine()))
  const found = new Set<string>()
  const ways = { altered, removed: () => undefined }
  for (const path of leaves(genuine().evidence).filter(([name]) => !['status', 'sealedAt'].includes(name ?? ''))) {
    for (const [how, change] of Object.entries(ways)) {
      for (const isRestated of [false, true]) {
        const document = genuine()
        const parent = path
          .slice(0, -1)
          .reduce((tree, name) => tree[name] as Tree, document.evidence as unknown as Tree)
        const name = path.at(-1) as string
        const value = change(parent[name])
        if (value === undefined) delete parent[name]
        else parent[name] = value
        if (isRestated) restated(document)
        const rewritten = made(document)
        if (shownBy(rewritten) === before || !holds(rewritten)) continue
        found.add(`${path.join('.').replace(/^bindings\.\d+/, 'bindings.*')} ${how}`)
      }
    }
  }
  expect([...found].sort()).toEqual([...uncovered].sort())
})

describe('an approval that the person did not give', () => {
  const [bindings, last] = [three, three[3] as BuiltEntry]
  const forger = softwareAuthenticator()

  it('signed with a key of the forger', () => {
    expect(holds(anchored(decisionBy(approvalBy('act_ada', forger, last), bindings)))).toBe(false)
  })

  it('with a signature that the person gave for something else', () => {
    const others = [
      challengeOf(registered('act_ada', keys.ada)),
      challengeOf(statementOf('act_ada', { decisionId: 'loan-0' })),
      challengeOf(statementOf('act_ada', { result: 'rejected' })),
    ]
    for (const challenge of others) {
      const good = approvalBy('act_ada', keys.ada, last)
      const forged = { ...good, passkey: { ...good.passkey, ...keys.ada.assert(challenge) } }
      expect(holds(anchored(decisionBy(forged, bindings)))).toBe(false)
    }
  })

  it('with a key that the forger binds to the person is named with its date and confirmation', () => {
    const later = bindingsOf([bound('psk_new', 'act_ada', forger, { how: 'operator' })], 40)
    const document = anchored(decisionBy(approvalBy('act_ada', forger, later[0] as BuiltEntry), later))
    const { facts } = verifyProof(JSON.parse(JSON.stringify(document)), policy)
    expect(facts.decision?.approvals[0]?.passkey).toMatchObject({
      status: 'holds',
      thumbprint: forger.thumbprint,
      boundAt: later[0]?.sealedAt,
      confirmation: 'operator',
    })
  })

  it('with a key bound to the person in their name, which they never held', () => {
    const values = bound('psk_new', 'act_ada', keys.ada, { how: 'operator' }).values
    const stolen = { ...values, key: { ...forger.key } }
    const later = bindingsOf([{ key: 'psk_new', values: stolen, confirmed: 'operator' }], 40)
    expect(holds(anchored(decisionBy(approvalBy('act_ada', forger, later[0] as BuiltEntry), later)))).toBe(false)
  })
})
