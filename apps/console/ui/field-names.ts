/** The names by which a page can know a field of a request. */

/** From the whole path to the last name in it and those before it, without positions in lists. */
export function fieldNames(path: string): readonly string[] {
  const parts = path.split(/[.[\]]+/).filter((part) => part !== '' && !/^\d+$/.test(part))
  return [...new Set([path, ...parts.map((_, at) => parts.slice(at).join('.')), ...parts.toReversed()])]
}
