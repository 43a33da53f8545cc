import { columnCases } from './columns.cases.ts'

columnCases(['chain_entries', 'chain_heads', 'history', 'policy_versions'])
