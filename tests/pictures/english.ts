/** A refund in English that waits, in a center of its own: the picture of the English README. */
import type { ConsoleDesk } from '../support/console.ts'
import type { Person } from '../support/world.ts'

export async function tellInEnglish({ server, person }: ConsoleDesk): Promise<{ approver: Person; event: string }> {
  const center = await server.world.center({ name: 'Hill Street Books', country: 'US' })
  const approver = await person('Dana Park', 'ADMIN', center)
  const { accessToken } = await server.signIn(approver, center.domain)
  const key = await server.world.key(center, { scopes: ['proof:write'] })
  const made = async (path: string, token: string, body: object): Promise<{ id: string }> => {
    const answer = await server.call('POST', path, { token, body })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`)
    return answer.body.data
  }
  await made('/api/policies', accessToken, {
    name: 'Refunds of more than 500 dollars',
    match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 500 }] },
    guards: { humanReview: true },
    approval: { identity: 'passkey', roles: ['ADMIN'], expiresAfterSeconds: 86_400 },
  })
  const { id } = await made('/api/v1/decision-events', key, {
    type: 'ai_recommendation',
    actor: { id: 'refund-agent', type: 'ai_agent', name: 'Refund agent' },
    action: {
      type: 'refund.pay',
      description: 'Refund 820 dollars for order 1041',
      input: { amount: 820, order: '1041', to: 'the card that paid', items: 3 },
    },
    aiContext: { model: 'planner-3', confidence: 0.71, reasoning: "The carrier hasn't found the parcel." },
    reason: 'The parcel was lost.',
    riskScore: 0.42,
    tags: ['refund'],
  })
  return { approver, event: id }
}
