/**
 * Which secret signs. After a rotation the old and the new secret are both valid for a day, but `X-Service-Signature`
 * has room for one signature, and a consumer may know only one of the two. So an attempt that is refused as a bad
 * signature would be makes the next scheduled attempt of that delivery sign with another live secret, and a success
 * teaches the endpoint which one its consumer knows. Nothing is sent that would not have been sent anyway. Pure.
 *
 * Limits: a consumer that answers 2xx to a signature it refuses cannot be told from one that is content. And one that
 * knows only the old secret loses nothing as long as an attempt falls into the window after its first refusal.
 */

export interface LiveSecret {
  readonly id: string
  /** In milliseconds; null for the newest. */
  readonly expiresAt: number | null
  readonly createdAt: number
}

/** Newest first. At `expiresAt` it is over. */
export function liveSecrets<Secret extends LiveSecret>(all: readonly Secret[], atMs: number): Secret[] {
  const rank = ({ expiresAt, createdAt }: Secret) => (expiresAt === null ? Number.MAX_SAFE_INTEGER : createdAt)
  return all
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > atMs)
    .sort((a, b) => rank(b) - rank(a) || (a.id < b.id ? 1 : -1))
}

const isLive = (live: readonly LiveSecret[], id: string | null): id is string => live.some((each) => each.id === id)

/** Refusals that say something else: too slow, gone, too early, too many. */
const otherMeaning = new Set([408, 410, 425, 429])

export const looksLikeBadSignature = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && !otherMeaning.has(status)

export interface Choice {
  /** Newest first. */
  readonly live: readonly LiveSecret[]
  /** What the last refusal of this delivery asked for. */
  readonly wanted: string | null
  /** What the endpoint has learned. */
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
 * The secret that a refusal asks for, or null when it asks for none: what an earlier refusal of the delivery asked for
 * then stays (`afterRefusal(…) ?? wanted`), or a 503 in between would send it back to the secret that was refused. In
 * turn, when several are live: seven attempts try each of the five there can be.
 */
export function afterRefusal({ live, used, status }: Used & { readonly status: number | null }): string | null {
  if (!looksLikeBadSignature(status)) return null
  const place = live.findIndex(({ id }) => id === used)
  if (place === -1 || live.length < 2) return null
  return live[(place + 1) % live.length]?.id ?? null
}

/** What the endpoint has learned from a success: the newest needs no learning, since it is used anyway. */
export function afterSuccess({ live, used }: Used): string | null {
  return isLive(live, used) && live[0]?.id !== used ? used : null
}
