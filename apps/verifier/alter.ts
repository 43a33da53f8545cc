/** Changes one character of a record, to show that it does not go unnoticed. */

export interface Alteration {
  /** Member names joined by dots. */
  readonly path: string
  readonly before: string
  readonly after: string
  readonly document: unknown
}

/** Says how to check the record, not what it says; a change there would be found too, and nobody would see why. */
const notSaid = ['chain', 'commitments', 'disclosures', 'history', 'log']

type Leaf = { readonly path: readonly (string | number)[]; readonly value: string }

/** Another one each time it is asked for; null when the record says nothing in words. */
export function alterOne(document: unknown, turn: number): Alteration | null {
  const found = leaves(document)
  const leaf = found[turn % found.length]
  if (!leaf) return null
  const after = changed(leaf.value, turn)
  const copy = structuredClone(document)
  let inner = copy as Record<string | number, unknown>
  for (const name of leaf.path.slice(0, -1)) inner = inner[name] as Record<string | number, unknown>
  inner[leaf.path.at(-1) as string] = after
  return { path: leaf.path.join('.'), before: leaf.value, after, document: copy }
}

function leaves(document: unknown): readonly Leaf[] {
  const found: Leaf[] = []
  const visit = (value: unknown, path: readonly (string | number)[]): void => {
    if (typeof value === 'string' && /[\p{L}\p{N}]/u.test(value)) found.push({ path, value })
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value))
      visit(inner, [...path, Array.isArray(value) ? Number(name) : name])
  }
  const evidence = (document as { evidence?: unknown } | null)?.evidence
  if (typeof evidence !== 'object' || evidence === null) return []
  for (const [name, value] of Object.entries(evidence)) if (!notSaid.includes(name)) visit(value, ['evidence', name])
  // What people wrote first, ids and enumerations last: that is where a forger would begin.
  return found.sort((one, other) => interest(other) - interest(one))
}

const interest = ({ path, value }: Leaf): number =>
  (/reason|content|description|input|output|name/.test(path.join('.')) ? 2 : 0) + (value.includes(' ') ? 1 : 0)

/** A letter becomes its neighbour, so that the text still looks like one. */
function changed(value: string, turn: number): string {
  const characters = [...value]
  const at = characters.flatMap((character, position) => (/[\p{L}\p{N}]/u.test(character) ? [position] : []))
  const position = at[turn % at.length] as number
  const character = characters[position] as string
  const code = character.codePointAt(0) as number
  const [next = 0, previous = 0] = [code + 1, code - 1]
  const neighbour = [next, previous]
    .map((each) => String.fromCodePoint(each))
    .find((each) => /[\p{L}\p{N}]/u.test(each))
  characters[position] = neighbour ?? 'x'
  return characters.join('')
}
