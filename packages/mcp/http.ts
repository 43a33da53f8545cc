/** MCP over HTTP, for requests that are authenticated already. Both eras of the protocol, without sessions. */
import type { Countersign } from '@countersign/sdk'
import type { Trust } from '@countersign/sdk/guard'
import { type AuthInfo, createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { countersignServer } from './server.ts'

export interface HttpOptions {
  /** Returns an API client that has this caller's rights and no others. */
  readonly clientFor: (caller: AuthInfo) => Countersign
  /** Whose proofs and receipts count. Without it, the server vouches for itself. */
  readonly trust?: Trust
  /** When it's aborted, calls that are waiting for a person return. */
  readonly stopping?: AbortSignal
  /** Called with an error that no tool expects. */
  readonly onDefect?: (error: unknown) => void
  /** Called with the error of a request that the protocol refuses. */
  readonly onRefused?: (error: Error) => void
}

/** `fetch` needs `authInfo` of an authenticated caller: nothing here checks a credential, `Host` or `Origin`. */
export function mcpHandler({ clientFor, trust, stopping, onDefect, onRefused }: HttpOptions): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => {
      if (!authInfo) throw new TypeError('mcpHandler needs authInfo. Authenticate the request first.')
      return countersignServer({ client: clientFor(authInfo), trust, stopping, onDefect })
    },
    {
      // The list of tools does not change, so there is nothing to subscribe to, and no stream that stays open.
      maxSubscriptions: 0,
      ...(onRefused && { onerror: onRefused }),
    },
  )
}
