/** How the gateway reaches a server: a program that it starts, or an address. */
import { SdkError, SdkErrorCode, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { boundedFetch } from './bounded-fetch.ts'
import type { Limits, UpstreamSettings } from './config.ts'

/** Of the protocol, around an answer. */
const frameBytes = 65_536
/** The protocol's own limit comes first, with its message. */
const graceMs = 2000

export const newTransport = (settings: UpstreamSettings, { answerBytes, callMs }: Limits) =>
  'url' in settings
    ? new StreamableHTTPClientTransport(settings.url, {
        requestInit: { headers: settings.headers },
        fetch: boundedFetch({ mostBytes: answerBytes + frameBytes, withinMs: callMs + graceMs }),
        onInsufficientScope: 'throw',
        reconnectionOptions: {
          ...{ maxRetries: 0, initialReconnectionDelay: 1000 },
          ...{ maxReconnectionDelay: 1000, reconnectionDelayGrowFactor: 1 },
        },
      })
    : new StdioClientTransport({
        ...{ command: settings.command, args: [...settings.args], env: { ...settings.env }, cwd: settings.cwd },
        maxBufferSize: answerBytes + frameBytes,
        stderr: 'ignore',
      })

/** Only what is certain: the connection was refused, or the server rejected the request before it looked at the call. */
export function wasNotSent(error: unknown): boolean {
  if (error instanceof SdkHttpError) return [401, 403, 404, 405, 413, 415, 429].includes(error.status)
  if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) return true
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown }
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return true
  }
  return false
}
