/**
 * One event stream for all tabs of a browser, by the cookie of the session: the tab that holds the lock has it and passes
 * events on. An event names what changed; everything that was read under that name is read again where it is shown.
 */
import { useEffect } from 'react'
import { queries } from './queries.ts'
import { renewSession, sessionState } from './session.ts'

/** `id` is null where more than one may have changed. */
export interface Change {
  readonly kind: string
  readonly id: string | null
}

type Told = { readonly center: string } & ({ readonly all: true } | { readonly change: Change })

/** First parts of the query keys that a change makes stale. */
const staleKeys: Readonly<Record<string, readonly string[]>> = {
  decision: ['decisions', 'inbox'],
  dpu: ['dpus', 'decisions'],
  execution: ['executions', 'workflows'],
  chain: ['chain', 'notices'],
  policy: ['policies', 'action-types'],
  freeze: ['freezes', 'inbox', 'decisions'],
  webhook: ['webhooks', 'deliveries', 'notices'],
  member: ['members', 'me', 'notices'],
  api_key: ['api-keys'],
  booking: ['bookings', 'family'],
  center: ['center', 'me', 'notices'],
}

const channel = new BroadcastChannel('countersign-changes')

/** What is to be read again, and the things that changed; null for all of them. */
const owed = new Map<string, Set<string | null>>()
let pause: ReturnType<typeof setTimeout> | undefined
/** The first change is shown at once, those that follow together: a busy center would else use up the requests of a minute. */
const pauseMs = 4000

const typedId = /^[a-z]{3}_([0-9a-z]{26})$/
/** A decision, its record and its evidence have the same id after their prefix. */
const bare = (id: string | null | undefined): string | undefined => typedId.exec(id ?? '')?.[1]

/** What was read about another thing stays; lists, and whatever names no thing, are read again. */
function isStale(key: readonly unknown[], ids: ReadonlySet<string | null>): boolean {
  const about = bare(typeof key[1] === 'string' ? key[1] : null)
  return about === undefined || [...ids].some((id) => bare(id) === undefined || bare(id) === about)
}

function readAgain(): void {
  pause = undefined
  if (owed.size === 0) return
  for (const [key, ids] of owed) {
    void queries.invalidateQueries({ queryKey: [key], predicate: ({ queryKey }) => isStale(queryKey, ids) })
  }
  owed.clear()
  pause = setTimeout(readAgain, pauseMs)
}

function apply(told: Told): void {
  if (told.center !== sessionState().session?.center?.domain) return
  if ('all' in told) {
    void queries.invalidateQueries()
    return
  }
  const { change } = told
  for (const key of staleKeys[change.kind] ?? []) {
    const ids = owed.get(key) ?? new Set()
    // A stop changes what can be done with decisions that it does not name.
    owed.set(key, ids.add(change.kind === 'freeze' ? null : change.id))
  }
  if (pause === undefined) readAgain()
}

channel.onmessage = ({ data }: MessageEvent<Told>) => apply(data)

/** After a refusal or the end of a stream; the browser itself connects again only after a loss. */
const againMs = 3000

/** Holds the stream of this center until `signal` aborts. */
function follow(center: string, signal: AbortSignal): void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = (told: Told) => {
    channel.postMessage(told)
    apply(told)
  }
  const again = () => {
    source.close()
    clearTimeout(timer)
    timer = setTimeout(async () => {
      // The cookie that opens the stream expires with the access token.
      const renewed = await renewSession(sessionState().session?.accessToken ?? null).catch(() => true)
      if (renewed && !signal.aborted) connect()
    }, againMs)
  }
  function connect(): void {
    source = new EventSource('/api/console/stream')
    source.addEventListener('ready', () => tell({ center, all: true }))
    source.addEventListener('reload', () => tell({ center, all: true }))
    source.addEventListener('change', ({ data }) => tell({ center, change: JSON.parse(data) as Change }))
    source.addEventListener('end', ({ data }) => {
      if ((JSON.parse(data) as { reason: string }).reason === 'REPLACED') source.close()
      else again()
    })
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) again()
    }
  }
  connect()
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    source.close()
  })
}

/** While a center is open in this tab. Without locks (insecure contexts) every tab would replace the stream of another. */
export function useStream(center: string): void {
  useEffect(() => {
    if (!navigator.locks || center === '') return
    const stop = new AbortController()
    const held = () =>
      new Promise<void>((resolve) => {
        follow(center, stop.signal)
        stop.signal.addEventListener('abort', () => resolve())
      })
    navigator.locks.request(`countersign-stream-${center}`, { signal: stop.signal }, held).catch(() => {})
    return () => stop.abort()
  }, [center])
}
