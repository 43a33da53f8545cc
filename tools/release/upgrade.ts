/** An upgrade of running processes as docs/upgrades.md describes it: migrations, the worker, then one API process after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../postgres.ts'
import type { Installed, Running, Settings } from './installation.ts'
import { fail, say } from './shared.ts'

export interface Processes {
  readonly addresses: readonly string[]
  /** Replaces every process by one of this release, workers first. */
  replace(by: Installed): Promise<void>
  stop(): Promise<void>
  kill(): void
}

/** What applies migrations prints their names, one on each line after the first. */
export async function migrate(by: Installed, settings: Settings): Promise<number> {
  const { code, out, err } = await by.command(['migrate'], settings)
  if (code !== 0) fail(`The migrations of ${by.version} failed: ${err}`)
  return out.split('\n').filter((line) => line.startsWith('  ')).length
}

/** Callers look every second; they have noticed that a process is ready, or is not, before the next one ends. */
const noticedMs = 2000

export async function startProcesses(first: Installed, settings: Settings): Promise<Processes> {
  const ports = { worker: await freePort(), api: [await freePort(), await freePort()] }
  let worker = await first.start('worker', ports.worker, settings)
  const apis: Running[] = []
  for (const port of ports.api) apis.push(await first.start('api', port, settings))
  return {
    addresses: apis.map(({ url }) => url),
    async replace(by) {
      await worker.stop()
      worker = await by.start('worker', ports.worker, settings)
      say(`the worker is ${by.version}`)
      for (const [at, port] of ports.api.entries()) {
        await (apis[at] as Running).stop()
        apis[at] = await by.start('api', port, settings)
        say(`API process ${at + 1} is ${by.version}`)
        await sleep(noticedMs)
      }
    },
    stop: async () => void (await Promise.all([worker, ...apis].map((each) => each.stop()))),
    kill: () => {
      for (const each of [worker, ...apis]) each.kill()
    },
  }
}
