/**
 * Changes of policies and of roles, and approvals, while decisions are sealed: each seal is explained by the entry of the log
 * `history` that its `control.rules` names.
 */
import { replayRules } from '../../packages/cli/audit-rules.ts'
import { contentOf, type ValuedEntry, valuedEntryOf } from '../../packages/cli/entry-lines.ts'
import { type AsMember, agree, open, type Shown } from '../support/approving.ts'
import type { Client } from '../support/client.ts'
import type { Answer } from '../support/contract-check.ts'
import { membershipOf } from './center-races.ts'
import { allAtOnce, countBy, judge, type Race } from './race-setup.ts'

const approval = { roles: ['ADMIN'], identity: 'session' }
const policy = {
  name: 'p',
  match: { actionTypes: ['pay'] },
  guards: { riskThreshold: 0.5, dualApproval: true },
  approval,
}
const decisionOf = (riskScore: number) => ({
  agent: { id: 'a' },
  action: { type: 'pay', input: { won: 1 } },
  riskScore,
})

async function entriesOf(client: Client, key: string, domain: string): Promise<readonly ValuedEntry[]> {
  const { text } = await client.call('GET', `/api/v1/chains/${domain}/entries?values=true`, { token: key })
  return text.split('\n').flatMap((line) => (line === '' ? [] : [valuedEntryOf(line)]))
}

interface Ruled {
  readonly control?: { readonly rules: { readonly index: number | null } }
}

/** What the auditor's replay finds, and what it cannot know: here both logs have one clock. */
async function unexplained(client: Client, key: string): Promise<readonly string[]> {
  const seals = await entriesOf(client, key, 'proof')
  const history = await entriesOf(client, key, 'history')
  const replay = replayRules()
  for (const entry of seals) replay.watchSeal(entry)
  for (const entry of history) replay.watchChange(entry)
  const faults = replay.checks().flatMap(({ status, ...what }) => (status === 'yes' ? [] : [JSON.stringify(what)]))
  const policies = history.flatMap((entry, index) => (contentOf(entry).type === 'policy' ? [index] : []))
  for (const [at, seal] of seals.entries()) {
    const index = (seal.values as Ruled | undefined)?.control?.rules.index ?? -1
    const before = history[index]?.sealedAt ?? ''
    const next = policies.find((each) => each > index)
    const after = next === undefined ? '9999' : (history[next]?.sealedAt as string)
    if (before > seal.sealedAt || seal.sealedAt > after)
      faults.push(`seal ${at} of ${seal.sealedAt} is not between ${before} and ${after}`)
  }
  return faults
}

const allowed = new Set([200, 201, 202, 401, 403, 409, 422])

export const rulesRace: Race = {
  name: 'policy changes, roles and approvals during decisions',
  async prepare(setup) {
    const { world, clients } = setup
    const client = clients[0] as Client
    const center = await world.center()
    const people = [await world.person(), await world.person(), await world.person()] as const
    for (const person of people) await world.member(person, center, 'ADMIN')
    const key = await world.key(center)
    const tokens = () => Promise.all(people.map(async (each) => (await client.signIn(each, center.domain)).accessToken))
    const as =
      (token: string): AsMember =>
      async (method, path, body) =>
        (await client.call(method, path, { token, ...(body && { body }) })).body.data
    const [first] = (await tokens()) as [string]
    const { id } = await as(first)('POST', '/api/policies', policy)
    const third = await membershipOf(world, center, people[2])
    return async (contenders) => {
      const own = await tokens()
      const waiting = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const answer = await client.call('POST', '/api/v1/agents/decide', { token: key, body: decisionOf(0.9) })
          const { eventId } = answer.body.data
          return { eventId, shown: await Promise.all(own.map((token) => open(as(token), eventId))) }
        }),
      )
      let turn = 0
      const { answers, turnedAway } = await allAtOnce(setup, contenders, async (each): Promise<Answer> => {
        const at = turn++
        const [person, kind] = [at % 3, at % 7]
        const token = own[person] as string
        if (kind === 0) {
          const riskThreshold = Math.round(setup.random() * 10) / 10
          return each.call('PATCH', `/api/policies/${id}`, {
            token,
            body: { guards: { ...policy.guards, riskThreshold } },
          })
        }
        if (kind === 1) {
          const role = setup.random() < 0.5 ? 'ADMIN' : 'INSTRUCTOR'
          return each.call('PATCH', `/api/memberships/${third}`, { token: own[at % 2] as string, body: { role } })
        }
        if (kind < 5) {
          const { eventId, shown } = waiting[at % waiting.length] as (typeof waiting)[number]
          const body = { result: 'approved', ...(shown[person] as Shown) }
          return each.call('POST', `/api/decisions/${eventId}/approvals`, { token, body })
        }
        return each.call('POST', '/api/v1/agents/decide', { token: key, body: decisionOf(setup.random()) })
      })
      const { check, violations } = judge()
      check(
        answers.every(({ status }) => allowed.has(status)),
        `answers ${countBy(answers)}`,
      )
      // A round begins with three ADMINs and nothing pending.
      await world.setMembership(people[2], center, { role: 'ADMIN' })
      const [asked, ...others] = own.map(as) as [AsMember, ...AsMember[]]
      for (const answer of answers) await agree(asked, answer, ...others)
      for (const fault of await unexplained(client, key)) check(false, fault)
      return { violations, turnedAway }
    }
  },
}
