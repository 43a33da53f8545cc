/** Operations of the console that no other program needs; they may change with it. */
import * as inbox from './console-inbox.ts'
import * as integrity from './console-integrity.ts'
import * as policies from './console-policies.ts'
import { getToday } from './console-today.ts'
import * as trace from './console-trace.ts'
import type { Operation } from './operation.ts'

export const consoleOperations: readonly Operation[] = [
  getToday,
  inbox.getInbox,
  inbox.getOversight,
  trace.getTrace,
  integrity.getIntegrity,
  integrity.getPartnerIntegrity,
  policies.dryRunPolicy,
]
