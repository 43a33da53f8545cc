/** What the inbox reads. */

import { ApiError } from '@countersign/sdk'
import { api, sessionFetch } from '../../app/api.ts'

export type InboxSort = 'risk' | 'expiry'

export interface InboxItem {
  readonly eventId: string
  readonly decisionId: string
  readonly actor: { readonly id: string; readonly type: string; readonly name?: string }
  readonly action: { readonly type: string; readonly description: string | null }
  readonly riskScore: number | null
  readonly since: string
  readonly expiresAt: string | null
  readonly reasons: readonly string[]
  readonly approvals: number
  readonly comments: number
  readonly openedAt: string | null
  readonly openedByOthers: number
}

export interface Inbox {
  readonly data: readonly InboxItem[]
  readonly pagination: { readonly total: number }
  readonly counts: {
    readonly waiting: number
    readonly expiringWithinHour: number
    readonly unopened: number
    readonly withoutRisk: number
  }
}

export interface PolicyOversight {
  readonly policyId: string
  readonly name: string | null
  readonly decided: number
  readonly approved: number
  readonly refused: number
  readonly expired: number
  readonly opened: number
  readonly medianSecondsToDecide: number | null
  readonly medianSecondsOpen: number | null
}

export interface Oversight {
  readonly since: string
  readonly decisions: number
  readonly policies: readonly PolicyOversight[]
}

async function read<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await sessionFetch(`/api/console/${path}`, { signal })
  const value = await response.json()
  if (response.ok) return value as T
  const { code = `HTTP_${response.status}`, message = '' } = value.error ?? {}
  const requestId = response.headers.get('x-request-id')
  throw new ApiError({
    ...{ status: response.status, code, message, requestId, details: {}, retryAfterMs: null, attempts: 1 },
  })
}

/** One page holds what people work through; `counts` covers all. */
const most = 100

export const readInbox = (sort: InboxSort, signal: AbortSignal): Promise<Inbox> =>
  read<Inbox>(`inbox?sort=${sort}&limit=${most}`, signal).catch(async (error) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    const { data, pagination } = await api.decisions.list({ waiting: true, limit: most }, { signal })
    const items = await Promise.all(
      data.map(async ({ id }) => {
        const each = await api.decisions.get(id)
        const { description = null, type } = each.action
        return {
          ...{ eventId: id, decisionId: each.decisionId, actor: each.actor, action: { type, description } },
          ...{ riskScore: each.riskScore, since: each.createdAt, expiresAt: each.waiting?.expiresAt ?? null },
          ...{ reasons: [], approvals: each.approvals.length, comments: 0, openedAt: null, openedByOthers: 0 },
        }
      }),
    )
    const counts = { waiting: pagination.total, expiringWithinHour: 0, unopened: 0, withoutRisk: 0 }
    return { data: items, pagination, counts }
  })

export const readOversight = async (days: number, signal: AbortSignal): Promise<Oversight> =>
  (await read<{ data: Oversight }>(`oversight?days=${days}`, signal)).data
