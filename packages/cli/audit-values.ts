/** The values that the server shows of the entries of a chain, against the commitments of each. */
import { commitment } from '@countersign/proof'
import { type Check, check } from './checks.ts'
import { contentOf, type ValuedEntry } from './entry-lines.ts'

interface ComparedValues {
  readonly watch: (entry: ValuedEntry) => void
  readonly checks: () => readonly Check[]
}

export function compareValues(): ComparedValues {
  let [size, shown, redacted] = [0, 0, 0]
  let wrong: { readonly index: number; readonly path: string } | null = null
  return {
    watch(entry) {
      const { values, salts = {} } = entry
      const index = size++
      if (values === undefined) return
      shown++
      const { commitments = {} } = contentOf(entry)
      if (Object.keys(commitments).some((path) => !Object.hasOwn(values, path))) redacted++
      const path = Object.keys(values).find((each) => !isCommitted(commitments, salts, values, each))
      if (path !== undefined) wrong ??= { index, path }
    },
    checks() {
      if (wrong) return [check('values', 'no', 'a values-wrong', wrong)]
      if (size === 0) return []
      if (shown < size) return [check('values', 'unknown', 'a values-hidden')]
      return [check('values', 'yes', 'a values-hold', { size, redacted })]
    },
  }
}

function isCommitted(
  commitments: Readonly<Record<string, string>>,
  salts: NonNullable<ValuedEntry['salts']>,
  values: NonNullable<ValuedEntry['values']>,
  path: string,
): boolean {
  const [salt, value] = [salts[path], values[path]]
  if (!Object.hasOwn(commitments, path) || typeof salt !== 'string' || value === undefined) return false
  try {
    return commitment(salt, path, value) === commitments[path]
  } catch {
    return false
  }
}
