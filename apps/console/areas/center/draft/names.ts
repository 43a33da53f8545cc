/**
 * Sealed texts call people by the end of their id; people read names. A text that is edited has names while a person writes, and
 * labels again when it is saved. Pure.
 */

export interface Labeled {
  readonly label: string
  readonly name: string
}

/** As it stands in a text: two people of one name, and a name that the text has as a word, keep their label beside it. */
function shownNames(people: readonly Labeled[], text: string): readonly (readonly [label: string, shown: string])[] {
  const of = Map.groupBy(people, ({ name }) => name)
  return people.map(({ label, name }) => {
    const clear = name.trim().length > 1 && of.get(name)?.length === 1 && !text.includes(name)
    return [label, clear ? name : `${name} (${label})`]
  })
}

/** `unknown` stands for people whose names the reader may not see. */
export function withNames(text: string, people: readonly Labeled[], unknown?: string): string {
  let shown = text
  for (const [label, name] of shownNames(people, text)) shown = shown.replaceAll(label, name)
  if (unknown === undefined) return shown
  return shown.replaceAll(/(\([^()\s]*)?…([0-9a-f]{8})\b/g, (all, bracket: string | undefined, end: string) =>
    bracket === undefined ? `${unknown} (${end.slice(-4)})` : all,
  )
}

/** Names of `people` in a text that began as `original`, as labels. The longest first: a name may begin another one. */
export function withLabels(text: string, people: readonly Labeled[], original: string): string {
  const pairs = shownNames(people, original).toSorted(([, a], [, b]) => b.length - a.length)
  let sealed = text
  for (const [label, name] of pairs) sealed = sealed.replaceAll(name, label)
  return sealed
}
