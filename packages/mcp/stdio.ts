/** The tools over standard input and output, for the client that has started this process. */
import { readFileSync } from 'node:fs'
import { parsePolicy } from '@countersign/proof'
import { Countersign } from '@countersign/sdk'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { countersignServer } from './server.ts'

export interface StdioSettings {
  readonly baseUrl: string
  readonly apiKey: string
  readonly policyFile?: string | undefined
  /** For a line on standard error. */
  readonly say: (line: string) => void
}

export function serve({ baseUrl, apiKey, policyFile, say }: StdioSettings): void {
  // A call may not outlast the time that a client waits for it, which is usually 60 seconds.
  const client = new Countersign({ baseUrl, apiKey, timeoutMs: 15_000, maxRetryAfterMs: 10_000 })
  const policy = policyFile ? parsePolicy(readFileSync(policyFile, 'utf8')) : undefined
  const onDefect = (error: unknown): void =>
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  serveStdio(() => countersignServer({ client, policy, onDefect }), {
    // The list of tools does not change, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: ({ message }) => say(message),
  })
}
