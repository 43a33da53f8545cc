/**
 * What a gateway adds to a tool call that no policy holds: 64 agents at once call a tool that is decided, one that the
 * configuration lets pass, and the same server directly, in alternating windows. Then its memory after 10,000 decided calls.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rawCall, upstreamFile } from '../../packages/gateway/test/fixture.ts'
import { freePort } from '../../tools/postgres.ts'
import { openClient } from '../support/client.ts'
import { openWorld } from '../support/world.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, type Running, say, settings, startProcess } from './place.ts'
import { sized } from './sized.ts'

const agentCount = sized(64, 2)
const memoryCalls = sized(10_000, 20)

const tokenOf = (n: number): string => `agent-${n}-`.padEnd(40, 'x')
const percentile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN
const tenth = (value: number): number => Math.round(value * 10) / 10

/** Calls by all agents at once until the time is over or the number is reached; the milliseconds of each call. */
async function load(call: (agent: number) => Promise<string>, isOver: (done: number) => boolean): Promise<number[]> {
  const times: number[] = []
  const one = async (agent: number) => {
    while (!isOver(times.length)) {
      const begun = performance.now()
      const answer = await call(agent)
      if (!answer.includes('noted')) throw new Error(`a call failed: ${answer.slice(0, 500)}`)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: agentCount }, (_, agent) => one(agent)))
  return times
}

export async function benchGateway({ seconds, windows }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const folder = mkdtempSync(join(tmpdir(), 'countersign-gateway-bench-'))
  const open: Running[] = []
  const start = async (...given: Parameters<typeof startProcess>) => {
    open.push(await startProcess(...given))
    return open.at(-1) as Running
  }
  try {
    const server = await start('../../apps/server/main.ts', {
      ...settings(place, 'api'),
      MAX_IN_FLIGHT_PER_CENTER: '2000',
    })
    const upstream = await start(upstreamFile, { LEDGER: '/dev/null' })
    const center = await world.center()
    const { body } = await openClient(server.url).call('GET', '/.well-known/countersign-log.json')
    writeFileSync(join(folder, 'countersign.trust'), body.policy)
    const env: Record<string, string> = {}
    const agents: Record<string, object> = {}
    for (let n = 0; n < agentCount; n++) {
      env[`KEY_${n}`] = await world.key(center, { scopes: ['decide'], boundTo: { id: `agent-${n}`, type: 'ai_agent' } })
      env[`TOKEN_${n}`] = tokenOf(n)
      agents[`agent-${n}`] = { key: { env: `KEY_${n}` }, token: { env: `TOKEN_${n}` } }
    }
    const port = await freePort()
    const config = {
      countersign: { url: server.url, trust: { trustFile: 'countersign.trust', center: center.id } },
      ...{ state: 'state', agents, listen: { port }, tools: [{ tool: 'notes_hold', handling: 'pass' }] },
      upstreams: { notes: { url: `${upstream.url}/mcp`, protocol: '2026-07-28' } },
    }
    const file = join(folder, 'gateway.json')
    writeFileSync(file, JSON.stringify(config))
    const gateway = await start('../../packages/gateway/main.ts', { ...env, COUNTERSIGN_GATEWAY_CONFIG: file })
    const url = `http://127.0.0.1:${port}`
    const note = (name: string) => ({ name, arguments: { text: 'x' } })
    const through = (agent: number) => rawCall(url, tokenOf(agent), note('notes_note'))
    const passing = (agent: number) => rawCall(url, tokenOf(agent), note('notes_hold'))
    const directly = () => rawCall(upstream.url, 'none', note('note'))
    const within = (ms: number) => {
      const end = performance.now() + ms
      return () => performance.now() > end
    }
    await load(through, within(1000))
    const [ours, passed, theirs]: [number[], number[], number[]] = [[], [], []]
    for (let window = 1; window <= windows; window++) {
      ours.push(...(await load(through, within(seconds * 1000))))
      passed.push(...(await load(passing, within(seconds * 1000))))
      theirs.push(...(await load(directly, within(seconds * 1000))))
      const [a, b, c] = [ours, passed, theirs].map((times) => tenth(median(times)))
      say(`window ${window}: ${a} ms decided, ${b} ms passed, ${c} ms directly`)
    }
    const before = gateway.residentMegabytes()
    await load(through, (done) => done >= memoryCalls)
    const [value, bare] = [median(ours), median(theirs)]
    return {
      ...{ value: tenth(value), unit: 'ms', bare: tenth(bare), ratio: tenth(value / bare) },
      ...{ p99: tenth(percentile(ours, 0.99)), bareP99: tenth(percentile(theirs, 0.99)), agents: agentCount },
      ...{ calls: ours.length, bareCalls: theirs.length },
      passed: { value: tenth(median(passed)), p99: tenth(percentile(passed, 0.99)), calls: passed.length },
      memory: { calls: memoryCalls, beforeMegabytes: before, afterMegabytes: gateway.residentMegabytes() },
    }
  } finally {
    for (const each of open.toReversed()) await each.stop()
    await world.close()
    await place.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
