/** Policies that somebody with the rights of the database altered, without an entry of the history. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { asAnInsider } from './insider.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const alarms = async ({ platform }: ProofFixture) =>
  (await platform('GET', '/api/audit?type=integrity.alarm')).body.data as readonly object[]

const weaker = `replace(policy, '"humanReview":true', '"humanReview":false')`
const altered: Record<string, readonly string[]> = {
  'removed a policy': ['delete from cell.policy_versions where center_id = $1'],
  'ended a policy': ['update cell.policy_versions set deleted = true where center_id = $1'],
  'changed what a policy says, and its digest': [
    `update cell.policy_versions set policy = ${weaker},
       digest = 'sha256:' || encode(sha256(convert_to(${weaker}, 'UTF8')), 'hex') where center_id = $1`,
  ],
  'changed only what a policy says': [
    'alter table cell.policy_versions drop constraint policy_versions_check',
    `update cell.policy_versions set policy = ${weaker} where center_id = $1`,
  ],
}

describe('sealing stops where somebody', () => {
  it.each(Object.entries(altered))('%s', async (_, statements) => {
    const fixture = await openProofFixture(server)
    await fixture.policy({ humanReview: true })
    expect((await fixture.decide()).body.data.outcome).toBe('approval_required')
    const before = (await fixture.v1('GET', '/api/v1/chains/proof/entries')).text
    const restore = await asAnInsider(server, fixture.center.id, statements)

    const refused = await fixture.decide()
    expect([refused.status, refused.body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
    expect(refused.body.error.details).toMatchObject({ domain: 'history' })
    expect(await alarms(fixture)).toMatchObject([{ action: 'found', details: { mode: 'chain', brokenAt: 0 } }])
    // A change would leave the altered set as the true one.
    const change = await fixture.platform('POST', '/api/policies', {
      name: 'Another',
      match: {},
      guards: { humanReview: true },
    })
    expect([change.status, change.body.error?.code]).toEqual([422, 'CHAIN_BROKEN'])
    expect((await fixture.v1('GET', '/api/v1/chains/proof/entries')).text).toBe(before)

    await restore()
    expect((await fixture.decide()).body.data.outcome).toBe('approval_required')
  })
})
