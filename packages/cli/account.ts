/** `login`, `whoami` and `use`: which server the command speaks to, and with which key. */

import { openClient, ServiceError } from './client.ts'
import { UsageError } from './command-line.ts'
import { opened } from './decisions.ts'
import { type Given, keyIn, safe } from './given.ts'
import { keysPage, ownName, ownScopes } from './keys.ts'
import { pasted } from './pasted.ts'
import { isProfileName, profilesFile, readProfiles, saveProfile, writeProfiles } from './profiles.ts'
import { baseUrlOf } from './server-options.ts'
import { table } from './table.ts'

/** The beginning of a key, to recognize it by. */
const shortKey = (key: string): string => `${key.slice(0, 12)}…`

interface Checkpoint {
  readonly log: string
}

/** The center of a key is the one whose log it reads; null where the key may not read chains. */
async function centerOf(given: Given, baseUrl: string, key: string): Promise<string | null> {
  try {
    const { data } = await openClient(key, given.spoken, given.note).json<{ data: Checkpoint }>(
      `${baseUrl}/api/v1/chains/proof/checkpoint`,
    )
    return data.log.replace(/\/proof$/, '')
  } catch (error) {
    if (error instanceof ServiceError && error.status === 403) return null
    throw error
  }
}

export async function login(given: Given): Promise<number> {
  const { say, text, command, spoken } = given
  const name = text('profile') ?? 'default'
  if (!isProfileName(name)) throw new UsageError(say('badProfileName', { name }), command)
  const baseUrl = baseUrlOf(text('base-url') ?? process.env.COUNTERSIGN_URL, spoken, command)
  const key = (keyIn(text, command) ?? process.env.COUNTERSIGN_API_KEY ?? (await fromBrowser(given, baseUrl)))?.trim()
  if (!key) throw new UsageError(say('loginNeedsKey'), command)
  const center = await centerOf(given, baseUrl, key)
  const before = readProfiles().profiles[name]
  const same = before?.baseUrl === baseUrl && before.key === key
  saveProfile(name, { baseUrl, key, ...(same && before.listen && { listen: before.listen }) }, true)
  given.print({ profile: name, baseUrl, center }, [
    say('loggedIn', { name, baseUrl, center: center ?? say('unknownCenter') }),
    say('savedIn', { file: profilesFile() }),
  ])
  return 0
}

/** A person at a terminal creates the key on the page that opens, and pastes it. Without a terminal nobody is asked. */
async function fromBrowser({ say, note, options }: Given, baseUrl: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY || options.json) return undefined
  const url = keysPage(baseUrl, { name: ownName(), scopes: ownScopes, agent: undefined })
  note(say('loginInBrowser', { url }))
  opened(url)
  process.stderr.write(say('loginPaste'))
  return pasted()
}

export async function whoami(given: Given): Promise<number> {
  const { name, baseUrl, key } = given.signed()
  const center = await centerOf(given, baseUrl, key)
  const sandbox = center?.includes('/sandbox/') ?? false
  given.print({ profile: name, baseUrl, center, sandbox, key: shortKey(key) }, [
    ...table([
      [given.say('whoProfile'), safe(name)],
      [given.say('whoServer'), safe(baseUrl)],
      [given.say('whoCenter'), center === null ? given.say('unknownCenter') : safe(center)],
      [given.say('whoKey'), shortKey(safe(key))],
    ]),
    ...(sandbox ? [given.say('whoSandbox')] : []),
  ])
  return 0
}

export async function use(given: Given): Promise<number> {
  const { words, say, command } = given
  const { current, profiles } = readProfiles()
  const [name] = words
  if (name !== undefined && !Object.hasOwn(profiles, name)) throw new UsageError(say('noProfile', { name }), command)
  const chosen = name ?? current
  if (name !== undefined) writeProfiles({ current: name, profiles })
  const all = Object.entries(profiles).map(([each, { baseUrl }]) => ({
    profile: each,
    baseUrl,
    current: each === chosen,
  }))
  given.print(
    all,
    all.length === 0
      ? [say('noProfiles')]
      : table(all.map(({ profile, baseUrl, current: isIt }) => [isIt ? '*' : ' ', safe(profile), safe(baseUrl)])),
  )
  return 0
}

export async function logout(given: Given): Promise<number> {
  const { current, profiles } = readProfiles()
  const name = given.text('profile') ?? current
  if (name === null || !Object.hasOwn(profiles, name)) throw new UsageError(given.say('notSignedIn'), given.command)
  const { [name]: _, ...rest } = profiles
  writeProfiles({ current: current === name ? null : current, profiles: rest })
  given.print({ profile: name }, [given.say('loggedOut', { name })])
  return 0
}
