import { columnCases } from './columns.cases.ts'

columnCases([
  'entries',
  'chain_heads',
  'history',
  'decision_executions',
  'policy_versions',
  'action_type_versions',
  'passkeys',
  'eligibilities',
  'groups',
])
