/** What lines made by chance, and forged ones, are made with. */
import type { Admitted } from '@countersign/proof/control.ts'
import type { LineCase, Placed } from '@countersign/proof/test/lines.ts'

export type Random = () => number
export const below = (random: Random, most: number): number => Math.floor(random() * most)
export const oneOf = <T>(random: Random, all: readonly T[]): T => all[below(random, all.length)] as T
export const some = <T>(random: Random, all: readonly T[]): T[] => {
  const chosen = all.filter(() => random() < 0.4)
  return chosen.length > 0 ? chosen : [oneOf(random, all)]
}

export type Forge = (
  genuine: LineCase,
  random: Random,
) => { readonly line: LineCase; readonly texts?: readonly string[] } | null

export const counting = ({ given }: LineCase): readonly number[] =>
  given.flatMap(({ places, void: reason }, at) => (places?.length && reason === undefined ? [at] : []))
export const placesOf = ({ places = [] }: Placed): readonly Admitted[] => places as readonly Admitted[]
export const put = (line: LineCase, at: number, change: Partial<Placed>): LineCase => ({
  ...line,
  given: line.given.with(at, { ...(line.given[at] as Placed), ...change }),
})
