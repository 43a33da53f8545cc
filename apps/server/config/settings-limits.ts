/** What strangers may do, and what one center may have. */
import { choice, integer, type Rate } from './setting-kinds.ts'

export const limitSettings = {
  SIGN_UP: choice(['open', 'invited', 'closed'], {
    default: 'open',
    doc: '`open`: anybody opens an account and founds centers. `invited`: an account needs an invitation of a center, a partner or the operator. `closed`: and only partners and operators found centers',
  }),
  CENTERS_PER_PERSON: integer(1, 999_999_999, {
    unset: '`3` in production; no limit in development',
    doc: 'Centers that one person has founded for themselves and that have not ended. Partners and operators have no limit',
  }),
  MAX_API_KEYS_PER_CENTER: integer(1, 999_999_999, {
    default: '100',
    doc: 'API keys of one center that are neither revoked nor expired',
  }),
  MAX_WEBHOOKS_PER_CENTER: integer(20, 999_999_999, { default: '100', doc: 'Webhooks of one center' }),
  MAX_INVITATIONS_PER_CENTER: integer(1, 999_999_999, {
    default: '200',
    doc: 'Invitations by mail that one center may send in a day (UTC). A center that somebody founded for themselves and has not paid for sends at most 50; one address gets at most 5 from all centers together',
  }),
  MAX_POLICIES_PER_CENTER: integer(1, 1000, {
    default: '100',
    doc: 'Policies of one center that are in force; every seal evaluates all of them',
  }),
  RULES_WAIT_SECONDS: integer(0, 31_536_000, {
    unset: '`259200` (three days) in production, 0 otherwise',
    doc: 'How long a change that loosens policies waits before the one who asked may approve it alone, where nobody else could',
  }),
  MAX_OPEN_EXECUTIONS_PER_CENTER: integer(1, 999_999_999, {
    default: '1000',
    doc: 'Workflow executions of one center that have not ended; schedules are not refused',
  }),
  EXECUTION_RETENTION_DAYS: integer(30, 36_500, {
    default: '400',
    doc: 'Days after its end until a workflow execution is deleted with the outputs of its steps; its unit and the audit stay',
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
