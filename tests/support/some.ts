/** Picks a few of many similar cases, different ones on each run (see seed.ts); all of them with TEST_LONG=1. */
import { random } from './seed.ts'

export function some<T>(all: readonly T[], most: number): readonly T[] {
  if (process.env.TEST_LONG) return all
  const left = [...all]
  while (left.length > most) left.splice(Math.floor(random() * left.length), 1)
  return left
}
