/** Decisions that approval lines approved, sealed with whatever places they are told: by the service, or by whoever holds its key. */
import { canonical, type Json } from '../canonical.ts'
import type { Admitted, ApprovalControl, Control, PriorApproval } from '../control.ts'
import type { ExportDocument } from '../export.ts'
import { digestOfText } from '../policy-text.ts'
import type { IdentityLevel } from '../proof-entry.ts'
import { type BuiltEntry, chainOf, digested, exported, sealProof } from './arbitraries.ts'

export interface LinePolicy {
  readonly id: string
  readonly version: number
  readonly body: object
}

export interface Placed {
  readonly id: string
  readonly level: IdentityLevel
  readonly onBehalfOf?: string
  readonly type?: string
  readonly places?: readonly (Admitted | { readonly since: number })[]
  readonly void?: string
  readonly alone?: boolean
  /** In seconds before the seal. */
  readonly before?: number
  readonly result?: 'approved' | 'rejected'
}

export interface LineCase {
  readonly policies: readonly LinePolicy[]
  /** Oldest first; the last one seals. */
  readonly given: readonly Placed[]
  readonly riskScore?: number | null
  readonly actorId?: string
  readonly actionType?: string
  readonly needs?: readonly string[] | undefined
}

export const textOf = ({ body }: LinePolicy): string => canonical(body as Json)

const approvalOf = ({ id, level, onBehalfOf, type = 'human', result = 'approved' }: Placed) => ({
  approver: { id, type },
  result,
  identity: { level, by: level === 'claim' ? 'key_7' : id },
  ...(onBehalfOf !== undefined && { onBehalfOf }),
})

const controlOf = ({ places, void: reason, alone }: Placed): ApprovalControl =>
  ({
    ...(places && (places as unknown[]).length !== 0 && { admitted: places }),
    ...(alone && { fallback: 'alone' }),
    ...(reason !== undefined && { void: reason }),
  }) as ApprovalControl

const index = 5
const sealedAt = Date.UTC(2040, 0, 1, 0, 0, index)

const hasSteps = ({ body }: LinePolicy): boolean =>
  (body as { approval?: { steps?: unknown } }).approval?.steps !== undefined

/** `texts`: those that the file carries; all by default. */
export function sealedLine(
  { policies, given, riskScore = 0.3, actorId = 'agent-1', actionType = 'loan.approve', ...more }: LineCase,
  texts: readonly string[] = policies.map(textOf),
): ExportDocument {
  const needs = 'needs' in more ? more.needs : policies.some(hasSteps) ? ['lines'] : undefined
  const last = given.at(-1) as Placed
  const prior = given.slice(0, -1).map((each, position): PriorApproval => {
    const approvedAt = new Date(sealedAt - (each.before ?? given.length - position) * 1000).toISOString()
    return {
      approval: { ...approvalOf(each), approvedAt } as Json,
      control: controlOf(each),
      salt: Buffer.alloc(32, position + 40).toString('base64url'),
    }
  })
  const control = {
    rules: { index: 6, digest: `sha256:${'2'.repeat(64)}` },
    ...(needs && { needs }),
    ...controlOf(last),
  } as Control
  const sealed = sealProof(
    digested({
      id: 'evd_1',
      actionSalt: 'A'.repeat(43),
      decisionId: 'loan-1',
      evidenceLevel: 'AUDIT_READY',
      event: {
        type: 'ai_recommendation',
        occurredAt: '2039-01-01T00:00:00.000Z',
        actor: { id: actorId, type: 'ai_agent' },
        action: { type: actionType, input: { amount: 82_000 } },
        ...(riskScore !== null && { riskScore }),
      },
      policies: policies.map((each) => ({ id: each.id, version: each.version, digest: digestOfText(textOf(each)) })),
      approval: approvalOf(last),
      prior,
      control,
    }),
  )
  const [entry] = chainOf('proof', [sealed], index)
  const distinct = [...new Set(texts)]
  const made = exported(entry as BuiltEntry, distinct.length > 0 ? { policyTexts: distinct } : {})
  return JSON.parse(JSON.stringify(made)) as ExportDocument
}

/** As a redaction leaves it, or as whoever passes the file on. */
export function withoutPaths(made: ExportDocument, ...paths: readonly string[]): ExportDocument {
  const evidence = made.evidence as unknown as Record<string, unknown> & { disclosures: Record<string, string> }
  for (const path of paths) {
    delete evidence.disclosures[path]
    const names = path.split('.')
    const parent = names
      .slice(0, -1)
      .reduce((tree, name) => tree[name] as Record<string, unknown>, evidence as Record<string, unknown>)
    delete parent[names.at(-1) as string]
  }
  return made
}
