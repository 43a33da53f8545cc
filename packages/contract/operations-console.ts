/** Operations of the console that no other program needs; they may change with it. */
import { listAgents } from './console-agents.ts'
import * as inbox from './console-inbox.ts'
import * as integrity from './console-integrity.ts'
import { getNotices } from './console-notices.ts'
import * as oversight from './console-oversight.ts'
import * as policies from './console-policies.ts'
import { getToday } from './console-today.ts'
import * as trace from './console-trace.ts'
import type { Operation } from './operation.ts'

export const consoleOperations: readonly Operation[] = [
  getToday,
  getNotices,
  inbox.getInbox,
  listAgents,
  oversight.getOversight,
  oversight.listOversightGroups,
  trace.getTrace,
  integrity.getIntegrity,
  integrity.getPartnerIntegrity,
  policies.dryRunPolicy,
]
