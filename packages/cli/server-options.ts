/** Where the server is and with which key to ask it: options of every command that goes online. */
import { readFileSync } from 'node:fs'
import { UsageError } from './command-line.ts'
import type { Speech } from './words.ts'

/** `URL.parse` is not in Node 20. */
export const urlIn = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

/** Where to send events: `localhost:4000/path` is enough. */
export const targetIn = (text: string | undefined): URL | null =>
  text === undefined ? null : urlIn(/^https?:/.test(text) ? text : `http://${text}`)

/** Removes a trailing slash or the path of the API, which users may copy with the address. */
export function baseUrlOf(given: string | undefined, { say }: Speech, command: string): string {
  if (given === undefined) throw new UsageError(say('noBaseUrl'), command)
  const url = urlIn(given)
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(say('badBaseUrl', { url: given }), command)
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api(?:\/v1)?$/, '')}`
}

export function keyOf(given: string | undefined, file: string | undefined, { say }: Speech, command: string): string {
  let key = given ?? process.env.COUNTERSIGN_API_KEY
  try {
    if (given === undefined && file !== undefined) key = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError((error as Error).message, command)
  }
  if (!key?.trim()) throw new UsageError(say('noKey'), command)
  return key.trim()
}
