/** The tools, in the order in which clients list them. None of them approves: that is for people, on a page of the server. */
import { recordDecision, requestApproval, waitForApproval } from './decide.ts'
import { consumeApproval, reportOutcomeTool } from './execute.ts'
import { getDecision, listWaiting } from './read.ts'
import { inputOf, outputOf } from './schemas.ts'
import type { AnyTool } from './tool.ts'
import { verifyReceiptTool } from './verify.ts'

const all = [
  requestApproval,
  waitForApproval,
  consumeApproval,
  reportOutcomeTool,
  recordDecision,
  getDecision,
  listWaiting,
  verifyReceiptTool,
]

interface CompiledTool extends AnyTool {
  readonly inputSchema: ReturnType<typeof inputOf>
  readonly outputSchema: ReturnType<typeof outputOf>
}

/** Schemas are compiled once, and not for each request. */
export const tools: readonly CompiledTool[] = all.map((tool) => ({
  ...tool,
  inputSchema: inputOf(tool.input),
  outputSchema: outputOf(tool.output),
}))

export interface ToolSummary {
  readonly name: string
  readonly title: string
  /** The IDs of the API operations that it calls. */
  readonly operations: readonly string[]
  /** Whether it changes nothing. */
  readonly readOnly: boolean
}

export const toolSummaries: readonly ToolSummary[] = all.map(({ name, title, operations, hints }) => ({
  ...{ name, title },
  operations: operations.map(({ id }) => id),
  readOnly: hints.readOnly,
}))
