/**
 * Rate limits, counted in Redis so that all processes share them exactly. Requests of one caller that arrive while a
 * count is in progress are added together: INCRBY returns the position of the group, so each request knows its own
 * position and the limit stays exact, with one round trip per group. While Redis is unavailable each process counts
 * by itself, and requests are served.
 */
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import { nowMs } from '../lib/clock.ts'
import type { Rate } from '../settings.ts'

export interface RateVerdict {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Unix seconds. */
  readonly resetAt: number
  readonly retryAfter: number
}

export type Tier = keyof Config['rates'] | 'address' | 'tokens'

export interface RateLimits {
  consume(tier: Tier, key: string, limit?: number): Promise<RateVerdict>
  clear(tier: Tier, key: string): Promise<void>
  /** Undoes one count: a call counts before its result is known, so that concurrent calls cannot exceed the limit. */
  refund(tier: Tier, key: string): Promise<void>
  /** The headers of an uncounted response. */
  untouched(tier: Tier): RateVerdict
}

/** Failures per address over all accounts, against one password tried on many; and over all tokens in bodies. */
const addressFactor = 20
const wider = ({ limit, seconds }: Rate): Rate => ({ limit: limit * addressFactor, seconds })

export function rateLimits(config: Config, redis: Redis | null): RateLimits {
  const { rates } = config
  const tiers: Record<Tier, Rate> = { ...rates, address: wider(rates.login), tokens: wider(rates.public) }
  const counters = new Map(
    Object.entries(tiers).map(([tier, rate]) => [tier, counter(`${config.redisPrefix}:${tier}`, rate, redis)]),
  )
  return {
    async consume(tier, key, limit = tiers[tier].limit) {
      const { place, msLeft } = await (counters.get(tier) as Counter).add(key)
      return verdict(limit, place, msLeft)
    },
    clear: (tier, key) => (counters.get(tier) as Counter).clear(key),
    refund: (tier, key) => (counters.get(tier) as Counter).refund(key),
    untouched: (tier) => verdict(tiers[tier].limit, 0, tiers[tier].seconds * 1000),
  }
}

function verdict(limit: number, place: number, msLeft: number): RateVerdict {
  const seconds = Math.max(1, Math.ceil(msLeft / 1000))
  return {
    allowed: place <= limit,
    limit,
    remaining: Math.max(0, limit - place),
    resetAt: Math.floor(nowMs() / 1000) + seconds,
    retryAfter: seconds,
  }
}

interface Counter {
  add(key: string): Promise<{ place: number; msLeft: number }>
  clear(key: string): Promise<void>
  refund(key: string): Promise<void>
}

type Waiter = (result: { place: number; msLeft: number }) => void

/** After a failure Redis is not used for a moment: when it hangs, only the first request waits for the timeout. */
const restMs = 1000

function counter(keyPrefix: string, rate: Rate, redis: Redis | null): Counter {
  // The verdict is computed here from the count, because a caller may have its own limit. The library never refuses.
  const options = { keyPrefix, points: Number.MAX_SAFE_INTEGER, duration: rate.seconds }
  const memory = new RateLimiterMemory(options)
  const shared = redis && new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true })
  const waiting = new Map<string, Waiter[]>()
  let restUntil = 0

  async function add(key: string, points: number): Promise<RateLimiterRes> {
    if (!shared || nowMs() < restUntil) return memory.consume(key, points)
    try {
      return await shared.consume(key, points)
    } catch {
      restUntil = nowMs() + restMs
      return memory.consume(key, points)
    }
  }

  async function count(key: string, group: Waiter[]): Promise<void> {
    const { consumedPoints, msBeforeNext: msLeft } = await add(key, group.length)
    const first = consumedPoints - group.length + 1
    for (const [index, done] of group.entries()) done({ place: first + index, msLeft })
  }

  async function drain(key: string): Promise<void> {
    for (;;) {
      const group = waiting.get(key) as Waiter[]
      if (group.length === 0) break
      waiting.set(key, [])
      await count(key, group)
    }
    waiting.delete(key)
  }

  return {
    add: (key) =>
      new Promise((resolve) => {
        const group = waiting.get(key)
        if (group) group.push(resolve)
        else {
          waiting.set(key, [resolve])
          // Runs after this turn of the event loop: requests that were read in the same turn are counted together.
          setImmediate(() => void drain(key))
        }
      }),
    clear: async (key) => {
      await Promise.all([shared?.delete(key).catch(() => {}), memory.delete(key)])
    },
    refund: async (key) => {
      const counted = shared && nowMs() >= restUntil ? shared : memory
      await counted.reward(key, 1).catch(() => {})
    },
  }
}
