/** An endpoint as a delivery worker uses it: destination, signing secrets, and health. */
import { afterFailure, afterSuccess } from '../../../delivery/health.ts'
import type { Destination } from '../../../delivery/transports/destination.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import type { EndpointLease, HealthRow, OutcomeRow, StepAnswer } from './delivery-worker-queries.ts'
import { destinationOf } from './destination.ts'
import { type LiveSecret, workingSecret } from './rotation.ts'
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
    const learned_secret = used === null ? health.learned_secret : workingSecret({ live, used })
    return { ...last, ...afterSuccess(health), learned_secret }
  }
  return { ...last, ...afterFailure(health, row.at, pauseUntil), learned_secret: health.learned_secret }
}
