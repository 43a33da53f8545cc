/** Places appointments of one day beside each other where they overlap. */
export interface Placed<T> {
  readonly value: T
  readonly lane: number
  readonly lanes: number
}

interface Timed {
  readonly startsAt: string
  readonly endsAt: string
}

export function placed<T extends Timed>(values: readonly T[]): readonly Placed<T>[] {
  const sorted = values.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt))
  const done: Placed<T>[] = []
  let group: { value: T; lane: number }[] = []
  let ends: string[] = []
  const flush = () => {
    for (const each of group) done.push({ ...each, lanes: ends.length })
    group = []
    ends = []
  }
  for (const value of sorted) {
    if (ends.every((end) => end <= value.startsAt)) flush()
    const free = ends.findIndex((end) => end <= value.startsAt)
    const lane = free === -1 ? ends.length : free
    ends[lane] = value.endsAt
    group.push({ value, lane })
  }
  flush()
  return done
}
