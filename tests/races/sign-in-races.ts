/** One refresh token, one single-use token: many hands. */
import type { Person, World } from '../support/world.ts'
import { allAtOnce, countBy, judge, type Race } from './arena.ts'

const sessionOf = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] as string, 'base64url').toString()).sid

async function newMember(world: World): Promise<Person> {
  const person = await world.person()
  await world.member(person, await world.center())
  return person
}

/** Fifty tabs wake up at once: one successor, which all of them get, and never two live tokens. */
export const refreshRace: Race = {
  name: 'one refresh token',
  async prepare(arena) {
    const { world, doors } = arena
    const person = await newMember(world)
    return async (contenders) => {
      const { accessToken, refreshToken } = await (doors[0] as (typeof doors)[0]).signIn(person)
      const refresh = (door: (typeof doors)[0], token: string) =>
        door.call('POST', '/api/auth/refresh-token', { body: { refreshToken: token } })
      const { answers, turnedAway } = await allAtOnce(arena, contenders, (door) => refresh(door, refreshToken))

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
      const next = await refresh(doors.at(-1) as (typeof doors)[0], successor)
      check(next.status === 200, `the successor was refused with ${next.status}`)
      return { violations, turnedAway }
    }
  },
}

/** A companion app's token is redeemed once, whoever else holds it. */
export const ssoRace: Race = {
  name: 'one SSO token',
  async prepare(arena) {
    const { world, doors } = arena
    const [door] = doors as [(typeof doors)[0]]
    const person = await newMember(world)
    return async (contenders) => {
      const { accessToken } = await door.signIn(person)
      const issued = await door.call('POST', '/api/auth/sso/token', { token: accessToken, body: { targetApp: 'lms' } })
      const { answers, turnedAway } = await allAtOnce(arena, contenders, (each) =>
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
