/** What strangers may do, and what one center may have. */
import { choice, integer, type Rate } from './setting-kinds.ts'

export const limitSettings = {
  SIGN_UP: choice(['open', 'invited', 'closed'], {
    default: 'open',
    doc: '`open`: anyone can create an account and centers. `invited`: an account requires an invitation from a center, a partner or the operator. `closed`: like `invited`, and only partners and operators can create centers',
  }),
  CENTERS_PER_PERSON: integer(1, 999_999_999, {
    unset: '`3` in production; no limit in development',
    doc: "How many centers one person can create for themselves, not counting centers that have ended. There's no limit for partners and operators",
  }),
  MAX_API_KEYS_PER_CENTER: integer(1, 999_999_999, {
    default: '100',
    doc: 'How many API keys one center can have, not counting revoked and expired ones',
  }),
  MAX_WEBHOOKS_PER_CENTER: integer(20, 999_999_999, { default: '100', doc: 'How many webhooks one center can have' }),
  MAX_INVITATIONS_PER_CENTER: integer(1, 999_999_999, {
    default: '200',
    doc: "How many invitations one center can email per day (UTC). A center that someone created for themselves and hasn't paid for can send at most 50. One address receives at most 5 from all centers together",
  }),
  MAX_POLICIES_PER_CENTER: integer(1, 1000, {
    default: '100',
    doc: 'How many policies one center can have in force. Every seal evaluates all of them',
  }),
  RULES_WAIT_SECONDS: integer(0, 31_536_000, {
    unset: '`259200` (three days) in production, otherwise `0`',
    doc: 'How many seconds a change that loosens policies waits before the person who requested it can approve it alone, if no one else can',
  }),
  MAX_OPEN_EXECUTIONS_PER_CENTER: integer(1, 999_999_999, {
    default: '1000',
    doc: "How many unfinished workflow executions one center can have. Scheduled executions aren't refused",
  }),
  EXECUTION_RETENTION_DAYS: integer(30, 36_500, {
    default: '400',
    doc: "How many days after its end a workflow execution is deleted, together with its steps' outputs. Its DPU and the audit trail are kept",
  }),
}

export interface PerCenter {
  readonly rates: {
    readonly centerStandard: Rate
    readonly centerProof: Rate
    readonly bodyBytes: Rate
  }
  readonly maxInFlight: number
  readonly maxBodyBytes: number
  readonly maxApiKeys: number
  readonly maxWebhooks: number
  readonly maxInvitations: number
  readonly maxPolicies: number
  readonly maxOpenExecutions: number
}
