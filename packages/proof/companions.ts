/**
 * Values that are redacted with the first of others: the salt of a digest with what the digest covers, and the statement that a
 * passkey signed with the person whom it names. Otherwise the digest of a short value could be guessed.
 */
const together: readonly (readonly [RegExp, string])[] = [
  [/^event\.(actor|action|aiContext)\.|^event\.(reason|riskScore)$/, 'actionSalt'],
  [/^approval\.(approver\.id|onBehalfOf)$/, 'approval.passkey.statement'],
  [/^approval\.(approver\.id|onBehalfOf)$/, 'statement'],
  [/^approval\.reason$/, 'approval.reasonSalt'],
]

/** The further paths that a redaction of `paths` takes with it, of those that the record still holds. */
export const companionsOf = (paths: readonly string[], isHeld: (path: string) => boolean): readonly string[] =>
  together
    .filter(([covered, path]) => isHeld(path) && paths.some((each) => covered.test(each)))
    .map(([, path]) => path)
    .filter((path) => !paths.includes(path))
