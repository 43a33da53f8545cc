/** Patterns of action types, in policies and in stops. Pure. */

/** `*` matches any characters. Not a regular expression: a pattern with many stars must not take exponential time. */
export function fits(glob: string, text: string): boolean {
  const [first = '', ...rest] = glob.split('*')
  if (rest.length === 0) return glob === text
  if (!text.startsWith(first)) return false
  const last = rest.pop() as string
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
