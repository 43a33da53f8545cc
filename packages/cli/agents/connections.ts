/** What the hooks will connect to: a key for each agent that has none yet, and the trust policy. */

import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { parsePolicy } from '@countersign/proof'
import { UsageError } from '../command-line.ts'
import type { Given } from '../given.ts'
import type { CodingAgent } from '../hook/agent.ts'
import { type Connection, ConnectionFileError, readConnection } from '../hook/connection.ts'
import { readProfiles } from '../profiles.ts'
import { baseUrlOf } from '../server-options.ts'
import { isTerminal } from './ask.ts'
import { type Checked, checkedKey, givenKey, makeKeys, personIn, publishedTrust } from './key.ts'

/** The server's address: the option, the environment, the profile in use. */
function urlIn({ text, spoken, command, say }: Given, existing: readonly (Connection | null)[]): string {
  const { current, profiles } = readProfiles()
  const name = text('profile') ?? current
  const profile = name !== null && Object.hasOwn(profiles, name) ? profiles[name] : undefined
  const known = text('base-url') ?? process.env.COUNTERSIGN_BASE_URL ?? profile?.baseUrl ?? existing.find(Boolean)?.url
  if (known === undefined) throw new UsageError(say('agentNeedsServer'), command)
  return baseUrlOf(known, spoken, command)
}

function existingOf({ id }: CodingAgent): Connection | null {
  try {
    return readConnection(id)
  } catch (error) {
    if (error instanceof ConnectionFileError) return null
    throw error
  }
}

/** The text of a policy that can be used. */
function readable(policy: string): string {
  parsePolicy(policy)
  return policy
}

async function trustIn(given: Given, url: string, existing: Connection | null): Promise<string> {
  const { text, say, command, options } = given
  const file = text('trust')
  if (file !== undefined) {
    try {
      return readable(readFileSync(file, 'utf8'))
    } catch (error) {
      throw new UsageError(say('badPolicy', { file, why: (error as Error).message }), command)
    }
  }
  if (existing?.url === url) return existing.trust
  if (options.yes || options.json || !isTerminal()) throw new UsageError(say('trustNeeded', { url }), command)
  const published = readable(await publishedTrust(given, url))
  given.note(say('trustOnFirstUse', { url }))
  for (const line of published.trimEnd().split('\n')) given.note(`  ${line}`)
  return published
}

function requiresIn({ text, say, command }: Given): Connection['requires'] {
  const level = text('requires')
  if (level === undefined || level === 'session' || level === 'passkey') return level
  throw new UsageError(say('badLevel', { level }), command)
}

export interface ConnectionPlan {
  /** By agent: the actor of the connection that will be written. Without those whose connection stays as it is. */
  readonly actors: ReadonlyMap<string, string>
  readonly url: string
  /** Makes the keys that are missing. Before that, nothing has changed anywhere. */
  make(): Promise<ReadonlyMap<string, Connection>>
}

/** A key that the server doesn't accept any more counts as missing. */
async function keptKey(given: Given, { url, key, actor }: Connection): Promise<Checked | null> {
  try {
    return await checkedKey(given, url, key, actor.name)
  } catch (error) {
    if ((error as { status?: number }).status === 401) return null
    throw error
  }
}

/** The same but for what the options say. */
function withOptions(given: Given, checked: Checked, trust: string, kept: Connection | null, url: string): Connection {
  const { options } = given
  const level = requiresIn(given) ?? kept?.requires
  const observe = options.observe ? true : options.enforce ? false : kept?.observe
  return {
    ...{ url, ...checked, trust },
    ...(level !== undefined && { requires: level }),
    ...(observe && { observe }),
    ...(kept?.accepts !== undefined && { accepts: kept.accepts }),
  }
}

export async function planConnections(given: Given, agents: readonly CodingAgent[]): Promise<ConnectionPlan> {
  const { text, say, command } = given
  const earlier = new Map(agents.map((agent) => [agent.id, existingOf(agent)]))
  const url = urlIn(given, [...earlier.values()])
  const gave = text('key-file') !== undefined || text('key') !== undefined
  if (gave && agents.length > 1) throw new UsageError(say('oneAgentPerKey'), command)
  requiresIn(given)
  const nameOf = ({ label }: CodingAgent) => `${label} (${hostname()})`
  const idOf = ({ id }: CodingAgent) => text('actor') ?? `${id}@${hostname()}`
  const all = new Map<string, Connection>()
  const actors = new Map<string, string>()
  const missing: { readonly agent: CodingAgent; readonly trust: string; readonly kept: Connection | null }[] = []
  for (const agent of agents) {
    const before = earlier.get(agent.id) ?? null
    const kept = before?.url === url ? before : null
    const isWanted = kept && (text('actor') === undefined || kept.actor.id === text('actor'))
    const checked = gave
      ? await checkedKey(given, url, await givenKey(given, url, agent.label), nameOf(agent))
      : isWanted
        ? await keptKey(given, kept)
        : null
    const trust = await trustIn(given, url, before)
    if (!checked) {
      missing.push({ agent, trust, kept })
      actors.set(agent.id, idOf(agent))
      continue
    }
    const next = withOptions(given, checked, trust, kept, url)
    if (before && JSON.stringify(next) === JSON.stringify(sorted(before, next))) continue
    all.set(agent.id, next)
    actors.set(agent.id, checked.actor.id)
  }
  if (missing.length > 0 && text('email') === undefined && (!isTerminal() || given.options.json))
    throw new UsageError(say('agentNeedsKey'), command)
  const make = async () => {
    if (missing.length === 0) return all
    const person = await personIn(given)
    const wanted = missing.map(({ agent }) => ({ label: agent.label, actor: idOf(agent) }))
    const made = person && (await makeKeys(given, url, person, wanted))
    for (const [at, { agent, trust, kept }] of missing.entries()) {
      const key = made?.[at] ?? (await givenKey(given, url, agent.label))
      all.set(agent.id, withOptions(given, await checkedKey(given, url, key, nameOf(agent)), trust, kept, url))
    }
    return all
  }
  return { actors, url, make }
}

/** With its members in the order of the other, to compare them as texts. */
const sorted = (one: Connection, other: Connection): Partial<Connection> =>
  Object.fromEntries([
    ...Object.keys(other).map((name) => [name, one[name as keyof Connection]]),
    ...Object.entries(one).filter(
      ([name, value]) => !Object.hasOwn(other, name) && value !== undefined && value !== false,
    ),
  ])
