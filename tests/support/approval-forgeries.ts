/** Answers to a gateway's request that no verifier may take for an approval of it, made from real ones. */
import { createHash } from 'node:crypto'
import { type AddressedRequest, approvalRequest, digestOf, pythonTime } from './approval-requests.ts'
import type { ProofFixture } from './proof-fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: forgeries change any part of an answer
export type AnyAnswer = any

export interface RealAnswers {
  /** Approved by a signed-in person, with the answer to it. */
  readonly request: AddressedRequest
  readonly answer: AnyAnswer
  /** The same action under another ID, another action, and another agent's: requests that nobody has approved. */
  readonly again: AddressedRequest
  readonly otherAction: AddressedRequest
  readonly otherAgent: AddressedRequest
  readonly refusedRequest: AddressedRequest
  readonly refusal: AnyAnswer
  readonly pending: AnyAnswer
  /** A real approval of the same request in another center of the same host, whose logs the same key signs. */
  readonly elsewhere: AnyAnswer
  /** A real approval that an API key stated. */
  readonly claimedRequest: AddressedRequest
  readonly claimed: AnyAnswer
}

export interface Forgery {
  readonly name: string
  readonly request: AddressedRequest
  readonly answer: AnyAnswer
}

const copied = (answer: AnyAnswer, change: (copy: AnyAnswer) => void): AnyAnswer => {
  const copy = structuredClone(answer)
  change(copy)
  return copy
}

/** The answer, with the IDs of another request. */
const to = (request: AddressedRequest, answer: AnyAnswer, change: (copy: AnyAnswer) => void = () => {}) =>
  copied(answer, (copy) => {
    copy.approval_request_id = request.approval_request_id
    copy.action_digest = request.action_digest
    change(copy)
  })

const stranger = '01a1f073-a4d6-75ee-bc03-4fff09056200'

/** Another approver, with the commitment and the hashed text that fit, and so with another hash than the log's. */
const rewritten = (copy: AnyAnswer): void => {
  const { evidence } = copy.proof
  const path = 'approval.approver.id'
  const before = evidence.commitments[path]
  evidence.commitments[path] = digestOf([evidence.disclosures[path], path, stranger])
  evidence.content = evidence.content.replace(before, evidence.commitments[path])
  copy.approver = evidence.approval.approver.id = stranger
}

