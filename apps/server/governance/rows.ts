/** Decisions, their approvals, their proof units and the policies over them, as a batch reads and writes them. */

export interface EventRow {
  readonly center_id: number
  readonly id: string
  readonly decision_id: string
  readonly type: string
  readonly status: string
  readonly actor: { readonly id: string; readonly type: string; readonly name?: string }
  readonly action: {
    readonly type: string
    readonly description?: string
    readonly input?: object
    readonly output?: object
  }
  readonly ai_context: {
    readonly model?: string
    readonly provider?: string
    readonly confidence?: number
    readonly reasoning?: string
  } | null
  readonly tags: readonly string[]
  readonly occurred_at: string
  readonly fingerprint: string | null
  readonly reason: string | null
  readonly risk_score: number | null
  readonly created_at: string
  readonly updated_at?: string
}

export interface ApprovalRow {
  readonly center_id: number
  readonly id: string
  readonly event_id: string
  readonly position: number
  readonly approver: { readonly id: string; readonly type: string; readonly name?: string }
  readonly result: string
  readonly reason: string | null
  readonly submitted_by: string
  readonly created_at: string
}

export interface DpuRow {
  readonly center_id: number
  readonly id: string
  readonly domain: 'dpu' | 'proof'
  readonly chain_index: number
  readonly vertical: string
  readonly content: string | null
  readonly reference_type: string | null
  readonly reference_id: string | null
  readonly tags: readonly string[] | null
  readonly created_by: {
    readonly id: string
    readonly name: string
    readonly role: string
    readonly type: string
  } | null
  readonly origin: object | null
  readonly evidence_level: string
  readonly metadata: Record<string, unknown>
  readonly policies: readonly object[] | null
  readonly salts: Readonly<Record<string, string>>
  readonly sealed_at: string | null
  readonly updated_at: string
  /** The id of the actor who last raised its level. */
  readonly raised_by?: string | null
  /** Index of its own entry; absent while the record is being created. */
  readonly chain_hash?: string
}

export interface PolicyRow {
  /** Null for shared policies, which belong to no center. */
  readonly center_id: number | null
  readonly id: string
  readonly version: number
  /** Canonical JSON, the text that `digest` covers. */
  readonly policy: string
  readonly digest: string
  readonly deleted?: boolean
}
