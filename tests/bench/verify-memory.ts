/**
 * The memory that verification needs beyond the idle process, with a heap of 256 MB: 2,000 records of 1 MB in both
 * modes, and a chain of a million entries. Fails above the limit, and when the process does not survive.
 */
import { openClient } from '../support/client.ts'
import { openWorld } from '../support/world.ts'
import { benchLog, fillChain } from './chains.ts'
import { sealLargeRecords } from './large-records.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, say, settings, startProcess } from './place.ts'
import { sized } from './sized.ts'
import type { Verification, Verified } from './verify.process.ts'

const nodeFlags = ['--max-old-space-size=256']
const mostMegabytes = 150
const mostRecords = sized(2000, 8)

export async function benchVerifyMemory({ rows }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const env = { ...settings(place, 'api'), ...benchLog.settings, RATE_LIMIT_BYTES_PER_CENTER: '999999999/1' }
  const records = Math.min(rows, mostRecords)

  /** In a process of its own, because the operating system reports the peak of a process. */
  async function grown(what: string, centerId: number, mode: Verification['mode'], entries: number) {
    const server = await startProcess('./verify.process.ts', env, nodeFlags)
    try {
      const verified = await server.ask<Verified>({ centerId, mode })
      if (!verified.valid || verified.entries !== entries) throw new Error(JSON.stringify(verified))
      const megabytes = verified.peakMegabytes - verified.idleMegabytes
      say(`${what}: ${megabytes} MB more than ${verified.idleMegabytes} MB, in ${(verified.ms / 1000).toFixed(1)} s`)
      return { megabytes, idle: verified.idleMegabytes, seconds: Number((verified.ms / 1000).toFixed(2)) }
    } finally {
      await server.stop()
    }
  }

  try {
    const [large, long] = [await world.center(), await world.center()]
    const api = await startProcess('../../apps/server/main.ts', env)
    try {
      await sealLargeRecords(openClient(api.url), await world.key(large), records)
    } finally {
      await api.stop()
    }
    await fillChain(place.url, long.id, benchLog, rows)
    await world.query('vacuum analyze')
    const largeRecords = await grown(`records of ${records} x 1 MB`, large.id, 'records', records)
    const largeChain = await grown(`chain of ${records} x 1 MB`, large.id, 'chain', records)
    const longChain = await grown(`chain of ${rows} entries`, long.id, 'chain', rows)
    const worst = Math.max(largeRecords.megabytes, largeChain.megabytes, longChain.megabytes)
    if (worst > mostMegabytes) throw new Error(`verification needs ${worst} MB, more than ${mostMegabytes}`)
    return {
      value: worst,
      unit: 'MB more than the idle process',
      bare: largeRecords.idle,
      ratio: Number(((largeRecords.idle + worst) / largeRecords.idle).toFixed(2)),
      ...{ records, entries: rows, largeRecords, largeChain, longChain, nodeFlags },
    }
  } finally {
    await world.close()
    await place.close()
  }
}