export function forgeries(real: RealAnswers): readonly Forgery[] {
  const { request, answer, again, otherAction, otherAgent, refusedRequest, refusal } = real
  const of = (name: string, change: (copy: AnyAnswer) => void): Forgery => ({
    name,
    request,
    answer: copied(answer, change),
  })
  const turned = (copy: AnyAnswer) => {
    Object.assign(copy, { approved: true, status: 'approved' })
  }
  return [
    { name: 'the approval of another action', request: otherAction, answer: to(otherAction, answer) },
    {
      name: 'the approval of another action, with the parameters of this one written into it',
      request: otherAction,
      answer: to(otherAction, answer, ({ proof }) => {
        proof.evidence.event.action.input.parameters = otherAction.binding.parameters
        proof.evidence.event.action.input.action_digest = otherAction.action_digest
      }),
    },
    { name: "the approval of another agent's request", request: otherAgent, answer: to(otherAgent, answer) },
    { name: 'an earlier approval of the same action, sent again', request: again, answer: to(again, answer) },
    {
      name: 'the same, with the new ID written into the proof',
      request: again,
      answer: to(again, answer, ({ proof }) => {
        proof.evidence.decisionId = again.approval_request_id
        proof.evidence.event.action.input.approval_request_id = again.approval_request_id
      }),
    },
    { name: 'an answer to another request as it is', request: again, answer },
    of('another approver in the answer', (copy) => {
      copy.approver = stranger
    }),
    of('another approver in the answer and the proof', (copy) => {
      copy.approver = stranger
      copy.proof.evidence.approval.approver.id = copy.approver
    }),
    of('another approver in the hashed text', rewritten),
    of('another approver in the hashed text, with its hash', (copy) => {
      rewritten(copy)
      const { evidence, verification } = copy.proof
      const text = evidence.content + (evidence.chain.previousHash ?? '') + evidence.sealedAt
      evidence.chain.hash = `sha256:${createHash('sha256').update(text).digest('hex')}`
      verification.chainHash = evidence.chain.hash
    }),
    { name: 'a refusal with the flag turned', request: refusedRequest, answer: copied(refusal, turned) },
    {
      name: 'a refusal turned in the flag and the proof',
      request: refusedRequest,
      answer: copied(refusal, (copy) => {
        turned(copy)
        copy.proof.evidence.approval.result = 'approved'
        copy.proof.evidence.content = copy.proof.evidence.content.replace('"result":"rejected"', '"result":"approved"')
      }),
    },
    { name: 'a refusal', request: refusedRequest, answer: refusal },
    {
      name: 'the proof of an approval beside a refused request',
      request: refusedRequest,
      answer: copied(refusal, (copy) => {
        turned(copy)
        copy.proof = answer.proof
      }),
    },
    { name: 'an answer that says to wait', request: again, answer: real.pending },
    {
      name: 'an answer that says to wait, with the flag of an approval',
      request: again,
      answer: copied(real.pending, (copy) => void Object.assign(copy, { approved: true, status: 'approved' })),
    },
    { name: 'an approval in another center of the same host', request, answer: real.elsewhere },
    { name: 'an approval that an API key stated', request: real.claimedRequest, answer: real.claimed },
    of('no proof', (copy) => {
      delete copy.proof
    }),
    of('no consumption', ({ proof }) => {
      delete proof.evidence.history
      delete proof.verification.historyProofs
    }),
    of('a consumption for another request', ({ proof }) => {
      proof.evidence.history[0].executor = again.approval_request_id
    }),
    of('the consumption of another decision', ({ proof }) => {
      proof.evidence.history = real.claimed.proof.evidence.history
      proof.verification.historyProofs = real.claimed.proof.verification.historyProofs
    }),
    of('no place in the log', ({ proof }) => {
      for (const name of ['tlogProof', 'anchoring', 'historyProofs']) delete proof.verification[name]
    }),
    of('a checkpoint with another signature', ({ proof }) => {
      proof.verification.tlogProof = proof.verification.tlogProof.replace(
        /[A-Za-z0-9+/]{8}==?\n$|[A-Za-z0-9+/=]{8}\n$/,
        'AAAAAAA=\n',
      )
    }),
    of('a later end of the approval', ({ proof }) => {
      proof.evidence.control.usableUntil = '2099-01-01T00:00:00.000Z'
    }),
    of('a salt of another value', ({ proof }) => {
      proof.evidence.disclosures['approval.approver.id'] = '00'.repeat(16)
    }),
    of('the flag as a text', (copy) => {
      copy.approved = 'true'
    }),
  ]
}

type Send = (request: object) => Promise<{ status: number; body: AnyAnswer }>

/** Real answers from a fixture whose policy holds `tool.invoke`, and from a second one on the same server. */
export async function realAnswers(here: ProofFixture, there: ProofFixture): Promise<RealAnswers> {
  // It expires after the approval of it does.
  const first = approvalRequest({ presented: { expires_at: pythonTime(30 * 86_400_000) } })
  const sending =
    ({ server, key }: ProofFixture): Send =>
    (body) =>
      server.call('POST', '/api/v1/approval-requests', { token: key, body })
  const [send, sendThere] = [sending(here), sending(there)]
  for (const fixture of [here, there]) {
    await fixture.policy(
      { humanReview: true },
      { match: { actionTypes: ['tool.invoke'] }, approval: { identity: 'session' } },
    )
  }
  await here.policy({ humanReview: true }, { match: { actionTypes: ['tool.claimed'] } })
  const answered = async (
    send: Send,
    request: object,
    decide: (eventId: string) => Promise<{ status: number; text: string }>,
  ) => {
    const { body } = await send(request)
    const { status, text } = await decide(body.event_id)
    if (status !== 200) throw new Error(text)
    return (await send(request)).body
  }
  const again = approvalRequest()
  const refusedRequest = approvalRequest()
  const claimedRequest = approvalRequest({ binding: { operation: 'tool.claimed' } })
  return {
    request: first,
    answer: await answered(send, first, (id) => here.approveAsMember(id)),
    again,
    otherAction: approvalRequest({ binding: { parameters: { to: 'KR-110-221', amount: 40_000 } } }),
    otherAgent: approvalRequest({ binding: { agent_id: 'agent-8' } }),
    refusedRequest,
    refusal: await answered(send, refusedRequest, (id) => here.approveAsMember(id, { result: 'rejected' })),
    pending: (await send(again)).body,
    elsewhere: await answered(sendThere, first, (id) => there.approveAsMember(id)),
    claimedRequest,
    claimed: await answered(send, claimedRequest, (id) => here.approve(id)),
  }
}
