/**
 * Values that are redacted with the first of others: the salt of a digest with what the digest covers, and the statement that a
 * passkey signed with the person whom it names. Otherwise the digest of a short value could be guessed.
 */
import { isDigested } from './decision-fields.ts'

const namesApprover = (path: string): boolean => path === 'approval.approver.id' || path === 'approval.onBehalfOf'

const together: readonly (readonly [covers: (path: string) => boolean, path: string])[] = [
  [isDigested, 'actionSalt'],
  [namesApprover, 'approval.passkey.statement'],
  [namesApprover, 'statement'],
  [(path) => path === 'approval.reason', 'approval.reasonSalt'],
]

/** The further paths that a redaction of `paths` takes with it, of those that the record still holds. */
export const companionsOf = (paths: readonly string[], isHeld: (path: string) => boolean): readonly string[] =>
  together
    .filter(([covers, path]) => isHeld(path) && paths.some(covers))
    .map(([, path]) => path)
    .filter((path) => !paths.includes(path))
