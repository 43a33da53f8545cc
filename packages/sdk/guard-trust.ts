/** Whether a proof that holds is one that the program trusts: of its center, and approved by those whom it names. */
import { type ApprovalFacts, domains, familyOf, isSandboxLog, logName, type ProofVerdict } from '@countersign/proof'
import type { Trust } from './guard-types.ts'

/** A program without types, or one that reads its settings, notices here and not at the first call. */
export function checkTrust({ center, sandbox = false, boundBefore, requires }: Omit<Trust, 'trust'>): void {
  if (center === undefined) {
    throw new TypeError("center isn't set. Pass the number shown in the console, or set COUNTERSIGN_CENTER.")
  }
  if (!Number.isSafeInteger(center) || center < 1) {
    throw new TypeError(`center isn't a center ID: ${center}. Use the number shown in the console.`)
  }
  if (isSandboxLog(logName('', center, 'proof')) && !sandbox) {
    throw new TypeError(`Center ${center} is a sandbox. To run tools on test data, set sandbox: true.`)
  }
  if (requires !== undefined && requires !== null && requires !== 'session' && requires !== 'passkey') {
    throw new TypeError(`requires is ${requires}. Use 'session', 'passkey' or null.`)
  }
  if (boundBefore && !Number.isFinite(boundBefore.getTime())) {
    throw new TypeError("boundBefore isn't a valid date.")
  }
}

/** Whether a log, of any generation, is one of this center, at whatever host: the policy says whose hosts count. */
export function isOfCenter(log: string, center: number): boolean {
  const { first } = familyOf(log)
  const [host = ''] = first.split('/')
  return domains.some((domain) => first === logName(host, center, domain))
}

/** Why the proof isn't trusted; null if it is. The history and the bindings in a file that holds are of the same center as its record. */
export function distrusted({ facts, undisclosed, redacted }: ProofVerdict, trust: Trust): string | null {
  if (!isOfCenter(facts.log ?? '', trust.center)) {
    return `The proof is from the log ${facts.log}, not from center ${trust.center}.`
  }
  const hidden = [...undisclosed, ...redacted.map(({ path }) => path)].find((path) => earlier.test(path))
  if (hidden !== undefined) return `The proof doesn't show an earlier approval (${hidden}).`
  const level = levelOf(trust)
  if (level === null) return null
  const counting = (facts.decision?.approvals ?? []).filter((each) => each.void === null)
  if (facts.decision?.result !== 'approved' || counting.length === 0) return "The proof doesn't show an approval."
  for (const approval of counting) {
    const why = unfit(approval, level, trust)
    if (why !== null) return why
  }
  return null
}

const earlier = /^(priorApprovals|prior\d+)(\.|$)/

const levelOf = ({ requires, approvers, confirmedBy, boundBefore }: Trust): 'session' | 'passkey' | null =>
  confirmedBy || boundBefore ? 'passkey' : (requires ?? (approvers ? 'session' : null))

/** Each approval, because a policy may ask for two. */
function unfit(
  { level: shown, passkey, approver, approverId }: ApprovalFacts,
  level: 'session' | 'passkey',
  { approvers, confirmedBy, boundBefore }: Trust,
): string | null {
  const known = shown === 'passkey' ? passkey?.status === 'holds' : level === 'session' && shown === 'session'
  if (!known) return `The proof doesn't show that ${approver} approved at the ${level} identity level.`
  if (approvers && (approverId === null || !approvers.includes(approverId))) {
    return `${approver} isn't one of the approvers that this program accepts.`
  }
  const { confirmation = null, boundAt = null } = passkey ?? {}
  if (confirmedBy && (confirmation === null || !confirmedBy.includes(confirmation))) {
    return `${approver}'s passkey was confirmed by ${confirmation}, which this program doesn't accept.`
  }
  if (boundBefore && !(boundAt !== null && Date.parse(boundAt) < boundBefore.getTime())) {
    return `${approver}'s passkey was registered at ${boundAt}, later than this program accepts.`
  }
  return null
}
