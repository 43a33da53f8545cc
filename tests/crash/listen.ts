/**
 * Kills `countersign listen` while events come, starts it again, and lets many come while nothing listens. Every event must arrive,
 * in both programs' words the same; after a kill at most one arrives twice, with the same `webhook-id`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook } from '@countersign/sdk'
import { countersign, main } from '../../packages/cli/test/program.ts'
import { benchLog } from '../bench/chains.ts'
import { makePlace, settings } from '../bench/place.ts'
import { type Consumer, startConsumer } from '../support/consumer.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld } from '../support/world.ts'
import { startKillable } from './killable-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

export interface ListenRun {
  readonly seed: number
  /** While nothing listens, and while something does. */
  readonly events: number
  readonly kills: number
}

/** A server, a key that may publish events and manage webhooks, and a program that receives. */
export interface ListenPlace {
  readonly baseUrl: string
  readonly key: string
  readonly consumer: Consumer
  publish(id: string): Promise<{ readonly status: number; readonly text: string }>
}

export async function listenThroughKills(place: ListenPlace, { seed, events, kills }: ListenRun) {
  const random = seededRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'listen-'))
  const env = { COUNTERSIGN_CONFIG: join(folder, 'profiles.json') }
  const { baseUrl, key, consumer } = place
  const target = ['--forward-to', consumer.url]
  const published: string[] = []
  /** How many deliveries had arrived when it was killed. */
  const killedAt: number[] = []
  const publish = async (count: number) => {
    for (let each = 0; each < count; each += 20) {
      const some = Array.from(
        { length: Math.min(20, count - each) },
        () => `ev-${seed}-${published.length}-${random()}`,
      )
      const answers = await Promise.all(some.map((id) => place.publish(id)))
      for (const { status, text } of answers) if (status >= 300) throw new Error(text)
      published.push(...some)
    }
  }
  const start = () => {
    const child = spawn(process.execPath, [main, 'listen', ...target, '--json'], {
      env: { ...env, PATH: process.env.PATH ?? '', HOME: folder },
      stdio: 'ignore',
    })
    return { kill: () => child.kill('SIGKILL'), ended: once(child, 'exit') }
  }
  try {
    const signed = await countersign(['login', '--base-url', baseUrl, '--key-file', '-'], { env, stdin: key })
    if (signed.code !== 0) throw new Error(signed.err)
    // Registers the webhook; from here on nothing may be lost.
    const made = await countersign(['listen', ...target, '--timeout', '0', '--json'], { env })
    if (made.code !== 0) throw new Error(made.err)
    await publish(events)
    for (let kill = 0; kill < kills; kill++) {
      const listening = start()
      const from = consumer.received.length
      const wanted = from + 1 + Math.floor(random() * Math.max(1, events / (kills + 1)))
      const until = Date.now() + 20_000
      while (consumer.received.length < wanted && Date.now() < until) await sleep(1)
      listening.kill()
      await listening.ended
      killedAt.push(consumer.received.length)
      await publish(Math.ceil(events / 20))
    }
    const last = start()
    const arrived = () => new Set(consumer.received.map(({ headers }) => headers['webhook-id'])).size
    const until = Date.now() + 60_000
    while (arrived() < published.length && Date.now() < until) await sleep(50)
    // What could still come twice.
    await sleep(1500)
    last.kill()
    await last.ended
    const secret = /Signing secret: (\S+)/.exec(made.err)?.[1] ?? ''
    let unsigned = 0
    for (const { headers, body } of consumer.received) {
      await verifyWebhook({ body, headers, secrets: secret }).catch(() => unsigned++)
    }
    const counts = Map.groupBy(consumer.received, ({ headers }) => String(headers['webhook-id']))
    const missing = published.filter((id) => !counts.has(id)).length
    const seen = new Set<unknown>()
    const repeats = consumer.received.flatMap(({ headers }, at) => {
      const id = headers['webhook-id']
      if (!seen.has(id)) return seen.add(id) && []
      return [killedAt.filter((kill) => kill <= at).length]
    })
    const mostAfterOneKill = Math.max(0, ...repeats.map((kill) => repeats.filter((each) => each === kill).length))
    return {
      events: published.length,
      kills,
      missing,
      repeated: repeats.length,
      mostAfterOneKill,
      unsigned,
      unknown: counts.size - published.length + missing,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function chaosListen({ seed, rounds, more }: ChaosOptions): Promise<ChaosResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const consumer = await startConsumer()
  try {
    const center = await world.center()
    const key = await world.key(center, { scopes: ['proof:write', 'events:write'] })
    const server = await startKillable({
      ...settings(place, 'api'),
      ...benchLog.settings,
      PUBLIC_URL: 'http://countersign.test',
      LOG_LEVEL: 'fatal',
      RATE_LIMIT_STANDARD: '1000000/60',
      RATE_LIMIT_PROOF: '1000000/60',
    })
    const data = { paymentId: 'pay-1', amount: 45000 }
    const publish = async (id: string) => {
      const response = await fetch(`${server.url}/api/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ id, type: 'payment.completed', data }),
      })
      return { status: response.status, text: await response.text() }
    }
    const run = { seed, events: more.events ?? 1000, kills: rounds }
    const found = await listenThroughKills({ baseUrl: server.url, key, consumer, publish }, run)
    await server.stop()
    const violations = found.missing + found.unsigned + found.unknown + Math.max(0, found.mostAfterOneKill - 1)
    return { rounds, violations, ...found }
  } finally {
    await consumer.close()
    await world.close()
    await place.close()
  }
}
