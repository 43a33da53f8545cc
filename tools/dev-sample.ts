/** The sample proof of `npm run dev`: one decision, recorded and approved once per database through the API. */

const sample = {
  idempotencyKey: 'demo-sample-proof',
  type: 'ai_recommendation',
  actor: { id: 'agent-7', type: 'ai_agent', name: 'Care planner' },
  action: { type: 'plan.adjust', description: 'Two sessions a week', output: { sessions: 2 } },
  aiContext: { model: 'planner-3', confidence: 0.92 },
  tags: ['sample-proof'],
}
const approval = {
  approver: { id: 'therapist-4', type: 'human', name: 'Ian Park' },
  result: 'approved',
  reason: 'Consistent with the last three sessions.',
}

/** The address where the sample proof can be verified. */
export async function sampleProof(url: string, apiKey: string): Promise<string> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { data, error } = (await response.json()) as {
      data?: { id: string; status: string }
      error?: { message: string }
    }
    if (!data) throw new Error(error?.message ?? `status ${response.status}`)
    return data
  }
  const { id, status } = await post('/decision-events', sample)
  if (status === 'recorded') await post(`/decision-events/${id}/approvals`, approval)
  return `${url}/verify/${id}`
}
