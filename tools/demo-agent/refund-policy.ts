/** The policy of the demonstration: refunds of more than 100,000 won wait for a person. */
import { CountersignPlatform, type NewPolicy } from '@countersign/sdk'
import type { DemoAccount } from '../demo-data.ts'

const policy: NewPolicy = {
  name: 'Refunds of more than 100,000 won need a person',
  scope: 'center',
  match: {
    actionTypes: ['money.refund'],
    when: [{ pointer: '/action/input/won', op: 'gt', value: 100_000 }],
  },
  guards: { humanReview: true },
}

/** Makes the policy unless an earlier run has. */
export async function refundPolicy(baseUrl: string, { email, password }: DemoAccount): Promise<string> {
  const platform = new CountersignPlatform({ baseUrl })
  await platform.auth.login({ email, password })
  const known = await platform.policies.list()
  if (!known.some(({ name }) => name === policy.name)) await platform.policies.create(policy)
  return policy.name
}
