/** Deciding in the console: by the client of the API, which repeats what can succeed. */
import type { ConfirmedHere, GivenHere } from '@countersign/proof/deciding.ts'
import type { DecisionView } from '@countersign/proof/decision-view.ts'
import { ApiError, type Decision } from '@countersign/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { queries } from '../../app/queries.ts'
import {
  type Answer,
  type Outcome,
  decide as send,
  confirm as sendConfirmation,
  type Wire,
} from '../../decision/decide.ts'

export const decisionQuery = (id: string) =>
  queryOptions({ queryKey: ['decisions', id], queryFn: ({ signal }) => api.decisions.get(id, { signal }) })

async function answered<T>(call: Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, data: await call }
  } catch (error) {
    if (!(error instanceof ApiError)) return { ok: false, status: 0, code: 'NO_ANSWER', retryAfter: 0 }
    const { status, code, details, retryAfterMs } = error
    return {
      ok: false,
      status,
      code,
      reason: details.reason,
      by: details.by,
      turn: details.turn,
      retryAfter: (retryAfterMs ?? 0) / 1000,
    }
  }
}

const wire: Wire = {
  channel: 'console',
  challenge: (id, given) => answered(api.decisions.challengeApproval(id, given)),
  approve: (id, body) => answered(api.decisions.approve(id, body as Parameters<typeof api.decisions.approve>[1])),
  challengeConfirmation: (id, given) =>
    answered(api.decisions.challengeConfirmation(id, given)) as ReturnType<Wire['challengeConfirmation']>,
  confirm: (id, body) => answered(api.decisions.confirm(id, body as Parameters<typeof api.decisions.confirm>[1])),
  read: (id) => answered(queries.fetchQuery({ ...decisionQuery(id), staleTime: 0 })),
}

export const decide = (decision: Decision, view: DecisionView, actorId: string, given: GivenHere): Promise<Outcome> =>
  send(wire, decision, view, actorId, given)

export const confirm = (decision: Decision, actorId: string, given: ConfirmedHere): Promise<Outcome> =>
  sendConfirmation(wire, decision, actorId, given)
