/**
 * Which secret signs. After a rotation the old and the new secret are both valid for a day, but `X-Service-Signature`
 * holds one signature, and a consumer may know only one of the two. When a consumer refuses an attempt with a status
 * that can mean a bad signature, the next scheduled attempt of that delivery signs with another live secret. After a
 * success, the endpoint keeps the secret that worked. No attempt is added. Pure.
 *
 * Limits: a consumer that answers 2xx to a signature it refuses cannot be detected. A consumer that knows only the old
 * secret loses no event as long as one attempt after its first refusal is made within the day.
 */

export interface LiveSecret {
  readonly id: string
  /** In milliseconds; null for the newest. */
  readonly expiresAt: number | null
  readonly createdAt: number
}

/** Newest first. A secret is no longer live at `expiresAt`. */
export function liveSecrets<Secret extends LiveSecret>(all: readonly Secret[], atMs: number): Secret[] {
  const rank = ({ expiresAt, createdAt }: Secret) => (expiresAt === null ? Number.MAX_SAFE_INTEGER : createdAt)
  return all
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > atMs)
    .sort((a, b) => rank(b) - rank(a) || (a.id < b.id ? 1 : -1))
}

const isLive = (live: readonly LiveSecret[], id: string | null): id is string => live.some((each) => each.id === id)

/** 4xx statuses with another meaning: too slow, gone, too early, too many. */
const otherMeaning = new Set([408, 410, 425, 429])

export const looksLikeBadSignature = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && !otherMeaning.has(status)

export interface Choice {
  /** Newest first. */
  readonly live: readonly LiveSecret[]
  /** The secret to try after the last refusal of this delivery. */
  readonly wanted: string | null
  /** The secret that last worked at the endpoint, if not the newest. */
  readonly learned: string | null
}

export function chooseSecret({ live, wanted, learned }: Choice): string {
  if (isLive(live, wanted)) return wanted
  if (isLive(live, learned)) return learned
  const [newest] = live
  if (!newest) throw new Error('a webhook without a live secret')
  return newest.id
}

interface Used {
  /** Newest first, at the time of the answer. */
  readonly live: readonly LiveSecret[]
  readonly used: string
}

/**
 * The secret to try after a refusal, or null when the status does not mean a bad signature. The caller then keeps the
 * secret of an earlier refusal (`afterRefusal(…) ?? wanted`); else a 503 would bring back the secret that was refused.
 * Live secrets are tried in turn, so seven attempts try each of at most five.
 */
export function afterRefusal({ live, used, status }: Used & { readonly status: number | null }): string | null {
  if (!looksLikeBadSignature(status)) return null
  const place = live.findIndex(({ id }) => id === used)
  if (place === -1 || live.length < 2) return null
  return live[(place + 1) % live.length]?.id ?? null
}

/** The secret to remember after a success; null for the newest, which is the default. */
export function workingSecret({ live, used }: Used): string | null {
  return isLive(live, used) && live[0]?.id !== used ? used : null
}
