/** API keys are created by a person in the browser: no key can create another. The command opens the form, filled in. */
import { hostname } from 'node:os'
import { opened } from './decisions.ts'
import { type Given, safe } from './given.ts'
import { baseUrlOf } from './server-options.ts'

/** What the commands need; the person may leave out any of them. */
export const ownScopes = 'proof:read,webhooks:write,policies:write,sandboxes:write'

export function keysPage(baseUrl: string, filled: Readonly<Record<'name' | 'scopes' | 'agent', string | undefined>>) {
  const url = new URL(`${baseUrl}/account/keys`)
  for (const [name, value] of Object.entries(filled)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** The name under which a person finds the key of this machine again. */
export const ownName = (): string => `countersign on ${hostname()}`.slice(0, 100)

/** 0: the address was printed. What becomes of it is up to the person. */
export async function keys(given: Given): Promise<number> {
  const { text, signed, words, spoken, command } = given
  const named = text('base-url')
  const baseUrl = named === undefined ? signed().baseUrl : baseUrlOf(named, spoken, command)
  const url = keysPage(baseUrl, { name: words[0], scopes: text('scopes'), agent: text('agent') })
  given.print({ url }, [safe(url)])
  if (process.stdout.isTTY && !given.options.json) opened(url)
  return 0
}
