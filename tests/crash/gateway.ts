/**
 * Held calls through a gateway while the gateway, Countersign and the server behind the gateway are killed. Agents make each call
 * once; people approve most of them. At the end: no call ran twice, none ran without an approval, and each approved one has an
 * outcome that fits what ran.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  agents,
  openPlace,
  type Place,
  rawCall,
  startGateway,
  until,
  upstreamFile,
} from '../../packages/gateway/test/fixture.ts'
import { freePort } from '../../tools/postgres.ts'
import { makePlace, say, startProcess } from '../bench/place.ts'
import { openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import type { TestServer } from '../support/server.ts'
import { openWorld } from '../support/world.ts'
import { startKillable } from './killable-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { environmentFor } from './seal.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const unlimited = '1000000/60'
const atOnce = 10

/** A process of this repository that is killed and started again under the same address. */
interface Mortal {
  kill(): Promise<void>
  start(): Promise<void>
}

async function startUpstream(place: Place, port: number): Promise<Mortal> {
  const start = async () => {
    const env = { PATH: process.env.PATH, LEDGER: join(place.folder, 'ledger'), PORT: String(port) }
    const child = spawn(process.execPath, [upstreamFile], { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const reap = () => void child.kill('SIGKILL')
    process.once('exit', reap)
    child.once('exit', () => process.off('exit', reap))
    await once(child, 'message')
    return child
  }
  let child = await start()
  return {
    async kill() {
      child.kill('SIGKILL')
      if (child.signalCode === null) await once(child, 'exit')
    },
    async start() {
      child = await start()
    },
  }
}

async function startCountersign(environment: Readonly<Record<string, string>>): Promise<Mortal> {
  let server = await startKillable(environment)
  return {
    kill: () => server.stop(),
    async start() {
      server = await startKillable(environment)
    },
  }
}

/** Every call that was decided, compared with what ran. */
async function faultsOf(
  place: Place,
): Promise<{ faults: string[]; outcomes: Record<string, number>; decisions: number }> {
  const faults: string[] = []
  const outcomes: Record<string, number> = {}
  const runs = new Map<string, number>()
  for (const { text } of place.ran()) runs.set(String(text), (runs.get(String(text)) ?? 0) + 1)
  const decided = new Set<string>()
  let decisions = 0
  for await (const { id } of place.client.decisions.list({ limit: 100 })) {
    const { action, status, execution } = await place.client.decisions.get(id)
    if (action.type !== 'notes.hold') continue
    decisions++
    const text = String(action.input?.text)
    const ran = runs.get(text) ?? 0
    const outcome = status === 'sealed' ? (execution?.outcome?.status ?? 'none') : status
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (decided.has(text)) faults.push(`${text} was decided twice`)
    decided.add(text)
    if (ran > 1) faults.push(`${text} ran ${ran} times`)
    if (status !== 'sealed' && ran > 0) faults.push(`${text} ran, and is ${status}`)
    if (outcome === 'none') faults.push(`${text} was approved and has no outcome`)
    if (outcome === 'succeeded' && ran !== 1) faults.push(`${text} succeeded, and ran ${ran} times`)
    if (outcome === 'failed' && ran !== 0) faults.push(`${text} failed, and ran`)
  }
  for (const text of runs.keys()) if (!decided.has(text)) faults.push(`${text} ran without a decision`)
  return { faults, outcomes, decisions }
}

export async function chaosGateway({ seed, rounds, more }: ChaosOptions): Promise<ChaosResult> {
  const random = seededRandom(seed)
  const calls = Math.max(rounds, 10)
  const kills = more.crashes ?? Math.ceil(calls / 10)
  const ground = await makePlace()
  const world = await openWorld(ground.url)
  const environment = { ...environmentFor(ground.url), RATE_LIMIT_STANDARD: unlimited, RATE_LIMIT_LOGIN: unlimited }
  const steady = await startProcess('../../apps/server/main.ts', environment)
  const place = await openPlace({ ...openClient(steady.url), world } as TestServer)
  const [port, upstreamPort] = [await freePort(), await freePort()]
  const countersign = await startCountersign({ ...environment, PORT: String(port) })
  const upstream = await startUpstream(place, upstreamPort)
  const changes = {
    countersign: {
      url: `http://127.0.0.1:${port}`,
      trust: { trustFile: 'countersign.trust', center: place.fixture.center.id },
    },
    upstreams: { notes: { url: `http://127.0.0.1:${upstreamPort}/mcp`, protocol: '2026-07-28' } },
    limits: { waitSeconds: 1, callSeconds: 10, callsPerAgent: 10_000 },
  }
  let gateway = await startGateway(place, changes)
  const gate: Mortal = {
    kill: () => gateway.kill(),
    async start() {
      gateway = await startGateway(place, changes)
    },
  }
  let [isOver, isCalled] = [false, false]
  let approved = 0

  /** Reaches the gateway once: what it may have read is not sent again. */
  async function call(text: string): Promise<void> {
    // Some answers are late, so that a kill finds calls that ran and were not answered.
    const params = { name: 'notes_hold', arguments: { text, ms: 1 + Math.floor(random() * 600) } }
    for (;;) {
      try {
        await rawCall(gateway.url, agents.clerk, params)
        return
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string }
        if (code !== 'ECONNREFUSED') return
        await pause(100)
      }
    }
  }
  async function people(): Promise<void> {
    while (!isOver) {
      const { data } = await place.client.decisions.list({ waiting: true, limit: 50 })
      for (const { id, action } of data) {
        if (action.type !== 'notes.hold') continue
        const result = random() < 0.9 ? 'approved' : 'rejected'
        const { status } = await place.fixture.approveAsMember(id, { result })
        if (status === 200 && result === 'approved') approved++
      }
      await pause(100)
    }
  }
  const idle = async () => {
    const text = await (await fetch(`${gateway.metricsUrl}/metrics`)).text().catch(() => '')
    const count = (phase: string) => new RegExp(`journal_calls\\{phase="${phase}"\\} (\\d+)`).exec(text)?.[1]
    return ['open', 'forwarded', 'answered'].every((phase) => count(phase) === '0')
  }

  /** Each kill comes after its share of the runs, in the middle of the work, however slow the machine is. */
  async function killer(): Promise<number> {
    const mortals = [gate, countersign, upstream]
    const isDone = async () => isCalled && (await idle().catch(() => false))
    const untilRan = (runs: number) => until(async () => place.ran().length >= runs || (await isDone()), 900_000)
    let killed = 0
    for (; killed < kills && !isOver; killed++) {
      await untilRan(((killed + 1) * calls * 0.7) / (kills + 1))
      // Every other time while a call that ran has no answer yet.
      if (killed % 2 === 0) await untilRan(place.ran().length + 1)
      else await pause(random() * 800)
      const mortal = mortals[killed % 3] as Mortal
      await mortal.kill()
      await pause(random() * 500)
      await mortal.start()
    }
    return killed
  }
  async function agent(first: number): Promise<void> {
    for (let n = first; n < calls; n += atOnce) await call(`c-${n}`)
  }
  try {
    const approving = people()
    const killing = killer()
    await Promise.all(Array.from({ length: atOnce }, (_, first) => agent(first)))
    isCalled = true
    const killed = await killing
    say(`${calls} calls, ${killed} kills, ${approved} approved so far`)
    await until(() => idle().catch(() => false), 300_000)
    isOver = true
    await approving
    const { faults, outcomes, decisions } = await faultsOf(place)
    if (decisions === 0 || approved === 0) faults.push('nothing was held')
    for (const fault of faults.slice(0, 20)) say(fault)
    return {
      rounds: calls,
      violations: faults.length,
      kills: killed,
      decisions,
      approved,
      runs: place.ran().length,
      outcomes,
    }
  } finally {
    isOver = true
    await gateway.kill()
    await countersign.kill()
    await upstream.kill()
    await steady.stop()
    await world.close()
    await ground.close()
    rmSync(place.folder, { recursive: true, force: true })
  }
}
