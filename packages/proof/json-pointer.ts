/** JSON Pointers (RFC 6901) over values of a decision. */

/** Every pointer below the root, as a pattern without anchors; a name in it has no brace, so that it fits a placeholder. */
export const pointerPattern = '(?:/(?:[^~/{}]|~[01])*)+'

/** Undefined where the pointer leads nowhere. */
export function valueAt(pointer: string, values: unknown): unknown {
  let found = values
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    // Of an array only its items: `length` is an own property too.
    if (Array.isArray(found) && !/^(0|[1-9][0-9]*)$/.test(name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}
