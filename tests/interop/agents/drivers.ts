/** The agents that `npm run chaos -- agents` runs; the first two also run with every change. */
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import type { AgentDriver } from './driver.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'

export const drivers: readonly AgentDriver[] = [claudeCode, codex, gemini, copilot, opencode]
export const always: readonly AgentDriver[] = [claudeCode, codex]
