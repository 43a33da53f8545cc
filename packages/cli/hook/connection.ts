/**
 * What the hook of one agent connects to: the server, a key that can only ask for this agent, and what the hook trusts instead of
 * the server's word. `countersign agents connect` writes it.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { connectionFile } from './places.ts'

export interface Connection {
  /** The server's address, without `/api`. */
  readonly url: string
  /** An API key with the scope `decide` and no other, bound to `actor`. */
  readonly key: string
  /** The ID that the key is bound to, and the name that approvers see. */
  readonly actor: { readonly id: string; readonly name?: string }
  readonly center: number
  readonly sandbox?: boolean
  /** The text of the trust policy, which came through a separate channel. */
  readonly trust: string
  /** Allow nothing without a person's approval at this level, whatever the center's policies say. */
  readonly requires?: 'session' | 'passkey'
  /** Let every call pass, and only note what would have been asked. */
  readonly observe?: boolean
  /** Versions of the agent that the person accepts besides those that were tried; `2.1.*` accepts a series. */
  readonly accepts?: readonly string[]
}

export class ConnectionFileError extends Error {}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null if the agent isn't connected; `ConnectionFileError` for a file that can't be used. */
export function readConnection(agent: string, file = connectionFile(agent)): Connection | null {
  let given: unknown
  try {
    // A key that others can read is not this agent's alone.
    if ((statSync(file).mode & 0o077) !== 0) throw new ConnectionFileError(`${file} can be read by others: chmod 600`)
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new ConnectionFileError(
      error instanceof ConnectionFileError ? error.message : `${file}: ${(error as Error).message}`,
    )
  }
  const wrong = !isObject(given) ? 'the file' : wrongIn(given)
  if (wrong !== null) throw new ConnectionFileError(`${file}: ${wrong} isn't as it should be`)
  return given as unknown as Connection
}

/** The first member that doesn't fit; null if all do. */
function wrongIn(given: Record<string, unknown>): string | null {
  const { url, key, actor, center, sandbox, trust, requires, observe, accepts, ...more } = given
  const fits = {
    url: isText(url) && /^https?:\/\//.test(url),
    key: isText(key) && key.startsWith('csk_'),
    actor: isObject(actor) && isText(actor.id) && (actor.name === undefined || isText(actor.name)),
    center: Number.isSafeInteger(center) && Number(center) > 0,
    sandbox: sandbox === undefined || typeof sandbox === 'boolean',
    trust: isText(trust),
    requires: requires === undefined || requires === 'session' || requires === 'passkey',
    observe: observe === undefined || typeof observe === 'boolean',
    accepts: accepts === undefined || (Array.isArray(accepts) && accepts.every(isText)),
  }
  const [wrong] = Object.entries(fits).find(([, isFit]) => !isFit) ?? []
  return wrong ?? Object.keys(more)[0] ?? null
}

/** Replaced as a whole, so that a hook that reads meanwhile finds the old file or the new one. */
export function writeConnection(agent: string, connection: Connection, file = connectionFile(agent)): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

/**
 * What an agent's settings run. A hook that isn't there or breaks ends with another code than 0, and every agent that we
 * know then runs the tool; with code 2 and a text, it doesn't. `seconds` is the limit that the settings give the hook.
 */
export const hookCommand = (agent: string, program: string, seconds: number): string =>
  `${program} hook ${agent} --limit-seconds ${seconds} || { echo 'Countersign: the hook did not run, so the call is held.' >&2; exit 2; }`
