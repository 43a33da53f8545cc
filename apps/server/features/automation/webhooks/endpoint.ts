/** An endpoint as a delivery worker uses it: destination, signing secrets, and health. */
import type { SecretBox } from '../../../lib/secret-box.ts'
import type { EndpointLease, HealthRow, OutcomeRow, StepAnswer } from './delivery-worker-queries.ts'
import { type Destination, destinationOf } from './destination.ts'
import { afterSuccess, type LiveSecret } from './rotation.ts'
import { type SigningKey, signingKey } from './signing.ts'
import { secretContext } from './subscriptions.ts'

export interface EndpointSecret extends LiveSecret {
  readonly key: SigningKey
}

export interface Endpoint {
  readonly version: number
  readonly destination: Destination
  readonly secrets: readonly EndpointSecret[]
  health: HealthRow
}

/** After this many consecutive failures, one attempt is made at a time until one succeeds. No attempt is delayed for it. */
export const breakerAt = 10
/** After this long with failures only, the webhook is disabled. */
const deadAfterMs = 5 * 24 * 60 * 60 * 1000

const time = (text: string | null): number | null => (text === null ? null : Date.parse(text))

export function endpointOf(
  version: number,
  endpoint: NonNullable<StepAnswer['endpoint']>,
  { center_id, webhook_id }: Pick<EndpointLease, 'center_id' | 'webhook_id'>,
  box: SecretBox,
): Endpoint {
  const { health, secrets } = endpoint
  return {
    version,
    destination: destinationOf(endpoint, center_id, webhook_id, box),
    health,
    secrets: (secrets ?? []).map(({ id, sealed, created_at, expires_at }) => ({
      id,
      createdAt: Date.parse(created_at),
      expiresAt: time(expires_at),
      key: signingKey(box.open(Buffer.from(sealed, 'base64'), secretContext(id)).toString()),
    })),
  }
}

export const isOpen = ({ failures }: HealthRow): boolean => failures >= breakerAt

export const isPaused = ({ not_before }: HealthRow, atMs: number): boolean => (time(not_before) ?? 0) > atMs

export const isDead = ({ failing_since }: HealthRow, atMs: number): boolean =>
  failing_since !== null && atMs - Date.parse(failing_since) >= deadAfterMs

export interface AttemptOutcome {
  readonly row: OutcomeRow
  /** The secret that signed the attempt, and those that were valid when the response came. */
  readonly used: string | null
  readonly live: readonly LiveSecret[]
  /** The consumer asked for a pause until this time. */
  readonly pauseUntil: Date | null
}

/** The health of the endpoint after this outcome. */
export function afterOutcome(health: HealthRow, { row, used, live, pauseUntil }: AttemptOutcome): HealthRow {
  // Nothing was sent, so the health does not change.
  if (row.error === 'expired') return health
  const last = { last_delivery_at: row.at, last_delivery_status: row.status }
  if (row.status === 'success') {
    const learned_secret = used === null ? health.learned_secret : afterSuccess({ live, used })
    return { ...last, learned_secret, failures: 0, failing_since: null, not_before: health.not_before }
  }
  const pause = Math.max(time(health.not_before) ?? 0, pauseUntil?.getTime() ?? 0)
  return {
    ...last,
    learned_secret: health.learned_secret,
    failures: health.failures + 1,
    failing_since: health.failing_since ?? row.at,
    not_before: pause === 0 ? null : new Date(pause).toISOString(),
  }
}
