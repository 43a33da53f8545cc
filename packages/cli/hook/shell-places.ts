/** The folders that a line may be in, and which of its parts leave them as they are. */
import { resolve } from 'node:path'

export type Places = readonly string[] | null
const mostPlaces = 8

/** Where a line is that may have come here in two ways. */
export function either(one: Places, other: Places): Places {
  if (one === null || other === null) return null
  const more = other.filter((place) => !one.includes(place))
  return more.length === 0 ? one : one.length + more.length > mostPlaces ? null : [...one, ...more]
}
/** After a change to another folder. */
export const moved = (places: Places, to: string): Places =>
  places && [...new Set(places.map((place) => resolve(place, to)))]

/** Each part begins where it's known to, and not where the one before it in the text ended. */
export const branching: ReadonlySet<string> = new Set(['Pipeline', 'AndOr', 'If', 'Case'])
/** What runs in a process of its own, which leaves the folder of the line as it is. */
export const ownProcesses: ReadonlySet<string> = new Set([
  ...['Subshell', 'CommandExpansion', 'ProcessSubstitution', 'ArithmeticCommandExpansion', 'Coproc'],
])
/** They have an option for the folder of what they run. */
export const movers: ReadonlySet<string> = new Set([
  'env',
  'sudo',
  'doas',
  'systemd-run',
  'unshare',
  'nsenter',
  'bwrap',
  'run0',
])
/** What runs any number of times. */
export const repeated: ReadonlySet<string> = new Set(['While', 'For', 'Select', 'ArithmeticFor', 'Function'])
