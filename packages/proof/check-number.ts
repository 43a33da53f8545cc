/**
 * The check number of a sealed record: the first eight and the last four hexadecimal digits of its hash, in capitals and in
 * groups of four. People compare it by eye and by ear; it finds a record and proves nothing, which only the whole hash does.
 */
const sealed = /^(?:sha256:)?([0-9a-f]{64})$/

/** Null for what is no hash. */
export function checkNumber(hash: string | null): string | null {
  const [, digits] = sealed.exec(hash ?? '') ?? []
  if (digits === undefined) return null
  return [digits.slice(0, 4), digits.slice(4, 8), digits.slice(-4)].join('-').toUpperCase()
}
