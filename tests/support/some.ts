/** Of many alike every run tries some, and others the next time (see seed.ts); with TEST_LONG=1 all. */
import { random } from './seed.ts'

export function some<T>(all: readonly T[], most: number): readonly T[] {
  if (process.env.TEST_LONG) return all
  const left = [...all]
  while (left.length > most) left.splice(Math.floor(random() * left.length), 1)
  return left
}
