/** Approval requests and responses in the messages of the AI SDK. They come from outside, so nothing about them is assumed. */

export interface Message {
  readonly role: string
  readonly content: unknown
}

interface Part {
  readonly type?: unknown
  readonly toolCallId?: unknown
  readonly approvalId?: unknown
  readonly toolName?: unknown
  readonly input?: unknown
  readonly isAutomatic?: unknown
}

const partsOf = (messages: readonly Message[], role: string, type: string): Part[] =>
  messages
    .filter((message) => message.role === role)
    .flatMap(({ content }) => (Array.isArray(content) ? (content as unknown[]) : []))
    .filter((part): part is Part => (part as Part | null)?.type === type)

/** Whether the messages have a response to a request for the approval of this call. */
export function isAnswered(messages: readonly Message[], toolCallId: string): boolean {
  const answered = new Set(partsOf(messages, 'tool', 'tool-approval-response').map(({ approvalId }) => approvalId))
  return partsOf(messages, 'assistant', 'tool-approval-request').some(
    (request) => request.toolCallId === toolCallId && answered.has(request.approvalId),
  )
}

interface OpenRequest {
  readonly approvalId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly input: Record<string, unknown>
}

/** Requests for a person's approval without a response. */
export function openRequests(messages: readonly Message[]): OpenRequest[] {
  const answered = new Set(partsOf(messages, 'tool', 'tool-approval-response').map(({ approvalId }) => approvalId))
  const calls = new Map(partsOf(messages, 'assistant', 'tool-call').map((part) => [part.toolCallId, part]))
  return partsOf(messages, 'assistant', 'tool-approval-request').flatMap(({ approvalId, toolCallId, isAutomatic }) => {
    const call = calls.get(toolCallId)
    if (!call || isAutomatic || answered.has(approvalId)) return []
    const { toolName, input } = call
    return [{ approvalId, toolCallId, toolName, input } as OpenRequest]
  })
}

export const approvalMessage = (responses: readonly { approvalId: string; approved: boolean; reason: string }[]) => ({
  role: 'tool' as const,
  content: responses.map((response) => ({ type: 'tool-approval-response' as const, ...response })),
})
