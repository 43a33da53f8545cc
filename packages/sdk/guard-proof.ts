/** What a guard verifies itself before it runs a tool: the exported proof, the approval in it, and the arguments. */
import { actionDigest, type ProofVerdict, parseExactly, verifyProof } from '@countersign/proof'
import type { NewAgentDecision } from './api.generated.ts'
import type { Clock } from './clock.ts'
import type { Countersign } from './countersign.ts'
import { distrusted } from './guard-trust.ts'
import type { Trust } from './guard-types.ts'
import { GuardError } from './guard-values.ts'

interface Needs extends Trust {
  readonly client: Pick<Countersign, 'evidence'>
  readonly clock: Clock
  /** Until this time, the guard waits for witnesses, which cosign after the seal. */
  readonly end: number
  readonly signal?: AbortSignal | undefined
}

interface Sealed {
  readonly evidence?: {
    readonly actionSalt?: unknown
    readonly actionDigest?: unknown
    readonly history?: readonly SealedStep[]
  }
}

/** An entry about the decision in the log of the center's history. */
interface SealedStep {
  readonly type?: unknown
  readonly action?: unknown
  readonly status?: unknown
  readonly output?: Readonly<Record<string, unknown>>
  readonly commitments?: Readonly<Record<string, unknown>>
}

interface Verified {
  /** The digest of the arguments, which equals the sealed one. */
  readonly digest: string
  /** The text of the export. */
  readonly text: string
}

/** Throws if the proof isn't valid, shows a refusal, or seals other arguments. */
export async function verifiedDigest(eventId: string, body: NewAgentDecision, needs: Needs): Promise<Verified> {
  const { document, text } = await provenDocument(eventId, needs)
  const { actionSalt, actionDigest: sealed } = document.evidence ?? {}
  if (typeof actionSalt !== 'string')
    throw new GuardError(
      'unverified',
      "The proof has no salt, so the arguments can't be compared with the approved ones.",
      eventId,
    )
  const { agent, ...said } = body
  const digest = actionDigest(actionSalt, { ...said, type: 'agent_execution', actor: { ...agent, type: 'ai_agent' } })
  if (digest !== sealed)
    throw new GuardError(
      'changed',
      "The arguments aren't the ones that were approved. To request approval for them, use a new call ID.",
      eventId,
    )
  return { digest, text }
}

/** What an earlier attempt reported last, as the log sealed it. */
export interface SealedOutcome {
  readonly status: unknown
  readonly output: Readonly<Record<string, unknown>> | undefined
  /** The output was sealed, and isn't shown: it was redacted. */
  readonly isHidden: boolean
}

export async function sealedOutcome(eventId: string, needs: Needs): Promise<SealedOutcome | null> {
  const { document } = await provenDocument(eventId, needs)
  const last = document.evidence?.history?.findLast(({ type, action }) => type === 'execution' && action === 'outcome')
  if (!last) return null
  const { status, output, commitments = {} } = last
  return { status, output, isHidden: output === undefined && 'output' in commitments }
}

/** Returns a decision's export if it is valid under everything that the program trusts. */
export async function provenDocument(eventId: string, needs: Needs): Promise<{ document: Sealed; text: string }> {
  const { client, trust, sandbox = false, clock, end, signal } = needs
  const id = eventId.replace(/^evt_/, 'evd_')
  for (;;) {
    const { text } = await client.evidence.export(id, { signal }).withResponse()
    const document = parseExactly(text)
    const verdict = verifyProof(document, trust, { sandbox })
    const { ok, witnessed, standing, problems, newer, facts } = verdict
    if (ok && facts.id === id && facts.decision !== null) {
      requireInTime(facts, clock, eventId)
      if (facts.decision.result === 'refused') throw new GuardError('refused', 'The proof shows a refusal.', eventId)
      const why = distrusted(verdict, needs)
      if (why === null) return { document: document as Sealed, text }
      throw new GuardError('unverified', why, eventId)
    }
    const mayCome = witnessed.code === 'quorum-not-met' && standing === 'unvouched' && clock.now() < end
    if (!mayCome) {
      const why = (problems[0] ?? newer[0])?.message ?? standing
      throw new GuardError('unverified', `The proof couldn't be verified under the trust policy: ${why}.`, eventId)
    }
    await clock.sleep(1000, signal)
  }
}

/** The clock of the program may be wrong by this much. */
const clockSkewMs = 300_000

/** The server refuses it too, but a program doesn't depend on that. An attempt that consumed the decision in time can continue. */
function requireInTime({ decision, execution }: ProofVerdict['facts'], clock: Clock, eventId: string): void {
  const until = decision?.usableUntil ?? null
  if (until === null || execution !== null || Date.parse(until) + clockSkewMs >= clock.now()) return
  throw new GuardError('stale', `The proof shows an approval that could be used until ${until}.`, eventId)
}
