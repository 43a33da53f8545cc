/** When a message is sent: after quiet hours, and once a day for what is collected. Pure. */
import { digestTime } from '@countersign/contract/messages.ts'
import { instantOf, localDateOf, wallTimeOf } from '../../../lib/local-time.ts'
import type { QuietHours } from './choices.ts'

const dayMs = 86_400_000
/** What begins this soon after the quiet hours is told before them. */
const leadMs = 3_600_000

/** The next time that it is this time of day there. */
export function nextAt(timeZone: string, time: string, at: number): number {
  const today = instantOf(timeZone, localDateOf(timeZone, at), time)
  return today > at ? today : instantOf(timeZone, localDateOf(timeZone, at + dayMs), time)
}

function isQuiet({ from, until }: QuietHours, time: string): boolean {
  return from < until ? from <= time && time < until : from <= time || time < until
}

/**
 * `begins`: what the message is about; where it would come too late after the quiet hours, it is sent during them. What has begun
 * already waits for their end.
 */
export function afterQuiet(
  quiet: QuietHours | null,
  timeZone: string,
  at: number,
  begins: number | null = null,
): number {
  const time = new Date(wallTimeOf(timeZone, at)).toISOString().slice(11, 16)
  if (quiet === null || !isQuiet(quiet, time)) return at
  const ends = nextAt(timeZone, quiet.until, at)
  return begins !== null && begins > at && begins - leadMs < ends ? at : ends
}

export const digestAt = (timeZone: string, at: number): number => nextAt(timeZone, digestTime, at)
