import { columnCases } from './columns.cases.ts'

columnCases(['dpus', 'decision_events', 'approvals'])
