/**
 * One event stream per tab, by the cookie of the session. An event names what has changed; everything that was read
 * under that name is read again where it is shown.
 */
import { useEffect } from 'react'
import { queries } from './queries.ts'

type Listener = (type: string, data: unknown) => void

const listeners = new Set<Listener>()
let source: EventSource | null = null

/** First part of the query keys that an event makes stale, by the part of its type before the dot. */
const staleKeys: Readonly<Record<string, readonly string[]>> = {
  decision: ['decisions', 'inbox'],
  approval: ['decisions', 'inbox'],
  agent: ['decisions', 'inbox'],
  dpu: ['decisions', 'chain'],
  chain: ['chain'],
  webhook: ['webhooks', 'deliveries'],
  workflow: ['workflows'],
  booking: ['bookings'],
  member: ['members', 'me'],
}

function receive(type: string, text: string): void {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    return
  }
  for (const key of staleKeys[type.split('.')[0] ?? ''] ?? []) void queries.invalidateQueries({ queryKey: [key] })
  for (const tell of listeners) tell(type, data)
}

/** A server that ends the stream is asked again after this; EventSource reconnects by itself only after a loss. */
const againMs = 5000
let again: ReturnType<typeof setTimeout> | undefined

export function openStream(): () => void {
  const connect = () => {
    source = new EventSource('/api/console/stream')
    source.onmessage = ({ data }) => {
      const { type = '' } = JSON.parse(data as string) as { type?: string }
      receive(type, data as string)
    }
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return
      again = setTimeout(connect, againMs)
    }
  }
  connect()
  return () => {
    clearTimeout(again)
    source?.close()
    source = null
  }
}

/** For a page that shows more than a new reading: progress, or a message that somebody was faster. */
export function useLive(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [listener])
}
