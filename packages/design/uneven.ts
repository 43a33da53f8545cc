/** Unevenness of a hand, from text: the same text gives the same numbers. Looks only; nothing is proved by it. */
export type Uneven = () => number

/** FNV-1a for the seed, then mulberry32: numbers from 0 to 1. */
export function uneven(text: string): Uneven {
  let state = 0x811c9dc5
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const most = 4.5
const least = 1.2

/** The tilt of a seal in degrees, from -4.5 to 4.5: no seal is quite straight. */
export function tilt(hash: string): number {
  const angle = uneven(`tilt:${hash}`)() * 2 * most - most
  return Math.abs(angle) < least ? (angle < 0 ? -least : least) + angle : angle
}
