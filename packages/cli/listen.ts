/**
 * `listen --forward-to URL`: hands a center's events to a program on this machine, signed as the server signs them. The events are
 * those of a webhook of its own, which is turned off: the server keeps them, and `listen` reads them in order.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from './client.ts'
import { UsageError } from './command-line.ts'
import { secondsIn } from './decisions.ts'
import { type Given, safe } from './given.ts'
import { type Journal, openJournal, overlapMs } from './journal.ts'
import { journalFile, type Listening, readProfiles, saveProfile } from './profiles.ts'
import { targetIn } from './server-options.ts'
import { table } from './table.ts'
import { deliveryHeaders } from './webhook-signature.ts'

interface ListedEvent {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly body: string | null
}

interface EventPage {
  readonly events: readonly ListedEvent[]
  readonly next: string | null
}

/** A key may make 100 such requests a minute. */
const pause = 1500
/** How often what may have become visible late is looked for. */
const lateEvery = 10_000
const longestPause = 30_000

/** Nobody listens there: the webhook is turned off. */
const nowhere = 'https://listen.invalid/countersign'

async function webhookOf(given: Given): Promise<{ listening: Listening; name: string }> {
  const { say, command, signed, text } = given
  const { name, baseUrl, key } = signed()
  if (name === null) throw new UsageError(say('listenNeedsProfile'), command)
  const events = (text('events') ?? '*').split(',').map((each) => each.trim())
  const before = readProfiles().profiles[name]?.listen
  if (before && (await isThere(given, before.webhookId))) {
    if (text('events') !== undefined && before.events.join() !== events.join()) {
      await given.call('PATCH', `/webhooks/${before.webhookId}`, { events }).catch(() => {
        throw new UsageError(say('listenOtherEvents', { events: before.events.join(', ') }), command)
      })
      saveProfile(name, { baseUrl, key, listen: { ...before, events } })
    }
    return { listening: before, name }
  }
  const made = await given.call<{ id: string; signingSecret: string }>('POST', '/webhooks', {
    url: nowhere,
    events,
    active: false,
    description: `countersign listen (${name})`,
  })
  const listening = { webhookId: made.id, secret: made.signingSecret, events }
  saveProfile(name, { baseUrl, key, listen: listening })
  return { listening, name }
}

async function isThere(given: Given, webhookId: string): Promise<boolean> {
  try {
    await pageOf(given, webhookId, 'limit=1')
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return false
    throw error
  }
}

const pageOf = (given: Given, webhookId: string, query: string): Promise<EventPage> =>
  given.call<EventPage>('GET', `/webhooks/${webhookId}/events?${query}`)

export async function listen(given: Given): Promise<number> {
  const { say, command, text } = given
  const url = targetIn(text('forward-to'))
  if (url === null) throw new UsageError(say('listenNeedsUrl'), command)
  const { listening, name } = await webhookOf(given)
  const { webhookId, secret } = listening
  const journal = openJournal(journalFile(name), webhookId)
  given.note(say('listening', { url: url.href, secret }))
  const seconds = secondsIn(given, 'timeout')
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000
  let after: string | null = null
  let lateAt = 0
  for (;;) {
    const isLate = Date.now() >= lateAt
    if (isLate) {
      after = null
      lateAt = Date.now() + lateEvery
    }
    after = await handOver(given, webhookId, after, journal, (event) => forward(given, url, secret, event))
    if (Date.now() >= until) return 0
    await sleep(Math.min(pause, Math.max(0, until - Date.now())))
  }
}

/** Reads to the end and hands over what is new; returns where to read on. */
async function handOver(
  given: Given,
  webhookId: string,
  from: string | null,
  journal: Journal,
  send: (event: ListedEvent) => Promise<void>,
): Promise<string | null> {
  let after = from
  for (;;) {
    const newest = journal.newest()
    const since = newest === null ? null : new Date(Date.parse(newest) - overlapMs).toISOString()
    const place = after !== null ? `&after=${after}` : since !== null ? `&since=${since}` : ''
    const { events, next } = await pageOf(given, webhookId, `limit=100${place}`)
    for (const event of events) {
      if (journal.has(event.id)) continue
      await send(event)
      journal.add(event)
    }
    after = next ?? after
    if (events.length < 100) return after
  }
}

/** Until the program answers at all: whatever it answers, the event was handed over. */
async function forward(given: Given, url: URL, secret: string, event: ListedEvent): Promise<void> {
  const { say, note } = given
  if (event.body === null) return
  const body = Buffer.from(event.body)
  for (let wait = 500; ; wait = Math.min(longestPause, wait * 2)) {
    try {
      const headers = deliveryHeaders(secret, event.id, body, new Date())
      const signal = AbortSignal.timeout(30_000)
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
      await response.arrayBuffer()
      const { id, type, createdAt } = event
      given.print({ id, type, createdAt, status: response.status }, [
        `${safe(createdAt)}  ${response.status}  ${safe(type)}  ${safe(id)}`,
      ])
      return
    } catch (error) {
      note(say('listenRetry', { why: (error as Error).message, seconds: Math.round(wait / 1000) || 1 }))
      await sleep(wait)
    }
  }
}

interface EventType {
  readonly type: string
  readonly description: string
  readonly example: unknown
}

/** Sends one example to a program here. The server is told nothing, and nothing is recorded. */
export async function trigger(given: Given): Promise<number> {
  const { words, say, command, text, signed } = given
  const types = await given.call<readonly EventType[]>('GET', '/webhooks/event-types')
  const [wanted] = words
  if (wanted === undefined) {
    given.print(types, table(types.map(({ type, description }) => [safe(type), safe(description)])))
    return 0
  }
  const found = types.find(({ type }) => type === wanted)
  if (!found) throw new UsageError(say('noEventType', { type: wanted }), command)
  const url = targetIn(text('forward-to'))
  if (url === null) throw new UsageError(say('listenNeedsUrl'), command)
  const { name } = signed()
  const secret = text('secret') ?? (name === null ? undefined : readProfiles().profiles[name]?.listen?.secret)
  if (secret === undefined) throw new UsageError(say('triggerNeedsSecret'), command)
  const id = `msg_example_${Date.now()}`
  const createdAt = new Date().toISOString()
  const body = JSON.stringify({ id, type: wanted, createdAt, data: found.example, deliveryAttempt: 1 })
  await forward(given, url, secret, { id, type: wanted, createdAt, body })
  return 0
}
