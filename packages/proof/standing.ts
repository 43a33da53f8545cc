/** What the four verdicts on a proof come to. */
import type { Verdict } from './anchor.ts'
import type { LineFacts, PasskeyFacts } from './decision-facts.ts'

/**
 * `holds`: intact, and the parties that the policy names vouch for it. `unvouched`: it agrees with itself, and that is
 * all. `sandbox`: it would hold, but its log is that of a sandbox: test data. `altered`: something in it contradicts its
 * hash, its log or a signature. `lost`: as `holds`, but a declaration says that the log lost the record afterwards. `newer`:
 * nothing in it is contradicted, and it says something that only a newer version can judge. `rules-hidden`: it would hold,
 * and does not show under which rules it was sealed.
 */
export type Standing = 'holds' | 'sandbox' | 'lost' | 'unvouched' | 'newer' | 'rules-hidden' | 'altered' | 'not-a-proof'

/** Without a signature by a key of the policy a proof is unvouched, not altered: another policy may name the key. */
const unvouchedCodes = ['signed-by-nobody-known', 'key-stolen', 'quorum-not-met']

export function standingOf(
  isEntry: boolean,
  verdicts: readonly Verdict[],
  { sandbox, lost, hidesRules }: Readonly<Record<'sandbox' | 'lost' | 'hidesRules', boolean>>,
): Standing {
  if (!isEntry) return 'not-a-proof'
  if (verdicts.some(({ status, code }) => status === 'no' && !unvouchedCodes.includes(code))) return 'altered'
  if (verdicts.some(({ code }) => code === 'newer')) return 'newer'
  // A policy may ask for no witness; then none is needed.
  const isVouched = verdicts.every(({ status, code }) => status === 'yes' || code === 'quorum-none')
  if (!isVouched) return 'unvouched'
  if (hidesRules) return 'rules-hidden'
  if (lost) return 'lost'
  return sandbox ? 'sandbox' : 'holds'
}

const vouched: readonly Standing[] = ['holds', 'sandbox', 'lost', 'rules-hidden']

/** Whoever made a file that nobody vouches for chose its policies too. */
export const lineUnder = (standing: Standing, facts: LineFacts | null): LineFacts | null =>
  !vouched.includes(standing) && facts?.status === 'fits' ? { ...facts, status: 'unknown', why: 'unvouched' } : facts

/** A binding that nobody of the policy vouches for could have been made for this file: that is said before the host. */
export const under = (standing: Standing, facts: PasskeyFacts | null): PasskeyFacts | null =>
  !vouched.includes(standing) && (facts?.status === 'holds' || facts?.why === 'no-host')
    ? { ...facts, status: 'unknown', why: standing === 'newer' ? 'newer' : 'unvouched' }
    : facts
