/** Waits until a person approves or refuses a decision. */
import type { Decision, ProofDecisions } from './api.generated.ts'
import type { Clock } from './clock.ts'
import { ConnectionError, CountersignError, RateLimitError, ServerError } from './errors.ts'
import { type Follow, openBell } from './follow.ts'

export interface WaitOptions {
  /** The longest time to wait; 0 reads the decision once. People may take days: the decision stays open, and you can wait again later. */
  readonly withinMs: number
  readonly signal?: AbortSignal
  /** Called once, when the decision is first read and still open; `waiting.approvalUrl` is the page where a person decides. */
  readonly onWaiting?: (decision: Decision) => void
  /** Called each time the decision is read and still open, such as to show that the program is alive. */
  readonly onRead?: (decision: Decision) => void
}

export interface WaitForApproval {
  /**
   * Waits until the decision is sealed, then returns it: `status` is `sealed` after an approval, and `rejected` after a
   * refusal or an expiry. The server's event stream says when to read it again. Where there's no stream, pauses between reads grow from
   * half a second to 15 seconds. To act on an approval, verify the
   * exported evidence and consume the decision.
   */
  waitForApproval(eventId: string, options: WaitOptions): Promise<Decision>
}

/** The decision was still open when the time ran out. */
export class ApprovalPendingError extends CountersignError {
  override readonly name = 'ApprovalPendingError'
  /** The decision as last read; null if the server couldn't be reached. */
  readonly decision: Decision | null

  constructor(eventId: string, decision: Decision | null, cause: unknown) {
    super(
      `${eventId} wasn't decided in time. Wait again, or ask someone to decide on the page at waiting.approvalUrl.`,
      { cause },
    )
    this.decision = decision
  }
}

const firstPauseMs = 500
const longestPauseMs = 15_000
const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof ServerError || error instanceof RateLimitError

export function waitForApproval(decisions: Pick<ProofDecisions, 'get'>, clock: Clock, follow: Follow): WaitForApproval {
  return {
    async waitForApproval(eventId, { withinMs, signal, onWaiting, onRead }) {
      const [end, done] = [new AbortController(), new AbortController()]
      clock.sleep(withinMs, done.signal).then(
        () => end.abort(),
        () => {},
      )
      const either = signal ? AbortSignal.any([signal, end.signal]) : end.signal
      const bell = openBell(follow, eventId, clock, AbortSignal.any([either, done.signal]))
      let decision: Decision | null = null
      let isTold = false
      let problem: unknown
      try {
        for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
          try {
            // The first reading is not cut short: with no time at all the present state still counts.
            decision = await decisions.get(eventId, { signal: decision || problem ? either : signal })
            // `approved`: one of two approvals is given, and the other is missing.
            if (decision.status === 'sealed' || decision.status === 'rejected') return decision
            if (!isTold) onWaiting?.(decision)
            isTold = true
            onRead?.(decision)
          } catch (error) {
            if (!mayPass(error)) throw error
            problem = error
          }
          const asked = problem instanceof RateLimitError ? (problem.retryAfterMs ?? 0) : 0
          await bell.rest(Math.max(pause, asked))
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (end.signal.aborted) throw new ApprovalPendingError(eventId, decision, problem)
        throw error
      } finally {
        done.abort()
      }
    },
  }
}
