/**
 * Exports a center of 100,000 decisions (`--events`) while its worker is killed again and again. The archive must be
 * complete by the word of the verifier, and every process must need less than 300 MB.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { benchLog, fillChain, fillRecords } from '../bench/chains.ts'
import { makePlace, say, settings } from '../bench/place.ts'
import { openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld } from '../support/world.ts'
import { startKillable } from './killable-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

const mostMegabytes = 300
/** Without a bound the collector lets a heap grow while there is memory, so the peak would not say what is needed. */
const heap = '--max-old-space-size=128 --max-semi-space-size=8'
const root = new URL('../../', import.meta.url).pathname
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The peak of a process that lives; zero for one that has ended. */
function peakOf(pid: number): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0
  }
}

export async function chaosExport({ seed, rounds, more }: ChaosOptions): Promise<ChaosResult> {
  const decisions = more.events ?? 100_000
  const random = seededRandom(seed)
  const place = await makePlace()
  const world = await openWorld(place.url)
  const folder = mkdtempSync(join(tmpdir(), 'countersign-export-'))
  const shared = {
    ...settings(place, 'api'),
    ...benchLog.settings,
    PUBLIC_URL: 'http://countersign.test',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_STANDARD: '1000000/60',
  }
  const peaks = { worker: 0, api: 0, verifier: 0 }
  const seen = (name: keyof typeof peaks, pid: number) => {
    peaks[name] = Math.max(peaks[name], peakOf(pid))
  }
  try {
    const [center, admin] = [await world.center(), await world.person()]
    await world.member(admin, center, 'ADMIN')
    await fillChain(place.url, center.id, benchLog, decisions)
    await fillRecords(place.url, center.id)
    await world.query('vacuum analyze', [], true)
    const api = await startKillable(shared)
    const client = openClient(api.url)
    const { accessToken: token } = await client.signIn(admin, center.domain)
    const address = `/api/centers/${center.id}/export`
    const state = async () => {
      // A server on a busy machine sheds load.
      for (;;) {
        const { status, body } = await client.call('GET', address, { token, impatient: true })
        if (status === 200) return body.data
        if (status !== 503) throw new Error(`${status}: ${JSON.stringify(body)}`)
        await pause(500)
      }
    }
    await client.call('POST', address, { token })
    const began = performance.now()
    let kills = 0
    let resumed = 0
    for (let done = false; !done; ) {
      const before = (await state()).progress.files
      const worker = await startKillable({ ...shared, ROLE: 'worker', NODE_OPTIONS: heap })
      const until = performance.now() + 7000 + random() * 6000
      while (performance.now() < until || kills === rounds) {
        await pause(250)
        seen('worker', worker.pid)
        done = (await state()).status !== 'running'
        if (done) break
      }
      await worker.stop()
      const after = (await state()).progress.files
      if (after > before && before > 0) resumed++
      if (!done) kills++
      say(`${after} files after ${kills} kills`)
    }
    const end = await state()
    const seconds = Math.round((performance.now() - began) / 1000)
    const tar = join(folder, 'center.tar')
    const download = await fetch(`${api.url}${address}.tar`, { headers: { authorization: `Bearer ${token}` } })
    await pipeline(Readable.fromWeb(download.body as never), createWriteStream(tar))
    seen('api', api.pid)
    const { body } = await client.call('GET', '/.well-known/countersign-log.json')
    const policy = join(folder, 'policy')
    writeFileSync(policy, body.policy)
    const verified = await verify([tar, '--trust', policy, '--json'], (pid) => seen('verifier', pid))
    await api.stop()
    const faults = [
      ...(end.status === 'completed' ? [] : [`the export is ${end.status}: ${end.reason}`]),
      ...(verified.code === 0 ? [] : [`the verifier ends with ${verified.code}: ${verified.out.slice(0, 500)}`]),
      ...(verified.entries === decisions ? [] : [`${verified.entries} of ${decisions} decisions are in the files`]),
      ...Object.entries(peaks).flatMap(([name, mb]) => (mb < mostMegabytes ? [] : [`${name} needs ${mb} MB`])),
    ]
    for (const fault of faults) say(fault)
    const { files, bytes, lines } = end.progress
    const took = { seconds, verifySeconds: verified.seconds }
    return { rounds: kills, violations: faults.length, decisions, resumed, files, lines, bytes, peaks, ...took }
  } finally {
    await world.close()
    await place.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function verify(args: readonly string[], watch: (pid: number) => void) {
  const began = performance.now()
  const child = spawn(process.execPath, [...heap.split(' '), 'packages/cli/main.ts', 'verify-export', ...args], {
    cwd: root,
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.resume()
  const timer = setInterval(() => watch(child.pid as number), 50)
  const [code] = (await once(child, 'close')) as [number]
  clearInterval(timer)
  const logs = (code === 0 ? JSON.parse(out).logs : []) as { domain: string; entries: number }[]
  const entries = logs.find(({ domain }) => domain === 'proof')?.entries ?? 0
  return { code, out, entries, seconds: Math.round((performance.now() - began) / 1000) }
}
