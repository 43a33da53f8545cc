/** Of many alike every run tries some, and others the next time; with TEST_LONG=1 all. */
export function some<T>(all: readonly T[], most: number): readonly T[] {
  if (process.env.TEST_LONG) return all
  const left = [...all]
  while (left.length > most) left.splice(Math.floor(Math.random() * left.length), 1)
  return left
}
