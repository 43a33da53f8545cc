/** When a call is retried: at most four attempts, 1, 2 and 4 seconds apart, or longer if the server asks for it. */

const waitsMs = [1000, 2000, 4000] as const
const retryable = new Set([429, 500, 502, 503, 504])

/** Null: no further attempt. `askedMs` is what `Retry-After` asks for. */
export function waitAfterStatus(
  status: number,
  attempt: number,
  askedMs: number | null,
  mostMs: number,
): number | null {
  const planned = waitsMs[attempt - 1]
  if (planned === undefined || !retryable.has(status)) return null
  const wait = Math.max(planned, askedMs ?? 0)
  return wait > mostMs ? null : wait
}

/** Without a response, the outcome is unknown: only requests that are harmless when repeated are sent again. */
export function waitAfterLoss(attempt: number, harmless: boolean): number | null {
  return harmless ? (waitsMs[attempt - 1] ?? null) : null
}

/** Seconds or a date; null when absent or neither. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
