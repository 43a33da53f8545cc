/** The table of failures for the guard and the adapters in TypeScript. */
import { frameworks } from './agents/frameworks.ts'
import { agentPackages } from './agents/packages.ts'
import { failureTable } from './failure-table.ts'

failureTable(frameworks, agentPackages)
