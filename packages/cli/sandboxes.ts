/** `sandbox list | create | refresh | end`: centers for test data, for people and for CI. */
import { UsageError } from './command-line.ts'
import { type Given, safe } from './given.ts'
import { isProfileName, saveProfile } from './profiles.ts'
import { minuteOf, table } from './table.ts'

interface Sandbox {
  readonly id: number
  readonly name: string
  readonly domain: string
  readonly createdAt: string
  readonly refreshedAt: string
}

const rowOf = ({ id, name, domain, refreshedAt }: Sandbox): string[] => [
  String(id),
  safe(name),
  safe(domain),
  safe(minuteOf(refreshedAt)),
]

const listed = (given: Given): Promise<readonly Sandbox[]> => given.call('GET', '/sandboxes')

export async function listSandboxes(given: Given): Promise<number> {
  const all = await listed(given)
  given.print(all, all.length === 0 ? [given.say('noSandboxes')] : table(all.map(rowOf)))
  return 0
}

/** With `--save-as NAME` the key goes into that profile, and is not printed. */
export async function createSandbox(given: Given): Promise<number> {
  const { words, say, command, signed, text } = given
  const [name, ...more] = words
  if (name === undefined || more.length > 0) throw new UsageError(say('oneSandbox'), command)
  const save = text('save-as')
  if (save !== undefined && !isProfileName(save)) throw new UsageError(say('badProfileName', { name: save }), command)
  const { baseUrl } = signed()
  const { key, ...made } = await given.call<Sandbox & { key: { key: string } }>('POST', '/sandboxes', { name })
  if (save !== undefined) saveProfile(save, { baseUrl, key: key.key })
  given.print(save === undefined ? { ...made, key } : { ...made, profile: save }, [
    ...table([rowOf(made)]),
    save === undefined ? safe(key.key) : say('savedProfile', { name: save }),
  ])
  return 0
}

/** By ID or by name. */
async function idIn(given: Given): Promise<number> {
  const { words, say, command } = given
  const [wanted, ...more] = words
  if (wanted === undefined || more.length > 0) throw new UsageError(say('oneSandbox'), command)
  const found = (await listed(given)).find(({ id, name }) => String(id) === wanted || name === wanted)
  if (!found) throw new UsageError(say('noSandbox', { name: wanted }), command)
  return found.id
}

export async function refreshSandbox(given: Given): Promise<number> {
  const made = await given.call<Sandbox>('POST', `/sandboxes/${await idIn(given)}/refresh`, {})
  given.print(made, table([rowOf(made)]))
  return 0
}

export async function endSandbox(given: Given): Promise<number> {
  const id = await idIn(given)
  await given.call('DELETE', `/sandboxes/${id}`)
  given.print({ id, ended: true }, [given.say('sandboxEnded', { id: String(id) })])
  return 0
}
