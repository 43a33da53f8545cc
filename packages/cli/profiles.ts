/** Where the command signs in, by name, in one file that only its owner can read. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** A webhook of ours that is turned off: its events are kept for `listen`, and it has the secret that signs them here. */
export interface Listening {
  readonly webhookId: string
  readonly secret: string
  readonly events: readonly string[]
}

export interface Profile {
  readonly baseUrl: string
  readonly key: string
  readonly listen?: Listening
}

export interface Profiles {
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

const none: Profiles = { current: null, profiles: {} }
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
export const isProfileName = (name: string): boolean => namePattern.test(name)

type Env = Readonly<Record<string, string | undefined>>

export const profilesFile = (env: Env = process.env): string =>
  env.COUNTERSIGN_CONFIG ||
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'countersign', 'profiles.json')

/** Next to the profiles' file, one for each profile. */
export const journalFile = (profile: string): string => join(dirname(profilesFile()), `listen-${profile}.journal`)

export function readProfiles(file = profilesFile()): Profiles {
  if (!existsSync(file)) return none
  const { current, profiles } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Profiles>
  if (typeof profiles !== 'object' || profiles === null) throw new Error(`${file}: "profiles" is missing`)
  return { current: current ?? null, profiles }
}

/** Replaced as a whole, so that a kill leaves the old file or the new one. */
export function writeProfiles(next: Profiles, file = profilesFile()): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

/** The first profile is the one in use; after it, only `login` and `use` switch. */
export function saveProfile(name: string, profile: Profile, use = false): void {
  const { current, profiles } = readProfiles()
  writeProfiles({ current: use ? name : (current ?? name), profiles: { ...profiles, [name]: profile } })
}

/** Whether others on this machine can read the file. */
export const isShared = (file = profilesFile()): boolean => existsSync(file) && (statSync(file).mode & 0o077) !== 0
