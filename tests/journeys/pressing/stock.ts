/** What stands in the centers of the demo before anybody presses: decisions that wait or are sealed, a policy, a webhook, a series. */
import type { Demo } from '../../../tools/demo-data.ts'
import type { ConsoleDesk } from '../../support/console.ts'
import { refund } from '../../support/pages-fixture.ts'
import type { Center } from '../../support/world.ts'
import { personOf, states } from './states.ts'

/** The demo gives a password only to administrators of the centers that the others of the list belong to. */
async function letIn({ world }: ConsoleDesk['server'], demo: Demo): Promise<void> {
  for (const { account, center } of states.filter((each) => each.account.includes('@'))) {
    const email = `${account}.example`
    await world.query(
      `with someone as (select id from directory.actors where email = $1), login as (
         insert into directory.credentials (actor_id, password_hash)
         select someone.id, password_hash from someone, directory.credentials
         where actor_id = (select actor_id from directory.login_identifiers where identifier = $2))
       insert into directory.login_identifiers (identifier, actor_id) select $3, id from someone`,
      [email, `email:${personOf(demo, { account: center ?? '' }).email}`, `email:${email}`],
    )
  }
}

/** Of each center with an administrator in the list. */
export async function stock({ server }: Pick<ConsoleDesk, 'server'>, demo: Demo): Promise<void> {
  await letIn(server, demo)
  for (const state of states.filter(({ as }) => as.includes('ADMIN'))) {
    const center = demo.centers.find(({ domain }) => domain === state.center) as Center
    const { accessToken: token } = await server.signIn(personOf(demo, state), center.domain)
    const key = await server.world.key(center, { scopes: ['proof:write'] })
    // Where the subscription has stopped, the server refuses some of it.
    const post = async (path: string, body: object, as = token) =>
      (await server.call('POST', path, { token: as, body })).body
    await post('/api/policies', {
      name: '큰 환불',
      match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 500_000 }] },
      guards: { humanReview: true },
      approval: { roles: ['ADMIN'], expiresAfterSeconds: 86_400 },
    })
    for (let at = 0; at < 3; at++) await post('/api/v1/decision-events', refund, key)
    await post('/api/v1/decision-events', { ...refund, action: { ...refund.action, input: { amount: 1000 } } }, key)
    await post('/api/api-keys', { name: '정산', scopes: ['proof:read'] })
    await post('/api/webhooks', { url: 'https://hooks.example.org/in', events: ['*'], active: false })
    await post(`/api/centers/${center.id}/groups`, { name: '결재선', actorIds: [] })
  }
}
