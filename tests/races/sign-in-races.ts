/** Concurrent uses of one refresh token and of one single-use token. */
import type { Person, World } from '../support/world.ts'
import { allAtOnce, countBy, judge, type Race } from './race-setup.ts'

const sessionOf = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] as string, 'base64url').toString()).sid

async function newMember(world: World): Promise<Person> {
  const person = await world.person()
  await world.member(person, await world.center())
  return person
}

/** Fifty tabs refresh at once: all get the same successor, and there are never two live tokens. */
export const refreshRace: Race = {
  name: 'one refresh token',
  async prepare(setup) {
    const { world, clients } = setup
    const person = await newMember(world)
    return async (contenders) => {
      const { accessToken, refreshToken } = await (clients[0] as (typeof clients)[0]).signIn(person)
      const refresh = (client: (typeof clients)[0], token: string) =>
        client.call('POST', '/api/auth/refresh-token', { body: { refreshToken: token } })
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (client) => refresh(client, refreshToken))

      const { check, violations } = judge()
      check(answers.length > 0 && answers.every(({ status }) => status === 200), `answers ${countBy(answers)}`)
      const successors = new Set(answers.map(({ body }) => body.data?.refreshToken))
      check(successors.size === 1, `${successors.size} successors`)
      const [rows] = await world.query<{ alive: number; total: number; revoked: boolean }>(
        `select count(*) filter (where t.used_at is null)::int as alive, count(*)::int as total,
           bool_or(s.revoked_at is not null) as revoked
         from directory.refresh_tokens t join directory.sessions s on s.id = t.session_id where s.id = $1`,
        [sessionOf(accessToken)],
      )
      check(rows?.alive === 1, `${rows?.alive} live tokens`)
      check(rows?.total === 2, `${rows?.total} tokens in all`)
      check(rows?.revoked === false, 'the session was ended')
      const [successor] = successors
      const next = await refresh(clients.at(-1) as (typeof clients)[0], successor)
      check(next.status === 200, `the successor was refused with ${next.status}`)
      return { violations, turnedAway }
    }
  },
}

/** The token of a companion app is redeemed once, however many callers hold it. */
export const ssoRace: Race = {
  name: 'one SSO token',
  async prepare(setup) {
    const { world, clients } = setup
    const [client] = clients as [(typeof clients)[0]]
    const person = await newMember(world)
    return async (contenders) => {
      const { accessToken } = await client.signIn(person)
      const issued = await client.call('POST', '/api/auth/sso/token', {
        token: accessToken,
        body: { targetApp: 'lms' },
      })
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (each) =>
        each.call('POST', '/api/auth/sso/verify', { body: { token: issued.body.data.token } }),
      )
      const { check, violations } = judge()
      const winners = answers.filter(({ status }) => status === 200)
      check(winners.length === 1, `${winners.length} successes`)
      check(
        answers.every(({ status }) => status === 200 || status === 401),
        `answers ${countBy(answers)}`,
      )
      const [left] = await world.query<{ n: number }>('select count(*)::int as n from directory.sso_tokens')
      check(left?.n === 0, 'the token is still there')
      return { violations, turnedAway }
    }
  },
}
