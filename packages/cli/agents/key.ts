/** The hook's own API key. It can ask in its agent's name, and nothing else: any other key is refused, whoever gives it. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openClient, ServiceError } from '../client.ts'
import { UsageError } from '../command-line.ts'
import { type Given, keyIn } from '../given.ts'
import type { Connection } from '../hook/connection.ts'
import { ask, askSecret, isTerminal } from './ask.ts'

interface CallingKey {
  readonly scopes: readonly string[]
  readonly actor: { readonly id: string; readonly type: string } | null
  readonly centerId: number
  readonly isSandbox: boolean
}

export type Checked = Pick<Connection, 'key' | 'actor' | 'center' | 'sandbox'>

/** Asks the server what the key can do. Throws for a key with any other right than to ask in the name of one agent. */
export async function checkedKey(given: Given, url: string, key: string, name?: string): Promise<Checked> {
  const client = openClient(key, given.spoken, given.note)
  const { data } = await client.json<{ data: CallingKey }>(`${url}/api/v1/api-key`).catch((error: unknown) => {
    const isOther = error instanceof ServiceError && error.status === 403
    throw isOther ? new UsageError(given.say('agentKeyScopes', { scopes: '–' }), given.command) : error
  })
  const { scopes, actor, centerId, isSandbox } = data
  if (scopes.length !== 1 || scopes[0] !== 'decide')
    throw new UsageError(given.say('agentKeyScopes', { scopes: scopes.join(', ') }), given.command)
  if (actor?.type !== 'ai_agent')
    throw new UsageError(given.say('agentKeyActor', { actor: actor?.type ?? '–' }), given.command)
  return { key, actor: { id: actor.id, ...(name && { name }) }, center: centerId, ...(isSandbox && { sandbox: true }) }
}

export interface Person {
  readonly email: string
  readonly password: string
}

/** From the options or the terminal; null for a person who gives a key instead. */
export async function personIn(given: Given): Promise<Person | null> {
  const { text, say, command } = given
  const file = text('password-file')
  const email = text('email') ?? (isTerminal() && !given.options.json ? await ask(say('askEmail')) : '')
  if (email === '') return null
  if (file === undefined && !isTerminal()) throw new UsageError(say('passwordNeeded'), command)
  try {
    const password =
      file === undefined ? await askSecret(say('askPassword')) : readFileSync(file === '-' ? 0 : file, 'utf8')
    return { email, password: password.replace(/\r?\n$/, '') }
  } catch (error) {
    throw new UsageError((error as Error).message, command)
  }
}

interface Session {
  readonly accessToken: string
  readonly center: { readonly domain: string } | null
}

/** Signs in as the ADMIN, makes a key for each agent, and signs out: nothing of the session is kept on this machine. */
export async function makeKeys(
  given: Given,
  url: string,
  { email, password }: Person,
  wanted: readonly { readonly label: string; readonly actor: string }[],
): Promise<readonly string[]> {
  const { say, spoken, note, command } = given
  const domain = given.text('center')
  const anonymous = openClient(null, spoken, note)
  const body = JSON.stringify({ email, password, ...(domain !== undefined && { centerDomain: domain }) })
  const { data } = await anonymous.json<{ data: Session }>(`${url}/api/auth/login`, { method: 'POST', body })
  const client = openClient(data.accessToken, spoken, note)
  const send = <T>(path: string, value: object): Promise<{ data: T }> =>
    client.json(`${url}/api${path}`, { method: 'POST', body: JSON.stringify(value), key: randomUUID() })
  try {
    if (data.center === null) throw new UsageError(say('centerNeeded'), command)
    const keys: string[] = []
    for (const { label, actor } of wanted) {
      const made = await send<{ key: string }>('/api-keys', {
        ...{ name: `${label} (${actor})`.slice(0, 100), scopes: ['decide'], actor: { id: actor, type: 'ai_agent' } },
      })
      keys.push(made.data.key)
    }
    return keys
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 403) throw error
    throw new ServiceError(say('keyRefused', { why: error.message, page: `${url}/developers` }), 403)
  } finally {
    await client.json(`${url}/api/auth/logout`, { method: 'POST' }).catch(() => {})
  }
}

/** A key that the person gives: from --key-file, or pasted. */
export async function givenKey(given: Given, url: string, label: string): Promise<string> {
  const { text, say, command } = given
  const key =
    keyIn(text, command) ?? (isTerminal() ? await askSecret(say('askKey', { label, page: `${url}/developers` })) : '')
  if (key === '') throw new UsageError(say('agentNeedsKey'), command)
  return key
}

export async function publishedTrust(given: Given, url: string): Promise<string> {
  const client = openClient(null, given.spoken, given.note)
  const { policy } = await client.json<{ policy?: string }>(`${url}/.well-known/countersign-log.json`)
  if (!policy) throw new ServiceError(given.say('noLogDocument'))
  return policy
}
