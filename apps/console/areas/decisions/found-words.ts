/** Where the words of a search are in a text. Pure. */

/** In any case, and in any width as the search folds it; a text whose length that changes is left as it is. */
const folded = (text: string): string => {
  const lower = text.normalize('NFKC').toLowerCase()
  return lower.length === text.length ? lower : text
}

/** The text in parts, each with whether it is a word of the search. A number is found with or without its separators. */
export function partsOf(text: string, q: string | undefined): readonly (readonly [part: string, isFound: boolean])[] {
  const words = [...new Set((q ?? '').split(/\s+/).filter(Boolean).map(folded))]
  if (words.length === 0) return [[text, false]]
  const pattern = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) =>
      /^[\d,.]+$/.test(word)
        ? `(?<!\\d)${[...word.replaceAll(',', '')].map(escaped).join(',?')}(?!\\d)`
        : escaped(word),
    )
    .join('|')
  const parts: (readonly [string, boolean])[] = []
  let end = 0
  for (const { index, 0: found } of folded(text).matchAll(new RegExp(pattern, 'gu'))) {
    if (index > end) parts.push([text.slice(end, index), false])
    parts.push([text.slice(index, index + found.length), true])
    end = index + found.length
  }
  if (end < text.length) parts.push([text.slice(end), false])
  return parts
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
