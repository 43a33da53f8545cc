/** Little logs of policies and of decisions that were sealed under them, with their values. */
import { hash } from 'node:crypto'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { type Domain, entryContent, entryHash, type Prepared } from '@countersign/proof/chain.ts'
import { type Rules, rulesDigest } from '@countersign/proof/control.ts'
import { freezeState, historyStatic, policyState } from '@countersign/proof/history-entry.ts'
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

/** `rules: null`: a seal as version 0.1.0 made it. */
export function seal(
  { lines, add }: ReturnType<typeof growing>,
  rules: { readonly index: number | null; readonly inForce: readonly Policy[] } | null,
  { named = [], at = lines.length, usableUntil }: { named?: readonly Policy[]; at?: number; usableUntil?: string } = {},
): void {
  const said: Rules | null = rules && { index: rules.index, digest: rulesDigest(rules.inForce) }
  const id = `evd_${lines.length}`
  const input = {
    ...{ id, decisionId: 'd', evidenceLevel: 'DOCUMENTED', policies: named, actionDigest: zero },
    event: {
      type: 'agent_execution',
      occurredAt: '2026-01-01T00:00:00.000Z',
      actor: { id: 'agent-7', type: 'ai_agent' },
      action: { type: 'refund', input: { a: 1, content: { nested: true } } },
    },
    ...(said && { control: { rules: said, ...(usableUntil && { usableUntil }) } }),
  }
  add(id, proofStatic(input, newSalt), proofValues(input), at)
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
