/**
 * Stops and liftings while decisions are taken: whatever the order, nothing that a stop covers is taken between its entry of the
 * log `history` and that of its lifting. Judged by the auditor's own check, and by the numbers of the answers.
 */
import { watchStops } from '../../packages/cli/audit-stops.ts'
import { type ValuedEntry, valuedEntryOf } from '../../packages/cli/entry-lines.ts'
import type { Client } from '../support/client.ts'
import type { Answer } from '../support/contract-check.ts'
import { allAtOnce, countBy, judge, type Race } from './race-setup.ts'

async function entriesOf(client: Client, key: string, domain: string): Promise<readonly ValuedEntry[]> {
  const { text } = await client.call('GET', `/api/v1/chains/${domain}/entries?values=true`, { token: key })
  return text.split('\n').flatMap((line) => (line === '' ? [] : [valuedEntryOf(line)]))
}

export const reasonOf = ({ body }: Answer) => (body.error?.details as { reason?: string } | undefined)?.reason

let turn = 0

export interface Decided {
  readonly path: string
  readonly actionDigest: string
}

export const manyDecided = (client: Client, key: string, count: number): Promise<readonly Decided[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const body = { agent: { id: 'agent-7' }, action: { type: 'pay', input: { turn: turn++ } } }
      const { body: answer } = await client.call('POST', '/api/v1/agents/decide', { token: key, body })
      const path = `/api/v1/decision-events/${answer.data.eventId}`
      const { actionDigest } = (await client.call('GET', path, { token: key })).body.data
      return { path: `${path}/consume`, actionDigest }
    }),
  )

/** What the auditor says of the stops of a center; empty if they hold. */
export async function stopFaults(client: Client, key: string): Promise<readonly string[]> {
  const stops = watchStops()
  for (const entry of await entriesOf(client, key, 'proof')) stops.watchSeal(entry)
  for (const entry of await entriesOf(client, key, 'history')) stops.watchChange(entry)
  const found = stops.checks()
  return found.length === 1 && found[0]?.status === 'yes' ? [] : [JSON.stringify(found)]
}

export const freezeRace: Race = {
  name: 'stops during consumptions',
  async prepare(setup) {
    const { world, clients } = setup
    const client = clients[0] as Client
    const center = await world.center()
    const admin = await world.person()
    await world.member(admin, center, 'ADMIN')
    const key = await world.key(center)
    return async (contenders) => {
      const { accessToken: token } = await client.signIn(admin, center.domain)
      const decided = await manyDecided(client, key, contenders)
      const at = Math.floor(setup.random() * contenders)
      let next = 0
      const { answers, turnedAway } = await allAtOnce(setup, contenders, async (each): Promise<Answer> => {
        const place = next++
        if (place === at) {
          return each.call('POST', '/api/freezes', { token, body: { actorId: 'AGENT-7', reason: 'A race' } })
        }
        const { path, actionDigest } = decided[place % decided.length] as Decided
        return each.call('POST', path, { token: key, body: { actionDigest, executor: `e-${place}` } })
      })
      const { check, violations } = judge()
      const made = answers.find(({ status }) => status === 201)
      check(made !== undefined, `no stop was made: ${countBy(answers)}`)
      check(
        answers.every((each) => each.status === 200 || each.status === 201 || reasonOf(each) === 'frozen'),
        `answers ${countBy(answers)}`,
      )
      const { actionDigest, path } = decided[at] as Decided
      const body = { actionDigest, executor: 'late' }
      // From the commit of the stop on, in every process.
      for (const each of clients) {
        const late = await each.call('POST', path, { token: key, body })
        check(late.status === 409 && reasonOf(late) === 'frozen', `taken after the stop: ${late.text}`)
      }
      const id = made?.body.data.id
      const lifted = await client.call('POST', `/api/freezes/${id}/lift`, { token, body: { reason: 'Over' } })
      check(lifted.status === 200, `not lifted: ${lifted.text}`)
      const again = await client.call('POST', path, { token: key, body })
      check(again.status === 200, `not taken after the lifting: ${again.text}`)
      for (const fault of await stopFaults(client, key)) check(false, fault)
      return { violations, turnedAway }
    }
  },
}
