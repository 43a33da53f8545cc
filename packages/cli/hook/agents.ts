/** The agents that `countersign hook` knows. */
import type { CodingAgent } from './agent.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { cursor } from './agents/cursor.ts'
import { gemini } from './agents/gemini.ts'
import { opencode } from './agents/opencode.ts'

export const agents: readonly CodingAgent[] = [claudeCode, codex, gemini, copilot, opencode, cursor]
