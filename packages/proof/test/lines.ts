/** Decisions that approval lines approved, sealed with whatever places they are told: by the service, or by whoever holds its key. */
import { canonical, type Json } from '../canonical.ts'
import type { Admitted, ApprovalControl, Control, PriorApproval } from '../control.ts'
import type { ExportDocument } from '../export.ts'
import { digestOfText } from '../policy-text.ts'
import type { IdentityLevel } from '../proof-entry.ts'
import { type BuiltEntry, type Change, chainOf, digested, exported, historyOf, sealProof } from './arbitraries.ts'

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
  /** In place of whole lines. */
  readonly emergency?: boolean
  /** In seconds before the seal. */
  readonly before?: number
  readonly result?: 'approved' | 'rejected'
}

/** What became of an emergency approval, so many seconds after the seal. */
export interface Confirmed {
  readonly after: number
  readonly action: 'confirmed' | 'objected' | 'unconfirmed' | 'closed'
  readonly id: string
  readonly onBehalfOf?: string
  readonly level?: string
  readonly places?: readonly Admitted[]
  readonly complete?: boolean
}

export interface LineCase {
  readonly policies: readonly LinePolicy[]
  /** Oldest first; the last one seals. */
  readonly given: readonly Placed[]
  readonly riskScore?: number | null
  readonly actorId?: string
  readonly actionType?: string
  readonly needs?: readonly string[] | undefined
  /** Until when an emergency approval can be confirmed, in seconds after the seal. */
  readonly confirmWithin?: number
  readonly confirmations?: readonly Confirmed[]
}

export const textOf = ({ body }: LinePolicy): string => canonical(body as Json)

const approvalOf = ({ id, level, onBehalfOf, type = 'human', result = 'approved' }: Placed) => ({
  approver: { id, type },
  result,
  identity: { level, by: level === 'claim' ? 'key_7' : id },
  ...(onBehalfOf !== undefined && { onBehalfOf }),
})

const controlOf = ({ places, void: reason, alone, emergency }: Placed): ApprovalControl =>
  ({
    ...(places && (places as unknown[]).length !== 0 && { admitted: places }),
    ...(alone && { fallback: 'alone' }),
    ...(emergency && { emergency }),
    ...(reason !== undefined && { void: reason }),
  }) as ApprovalControl

const index = 5
const sealedAt = Date.UTC(2040, 0, 1, 0, 0, index)

const hasSteps = ({ body }: LinePolicy): boolean =>
  (body as { approval?: { steps?: unknown } }).approval?.steps !== undefined

const isUrgent = ({ emergency, void: reason }: Placed): boolean => emergency === true && reason === undefined

const needsOf = ({ policies, given }: LineCase): readonly string[] | undefined => {
  const needs = [...(policies.some(hasSteps) ? ['lines'] : []), ...(given.some(isUrgent) ? ['emergency'] : [])]
  return needs.length > 0 ? needs : undefined
}

/** One second is one index. */
const changesOf = (confirmations: readonly Confirmed[]) =>
  confirmations.map(({ after, action, id, onBehalfOf, level = 'session', places, complete }, position) => {
    const isSaid = action === 'confirmed' || action === 'objected'
    const values = {
      ...{ action, by: { id } },
      ...(onBehalfOf !== undefined && { onBehalfOf }),
      ...(isSaid && { level, reason: 'Seen.' }),
      ...(action === 'confirmed' && { admitted: places ?? [], complete: complete === true }),
    } as unknown as Change['values']
    return { id: `hst_${position}`, type: 'confirmation' as const, values, at: index + after }
  })

/** `texts`: those that the file carries; all by default. */
export function sealedLine(made: LineCase, texts: readonly string[] = made.policies.map(textOf)): ExportDocument {
  const { policies, given, riskScore = 0.3, actorId = 'agent-1', actionType = 'loan.approve', ...more } = made
  const needs = 'needs' in more ? more.needs : needsOf(made)
  const last = given.at(-1) as Placed
  // Of the last approval its places say it.
  const { emergency: _, ...own } = controlOf(last)
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
    ...own,
    ...(more.confirmWithin !== undefined && {
      emergency: { confirmBy: new Date(sealedAt + more.confirmWithin * 1000).toISOString() },
    }),
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
  const history = historyOf(entry as BuiltEntry, changesOf(more.confirmations ?? []))
  const document = exported(entry as BuiltEntry, {
    ...(distinct.length > 0 && { policyTexts: distinct }),
    ...(history.length > 0 && { history }),
  })
  return JSON.parse(JSON.stringify(document)) as ExportDocument
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
