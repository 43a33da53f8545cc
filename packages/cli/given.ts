/** What a command gets: its options, the server it speaks to, and where its results go. */
import { readFileSync } from 'node:fs'
import { shown, shownJson } from '@countersign/proof'
import { type Client, openClient, type Sent } from './client.ts'
import { UsageError } from './command-line.ts'
import { inLines, tell } from './fold.ts'
import { type Profile, readProfiles } from './profiles.ts'
import { openProgress } from './progress.ts'
import { baseUrlOf } from './server-options.ts'
import type { Facts, Speech, Word } from './words.ts'

export type Options = Readonly<Record<string, string | boolean | undefined>>

export interface Signed extends Profile {
  /** Null where options or the environment name the server and the key. */
  readonly name: string | null
}

export interface Given {
  readonly options: Options
  readonly words: readonly string[]
  readonly spoken: Speech
  readonly command: string
  readonly say: (word: Word, facts?: Facts) => string
  text(name: string): string | undefined
  /** The results: lines for people, or one JSON value. `exact` lines are a file, which no terminal folds. */
  print(value: unknown, lines: readonly string[], exact?: 'exact'): void
  /** Progress, on the standard error. */
  note(line: string): void
  signed(): Signed
  client(): Client
  /** The members of `data`, or the whole answer where it has none. */
  call<T>(method: string, path: string, body?: unknown, sent?: Partial<Sent>): Promise<T>
}

export function givenOf(options: Options, words: readonly string[], spoken: Speech, command: string): Given {
  const { say } = spoken
  const progress = openProgress()
  const text = (name: string) => (typeof options[name] === 'string' ? (options[name] as string) : undefined)
  const note = (line: string) => progress.note(line)
  let known: Signed | null = null
  const signed = (): Signed => {
    known ??= signedIn(text, spoken, command)
    return known
  }
  const client = () => openClient(signed().key, spoken, note)
  return {
    options,
    words,
    spoken,
    command,
    say,
    text,
    note,
    signed,
    client,
    print(value, lines, exact) {
      if (options.json) process.stdout.write(`${shownJson(JSON.stringify(value))}\n`)
      else if (exact) process.stdout.write(inLines(lines))
      else tell(inLines(lines))
    },
    async call(method, path, body, sent) {
      const url = `${signed().baseUrl}/api/v1${path}`
      const written = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const asked = method === 'GET' ? undefined : { method, ...(written !== undefined && { body: written }), ...sent }
      const answer = await client().json<{ data?: unknown } | null>(url, asked)
      return (answer !== null && Object.hasOwn(answer, 'data') ? answer.data : answer) as never
    },
  }
}

/** Options, then the environment, then the profile in use. */
function signedIn(text: Given['text'], spoken: Speech, command: string): Signed {
  const { say } = spoken
  const named = text('profile')
  const url = text('base-url') ?? (named === undefined ? process.env.COUNTERSIGN_URL : undefined)
  const key = keyIn(text, command) ?? (named === undefined ? process.env.COUNTERSIGN_API_KEY : undefined)
  const { current, profiles } = readProfiles()
  const name = named ?? current
  const profile = name !== null && Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (named !== undefined && !profile) throw new UsageError(say('noProfile', { name: named }), command)
  if (url === undefined && key === undefined && profile) return { ...profile, name }
  const address = url ?? profile?.baseUrl
  if (address === undefined) throw new UsageError(say('notSignedIn'), command)
  const baseUrl = baseUrlOf(address, spoken, command)
  // The key of a profile is for its own server.
  const fits = key ?? (profile?.baseUrl === baseUrl ? profile.key : undefined)
  if (!fits?.trim()) throw new UsageError(say('notSignedIn'), command)
  return { baseUrl, key: fits.trim(), name: null }
}

/** "-" is the standard input. */
export function keyIn(text: Given['text'], command: string): string | undefined {
  const file = text('key-file')
  if (file === undefined) return text('key')
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim()
  } catch (error) {
    throw new UsageError((error as Error).message, command)
  }
}

/** A value of the server, safe to print. */
export const safe = (value: unknown): string => (value === null || value === undefined ? '–' : shown(String(value)))
