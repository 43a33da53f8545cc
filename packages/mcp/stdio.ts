/** The tools over standard input and output, for the client that has started this process. */
import { readFileSync } from 'node:fs'
import { Countersign } from '@countersign/sdk'
import { checkTrust, parseTrust, type Trust } from '@countersign/sdk/guard'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { countersignServer } from './server.ts'

interface TrustSettings extends Omit<Trust, 'trust'> {
  readonly trustFile: string
}

export interface StdioSettings {
  readonly baseUrl: string
  readonly apiKey: string
  /** What the user trusts instead of the server. */
  readonly trust?: TrustSettings | undefined
  /** For a line on standard error. */
  readonly say: (line: string) => void
}

export function serve({ baseUrl, apiKey, trust: trusted, say }: StdioSettings): void {
  // A call may not outlast the time that a client waits for it, which is usually 60 seconds.
  const client = new Countersign({ baseUrl, apiKey, timeoutMs: 15_000, maxRetryAfterMs: 10_000 })
  if (trusted) checkTrust(trusted)
  const trust = trusted && { ...trusted, trust: parseTrust(readFileSync(trusted.trustFile, 'utf8')) }
  const onDefect = (error: unknown): void =>
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  serveStdio(() => countersignServer({ client, trust, onDefect }), {
    // The list of tools does not change, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: ({ message }) => say(message),
  })
}
