/** As the contract has them: a test compares, and no page loads the schemas for them. */
export const auditTypes = [
  'session.changed',
  'membership.transitioned',
  'center.provisioned',
  'center.updated',
  'settings.updated',
  'policy.changed',
  'dpu.changed',
  'decision.sealed',
  'api_key.changed',
  'webhook.changed',
  'workflow.executed',
  'integrity.alarm',
] as const
