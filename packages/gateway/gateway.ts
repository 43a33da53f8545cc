/** The gateway: servers behind it, what agents see of them, and the calls that it holds. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Catalog, openCatalog } from './catalog.ts'
import type { Agent, Config } from './config.ts'
import { frontServer } from './front.ts'
import { type Holding, openHolding } from './holding.ts'
import { openJournal } from './journal.ts'
import { openMetrics, type Snapshot } from './metrics.ts'
import { changeAsker } from './pin-changes.ts'
import { openPins } from './pins.ts'
import { openUpstream, type Upstream } from './upstream.ts'

export interface Gateway {
  readonly catalog: Catalog
  readonly upstreams: readonly Upstream[]
  readonly holding: Holding
  /** A server for one connection, or one request, of this agent. */
  front(agent: Agent): ReturnType<typeof frontServer>
  snapshot(): Snapshot
  metricsText(): string
  /** Lets calls that were forwarded end, and leaves the others to the next process. */
  close(): Promise<void>
}

export interface GatewayOptions {
  readonly say: (line: string) => void
}

const forgetMs = 60_000
/** Programs that are installed when they are first started take a while. */
const startMs = 30_000

export async function openGateway(config: Config, { say }: GatewayOptions): Promise<Gateway> {
  // First of all: a second process on the same folder must not start anything.
  const journal = openJournal(config.state)
  const pins = openPins(config.state)
  const metrics = openMetrics(config.upstreams.map(({ name }) => name))
  const stopping = new AbortController()
  const { limits } = config
  const onDefect = (error: unknown) => say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  const asker = changeAsker(config, pins, say)
  const upstreams: readonly Upstream[] = config.upstreams.map((settings) =>
    openUpstream(settings, {
      ...{ limits, say },
      onLists(lists) {
        for (const change of catalog.update(settings.name, lists)) asker.ask(change)
      },
    }),
  )
  const catalog = openCatalog(config, upstreams, pins)
  const upstreamOf = (name: string) => upstreams.find((each) => each.name === name) ?? null
  const holding = openHolding({ config, journal, upstreamOf, toolOf: catalog.standing, metrics, say })
  // An agent that lists tools at once sees those of every server that starts in time.
  await Promise.race([Promise.all(upstreams.map((each) => each.tried)), sleep(startMs, undefined, { ref: false })])
  const resumed = await holding.resume()
  if (resumed > 0) say(`${resumed} calls of an earlier process go on`)
  const timers = [
    setInterval(() => journal.forget(Date.now() - limits.keepMs), forgetMs),
    setInterval(() => upstreams.forEach((each) => void each.refresh()), limits.refreshMs),
  ]
  const snapshot = (): Snapshot => ({
    calls: journal.counts(),
    upstreams: upstreams.map((each) => ({ name: each.name, isReady: each.problem() === null })),
    changes: catalog.changes().length,
  })
  return {
    ...{ catalog, upstreams, holding, snapshot },
    front: (agent) => frontServer({ agent, catalog, holding, limits, metrics, onDefect, stopping: stopping.signal }),
    metricsText: () => metrics.text(snapshot()),
    async close() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      asker.close()
      await holding.close()
      await Promise.all(upstreams.map((each) => each.close()))
      journal.close()
    },
  }
}
