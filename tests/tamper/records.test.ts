import { columnCases } from './columns.cases.ts'

columnCases(['dpus', 'recorded_decisions', 'approvals'])
