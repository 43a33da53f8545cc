import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  startWorkflowFixture,
  type WorkflowFixture,
  workflow,
} from '../../../../../../tests/support/workflow-fixture.ts'

let fixture: WorkflowFixture
beforeAll(async () => {
  fixture = await startWorkflowFixture({ definitions: [workflow({ key: 'by-hand' })] })
})
afterAll(() => fixture.close())

const notices = async (token = fixture.token) => {
  const answer = await fixture.server.call('GET', '/api/console/notices', { token })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data
}
const query = (text: string, values: unknown[] = []) => fixture.server.world.query(text, [fixture.center.id, ...values])
const tokenOf = async (role: 'INSTRUCTOR' | 'PARENT' | 'CHILD') => {
  const actor = await fixture.server.world.person()
  await fixture.server.world.member(actor, fixture.center, role)
  return (await fixture.server.signIn(actor, fixture.center.domain)).accessToken
}

describe('console.getNotices', () => {
  it('200 with nothing to say about a center where all is well', async () => {
    expect(await notices()).toMatchObject({
      chain: { broken: null, lost: [] },
      webhooks: [],
      passkeys: { waiting: 0, confirmers: null, toConfirm: 0 },
    })
  })

  it('200 names a webhook that has failed for a while or was turned off by the server, to administrators only', async () => {
    const made = await fixture.server.call('POST', '/api/webhooks', {
      token: fixture.token,
      body: { url: 'https://receiver.example/hook', events: ['*'] },
    })
    const { id } = made.body.data ?? made.body
    const failing = (since: string) =>
      query(
        `update cell.webhook_endpoints set failures = 3, failing_since = now() - $2::interval where center_id = $1`,
        [since],
      )
    await failing('5 minutes')
    expect((await notices()).webhooks).toEqual([])
    await failing('16 minutes')
    expect((await notices()).webhooks).toEqual([{ id, state: 'failing', since: expect.any(String) }])
    expect((await notices(await tokenOf('INSTRUCTOR'))).webhooks).toEqual([])
    await fixture.server.call('PATCH', `/api/webhooks/${id}`, { token: fixture.token, body: { active: false } })
    expect((await notices()).webhooks).toEqual([])
    await query(`update cell.webhooks set active = false, disabled_reason = 'five days' where center_id = $1`)
    expect((await notices()).webhooks).toEqual([{ id, state: 'disabled', since: null }])
  })

  it('401 without a session', async () => {
    expect((await fixture.server.call('GET', '/api/console/notices')).status).toBe(401)
  })

  // The last one: a broken chain stays broken until the operator has cleared it.
  it('200 names a broken chain to staff, and to nobody else', async () => {
    await fixture.approve((await fixture.record()).id)
    await query("update cell.chain_heads set broken_at = 0 where center_id = $1 and domain = 'proof'")
    expect((await notices()).chain).toEqual({ broken: 'proof', lost: [] })
    expect((await notices(await tokenOf('INSTRUCTOR'))).chain.broken).toBe('proof')
    for (const role of ['PARENT', 'CHILD'] as const) {
      expect(await notices(await tokenOf(role))).toMatchObject({ chain: null, webhooks: [], passkeys: null })
    }
  })
})
