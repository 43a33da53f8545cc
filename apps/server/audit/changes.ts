/** What a patch of settings changed, leaf by leaf. Pure. */
import type { Change } from './audit.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const plain = (value: unknown): Change['old'] => {
  if (value === undefined || value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean)
}

export function changesBetween(before: unknown, after: unknown, field = ''): Change[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    return names.flatMap((name) => changesBetween(before[name], after[name], field ? `${field}.${name}` : name))
  }
  const [old, made] = [plain(before), plain(after)]
  return old === made ? [] : [{ field, old, new: made }]
}
