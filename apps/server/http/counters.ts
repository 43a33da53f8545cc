/**
 * Counters in fixed windows, in Redis, so that all processes share them exactly. While Redis is unavailable each process
 * counts by itself. A group of requests is added to all its counters in one round trip.
 */
import type { Redis } from 'ioredis'
import { nowMs } from '../lib/clock.ts'

export interface Counter {
  readonly key: string
  readonly windowMs: number
  readonly limit: number
}

export interface Group {
  readonly size: number
  /** Each request adds one to each of them. */
  readonly counters: readonly Counter[]
  /** What the first one, two, ... requests add to the last counter in total, if that is not one each. */
  readonly sums?: readonly number[] | undefined
}

export interface Counted {
  /** The count before the group. */
  readonly before: number
  readonly msLeft: number
}

export interface Counters {
  /** A request that one counter refuses is not added to those after it. */
  add(group: Group): Promise<readonly Counted[]>
  clear(key: string): Promise<void>
}

/** Arguments: size, then window and limit of each counter, then the sums if there are any. `addInMemory` does the same. */
const addInRedis = `
local admitted = tonumber(ARGV[1])
local sums = 1 + 2 * #KEYS
local answer = {}
for i, key in ipairs(KEYS) do
  local summed = i == #KEYS and #ARGV > sums
  local points = admitted
  if summed and admitted > 0 then points = tonumber(ARGV[sums + admitted]) end
  local before = redis.call('INCRBY', key, points) - points
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = tonumber(ARGV[2 * i])
    redis.call('PEXPIRE', key, left)
  end
  if not summed then admitted = math.max(0, math.min(admitted, tonumber(ARGV[2 * i + 1]) - before)) end
  answer[2 * i - 1] = before
  answer[2 * i] = left
end
return answer`

type Counting = Redis & { addToCounters(keys: number, ...args: (string | number)[]): Promise<number[]> }

const timeoutMs = 250

/**
 * Rejects when Redis has not answered in time. An answer that arrived while the event loop was late is read in the turn
 * after the timer, so a busy process does not take its own delay for that of Redis.
 */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => setImmediate(reject, new Error('Redis is silent'))), timeoutMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** After a failure Redis is not used for a moment: when it hangs, only the first request waits for the timeout. */
const restMs = 1000
const sweepAbove = 10_000

export function openCounters(redis: Redis | null): Counters {
  redis?.defineCommand('addToCounters', { lua: addInRedis })
  const own = new Map<string, { count: number; until: number }>()
  let sweepAt = sweepAbove
  let restUntil = 0

  function addInMemory({ size, counters, sums }: Group): Counted[] {
    const at = nowMs()
    if (own.size > sweepAt) {
      for (const [key, { until }] of own) if (until <= at) own.delete(key)
      sweepAt = Math.max(sweepAbove, 2 * own.size)
    }
    let admitted = size
    return counters.map(({ key, windowMs, limit }, index) => {
      const found = own.get(key)
      const current = found && found.until > at ? found : { count: 0, until: at + windowMs }
      own.set(key, current)
      const before = current.count
      const summed = sums !== undefined && index === counters.length - 1
      current.count += summed ? (sums[admitted - 1] ?? 0) : admitted
      if (!summed) admitted = Math.max(0, Math.min(admitted, limit - before))
      return { before, msLeft: current.until - at }
    })
  }

  return {
    async add(group) {
      if (!redis || nowMs() < restUntil) return addInMemory(group)
      const { size, counters, sums = [] } = group
      const args: (string | number)[] = counters.map(({ key }) => key)
      args.push(size)
      for (const { windowMs, limit } of counters) args.push(windowMs, limit)
      try {
        const answer = await inTime((redis as Counting).addToCounters(counters.length, ...args, ...sums))
        return counters.map((_, i) => ({ before: answer[2 * i] as number, msLeft: answer[2 * i + 1] as number }))
      } catch {
        restUntil = nowMs() + restMs
        return addInMemory(group)
      }
    },
    async clear(key) {
      own.delete(key)
      if (redis) await inTime(redis.del(key)).catch(() => {})
    },
  }
}
