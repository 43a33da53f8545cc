/** Approval requests and responses in the messages of the AI SDK. They come from outside, so nothing about them is assumed. */
import { canonical, type Json } from '@countersign/proof'

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

export interface OpenRequest {
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

type JsonValue = null | string | number | boolean | JsonValue[] | { [name: string]: JsonValue | undefined }

type Output =
  | { type: 'text'; value: string }
  | { type: 'json'; value: JsonValue }
  | { type: 'error-text'; value: string }
  | { type: 'execution-denied'; reason?: string }

export type AnswerPart =
  | { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }
  | { type: 'tool-result'; toolCallId: string; toolName: string; output: Output }

/** Results as the AI SDK writes them into messages. */
export interface ModelOutput {
  readonly toModelOutput?: ((made: { toolCallId: string; input: never; output: never }) => unknown) | undefined
}

export async function outputOf(tool: ModelOutput, made: { toolCallId: string; input: unknown; output: unknown }) {
  if (tool.toModelOutput) return (await tool.toModelOutput(made as never)) as Output
  const { output } = made
  if (typeof output === 'string') return { type: 'text' as const, value: output }
  return { type: 'json' as const, value: JSON.parse(JSON.stringify(output) ?? 'null') as JsonValue }
}

/** Both parts: with a result beside the response, the AI SDK doesn't run the call again. */
export function answered(
  { approvalId, toolCallId, toolName }: OpenRequest,
  approved: boolean,
  reason: string,
  output: Output,
): AnswerPart[] {
  return [
    { type: 'tool-approval-response', approvalId, approved, reason },
    { type: 'tool-result', toolCallId, toolName, output },
  ]
}

/** The schemas that the AI SDK takes: those of the Standard Schema, and its own. */
interface Schema {
  readonly '~standard'?: { validate(value: unknown): unknown }
  readonly validate?: (value: unknown) => unknown
}

/**
 * Whether the stored arguments are still ones that the tool accepts. Stored messages may have been written by an older program;
 * arguments that a schema would change aren't the approved ones.
 */
export async function isAccepted(schema: unknown, input: unknown): Promise<boolean> {
  const { '~standard': standard, validate } = ((typeof schema === 'function' && !('~standard' in schema)
    ? schema()
    : schema) ?? {}) as Schema
  if (standard === undefined && validate === undefined) return true
  const given = (await (standard ? standard.validate(input) : validate?.(input))) as {
    issues?: unknown
    success?: boolean
    value?: Json
  }
  if (given.issues !== undefined || given.success === false) return false
  return canonical(JSON.parse(JSON.stringify(given.value ?? null))) === canonical(input as Json)
}
