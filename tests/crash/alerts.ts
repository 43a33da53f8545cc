/**
 * `npm run chaos -- alerts [--rounds MINUTES]`: an API process and a worker, first idle and then busy, beside a Prometheus with the
 * rules of deploy/observability. A healthy installation is silent: an alert that fires is a violation.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { type Alert, alerts } from '../../deploy/observability/alerts.ts'
import { rules } from '../../deploy/observability/rules.ts'
import { databaseUrl, freePort } from '../../tools/postgres.ts'
import { say } from '../bench/place.ts'
import { short } from '../bench/sized.ts'
import { openClient } from '../support/client.ts'
import { openClusters } from '../support/postgres-cluster.ts'
import { startPrometheus } from '../support/prometheus.ts'
import { openWorld } from '../support/world.ts'
import { openDrill } from './drill-settings.ts'
import { startKillable } from './killable-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { collectServed, keepSealing } from './served.ts'

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** A duration of a rule, so many times shorter, and at least two scrapes long. */
const shortened = (by: number) => (_: string, count: string, unit: string) =>
  `${Math.max(2, Math.round((Number(count) * (unitSeconds[unit] as number)) / by))}s`

/**
 * The same alert with shorter windows. Thresholds stay, so that what fires here is what would fire after the whole window: a value
 * that is never seen below its threshold.
 */
const quickened = (alert: Alert, by: number): Alert => ({
  ...alert,
  for: alert.for === '0m' ? '0s' : alert.for.replace(/^(\d+)([smhd])$/, shortened(by)),
  expr: alert.expr.replaceAll(/(?<=\[)(\d+)([smhd])(?=[:\]])/g, shortened(by)).replaceAll(':30s]', ':1s]'),
})

const callers = 8
/** Between two seals of a caller: busy, and not more than two shared cores carry. */
const pauseMs = 50

interface SilenceOptions {
  /** Of each of the two parts. */
  readonly seconds: number
  /** How many times shorter the windows of the rules are; 1 for the rules as they are. */
  readonly by: number
}

export async function watchSilence({ seconds, by }: SilenceOptions): Promise<ChaosResult> {
  const clusters = openClusters()
  const closing: (() => unknown)[] = [() => clusters.close()]
  try {
    const cluster = await clusters.make('main')
    await cluster.start()
    await cluster.query('create database chaos')
    const url = databaseUrl(cluster.url, 'chaos')
    await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
    const drill = await openDrill()
    closing.push(() => drill.close())
    const ports = [await freePort(), await freePort()]
    const [api] = await Promise.all(
      ['api', 'worker'].map(async (ROLE, at) => {
        const own = drill.settings(url)
        const server = await startKillable({ ...own, POOL_SIZE: '10', ROLE, METRICS_PORT: String(ports[at]) })
        closing.push(() => server.terminate())
        return server
      }),
    )
    const world = await openWorld(url)
    closing.push(() => world.close())
    const fixtures = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const center = await world.center()
        return { center, key: await world.key(center) }
      }),
    )
    const scraped = ports.map((port) => `127.0.0.1:${port}`)
    const prometheus = await startPrometheus(
      scraped,
      rules(
        alerts.map((each) => quickened(each, by)),
        '1s',
      ),
    )
    closing.push(() => prometheus.stop())
    const client = openClient((api as { url: string }).url)
    const served = collectServed()
    // An installation that has done something before it rests.
    const first = keepSealing(() => [client], fixtures, callers, served, pauseMs)
    await sleep(3000)
    await first.stop()

    const fired = new Map<string, string>()
    const watch = async (part: string) => {
      const end = performance.now() + seconds * 1000
      while (performance.now() < end) {
        for (const name of await prometheus.firing()) fired.set(`${name}, ${part}`, part)
        await sleep(500)
      }
      say(`${part}: ${[...fired].filter(([, of]) => of === part).length} alerts in ${seconds} s`)
    }
    await watch('idle')
    const sealing = keepSealing(() => [client], fixtures, callers, served, pauseMs)
    await watch('busy')
    await sealing.stop()
    const scrapes = await prometheus.query('sum(count_over_time(up{job="countersign"}[1d]))')
    for (const name of fired.keys()) say(name)
    return {
      rounds: seconds / 60,
      violations: fired.size,
      fired: [...fired.keys()],
      rules: alerts.length,
      scrapes: scrapes[0]?.value ?? 0,
      sealed: sealing.acknowledged,
      refused: sealing.decided.length - sealing.acknowledged,
    }
  } finally {
    for (const each of closing.toReversed()) await each()
  }
}

export const chaosAlerts = ({ rounds }: Pick<ChaosOptions, 'rounds'>): Promise<ChaosResult> =>
  watchSilence(short ? { seconds: 5, by: 20 } : { seconds: rounds * 60, by: 1 })
