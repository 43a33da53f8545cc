/**
 * Seconds as counts by bucket, four buckets to each doubling: they add up over days, and any percentile is within a tenth. Pure.
 */

const perDoubling = 4
/** Up to 388 days; whatever takes longer is in the last one. */
const buckets = 25 * perDoubling + 1

export function bucketOf(seconds: number): number {
  if (!(seconds >= 1)) return 0
  return Math.min(buckets - 1, 1 + Math.floor(perDoubling * Math.log2(seconds)))
}

/** The middle of a bucket; half a second for the first one. */
export const secondsOf = (bucket: number): number => (bucket === 0 ? 0.5 : 2 ** ((bucket - 0.5) / perDoubling))

/** The smallest value that this part of all are at or below; null without any. */
export function percentileOf(counts: readonly number[], part: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total <= 0) return null
  const rank = Math.max(1, Math.ceil(part * total))
  let passed = 0
  for (const [bucket, count] of counts.entries()) {
    passed += count
    if (passed >= rank) return secondsOf(bucket)
  }
  return null
}

export function addTo(sums: number[], more: readonly number[]): number[] {
  for (let at = 0; at < more.length; at++) sums[at] = (sums[at] ?? 0) + (more[at] as number)
  return sums
}

export const only = (bucket: number, count: number): number[] => {
  const counts = new Array<number>(bucket + 1).fill(0)
  counts[bucket] = count
  return counts
}
