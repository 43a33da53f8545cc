/** Little logs of policies and of decisions that were sealed under them, with their values. */
import { hash } from 'node:crypto'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { type Domain, entryContent, entryHash, type Prepared } from '@countersign/proof/chain.ts'
import { type ApprovalControl, type Rules, rulesDigest, type VoidReason } from '@countersign/proof/control.ts'
import { freezeState, groupState, historyStatic, policyState } from '@countersign/proof/history-entry.ts'
import { proofStatic, proofValues } from '@countersign/proof/proof-entry.ts'
import { type Line, logOf } from './little-service.ts'

let salts = 0
const newSalt = () => (salts++).toString(16).padStart(32, '0')
const zero = `sha256:${'0'.repeat(64)}`

export interface Policy {
  readonly id: string
  readonly version: number
  readonly digest: string
}

/** A chain that grows; `at` counts seconds. */
export function growing(domain: Domain) {
  const lines: Line[] = []
  let previousHash: string | null = null
  function add(id: string, prepared: Prepared, values: Readonly<Record<string, Json>>, at: number): void {
    const index = lines.length
    const sealedAt = new Date(Date.UTC(2026, 0, 1) + 1000 * at).toISOString()
    const content = entryContent(prepared, { log: logOf(domain), index, sealedAt })
    const made = entryHash(content, previousHash, sealedAt)
    const head = JSON.stringify({ index, id, hash: made, previousHash, sealedAt }).slice(0, -1)
    lines.push({ hash: made, line: `${head},"content":${content}}\n`, values, salts: prepared.salts })
    previousHash = made
  }
  return { lines, add }
}

export const policyOf = (id: string, version: number, text: Json): Policy => ({
  id,
  version,
  digest: `sha256:${hash('sha256', canonical(text))}`,
})

export const textOf = (name: string): Json => ({ name, match: {}, guards: { humanReview: true }, scope: 'center' })

export function changePolicy(
  { lines, add }: ReturnType<typeof growing>,
  { id, version, digest }: Policy,
  {
    action = 'created',
    text = textOf('Review'),
    at = lines.length,
  }: { action?: string; text?: Json; at?: number } = {},
): void {
  const entryId = `his_${lines.length}`
  const values = { policy: text, version, digest, action, by: { id: 'admin' } }
  const input = { id: entryId, type: 'policy' as const, target: id, previous: null, values }
  add(
    entryId,
    historyStatic(input, ({ policy }) => policyState(policy as string), newSalt),
    values,
    at,
  )
}

/** Who filled which places, oldest first. */
export interface Filled {
  readonly by: string
  readonly onBehalfOf?: string
  readonly admitted: NonNullable<ApprovalControl['admitted']>
  readonly void?: VoidReason
}

interface SealOptions {
  readonly named?: readonly Policy[]
  readonly at?: number
  readonly usableUntil?: string
  readonly approvals?: readonly Filled[]
}

const approvalOf = ({ by, onBehalfOf }: Filled) => ({
  ...{ approver: { id: by, type: 'human' }, identity: { level: 'session' as const, by }, result: 'approved' as const },
  ...(onBehalfOf !== undefined && { onBehalfOf }),
})
const controlOf = (given: Filled) => ({ admitted: given.admitted, ...(given.void && { void: given.void }) })

/** `rules: null`: a seal as version 0.1.0 made it. */
export function seal(
  { lines, add }: ReturnType<typeof growing>,
  rules: { readonly index: number | null; readonly inForce: readonly Policy[] } | null,
  { named = [], at = lines.length, usableUntil, approvals = [] }: SealOptions = {},
): void {
  const said: Rules | null = rules && { index: rules.index, digest: rulesDigest(rules.inForce) }
  const id = `evd_${lines.length}`
  const last = approvals.at(-1)
  const earlier = approvals.slice(0, -1).map((each) => ({
    ...{ approval: approvalOf(each), control: controlOf(each), salt: 'A'.repeat(43) },
  }))
  const input = {
    ...{ id, decisionId: 'd', evidenceLevel: 'DOCUMENTED', policies: named, actionDigest: zero },
    event: {
      type: 'agent_execution',
      occurredAt: '2026-01-01T00:00:00.000Z',
      actor: { id: 'agent-7', type: 'ai_agent' },
      action: { type: 'refund', input: { a: 1, content: { nested: true } } },
    },
    ...(last && { approval: approvalOf(last), prior: earlier }),
    ...(said && { control: { rules: said, ...(last && controlOf(last)), ...(usableUntil && { usableUntil }) } }),
  } as Parameters<typeof proofStatic>[0]
  add(id, proofStatic(input, newSalt), proofValues(input), at)
}

export interface GroupPerson {
  readonly actorId: string
  readonly countsFrom: string
  readonly since?: number
}

/** A group as it is after this entry. */
export function changeGroup({ lines, add }: ReturnType<typeof growing>, people: readonly GroupPerson[], at: number) {
  const id = `his_${lines.length}`
  const values = {
    group: { name: 'Board', people, makers: [] } as unknown as Json,
    action: 'updated',
    by: { id: 'admin' },
  }
  const input = { id, type: 'group' as const, target: 'grp_a', previous: null, values }
  add(
    id,
    historyStatic(input, ({ group }) => groupState(group as string), newSalt),
    values,
    at,
  )
}

/** A stop, or its lifting. */
export function freeze(
  { lines, add }: ReturnType<typeof growing>,
  action: 'frozen' | 'lifted',
  covers: Json,
  target = 'frz_a',
): void {
  const id = `his_${lines.length}`
  const values = { action, covers, reason: 'A test', rank: 'center', by: { id: 'admin' } }
  const input = { id, type: 'freeze' as const, target, previous: null, values }
  add(
    id,
    historyStatic(input, () => freezeState(action), newSalt),
    values,
    lines.length,
  )
}

/** The decision at this place of `proof` is taken for execution. */
export function consume(
  { lines, add }: ReturnType<typeof growing>,
  place: number,
  at = lines.length,
  key = 'key_1',
): void {
  const id = `his_${lines.length}`
  const values = { action: 'consumed', executor: 'e', actionDigest: zero, by: { id: key } }
  const input = { id, type: 'execution' as const, target: `evd_${place}`, previous: null, values }
  add(
    id,
    historyStatic(input, () => zero, newSalt),
    values,
    at,
  )
}
