import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('shows the chains of all centers of the partner, broken ones first, and no others', async () => {
  const { world } = server
  const [partner, other] = [await world.partner(), await world.partner()]
  const [intact, broken] = [await world.center({ partner }), await world.center({ partner })]
  const foreign = await world.center({ partner: other })
  const person = await world.person()
  await world.account(person, partner, 'PARTNER_OPERATOR')
  for (const { id } of [intact, broken, foreign]) {
    await world.query(
      `insert into cell.chain_heads (center_id, domain, next_index, last_hash, last_sealed_at, broken_at)
       values ($1, 'proof', 7, 'sha256:x', '2026-11-15T22:01:46.893Z', $2)`,
      [id, id === intact.id ? null : 3],
      true,
    )
  }
  await world.query(
    `insert into cell.chain_checks (center_id, domain, mode, scanned_to, verified_at)
     values ($1, 'proof', 'chain', 7, '2026-11-15T22:01:46.893Z')`,
    [intact.id],
    true,
  )
  const { accessToken: token } = await server.signIn(person)
  const { status, body } = await server.call('GET', '/api/partner/integrity', { token })
  expect(status).toBe(200)
  expect(body.data).toMatchObject([
    { centerId: broken.id, entries: 7, broken: [{ domain: 'proof', brokenAt: 3 }], verifiedAt: null, reachable: true },
    { centerId: intact.id, entries: 7, broken: [], verifiedAt: '2026-11-15T22:01:46.893Z', reachable: true },
  ])
})
