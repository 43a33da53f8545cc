/**
 * Rate limits: which counters a request is added to, and what its position in them means. Requests of one caller that
 * arrive while a count is in progress are added together. The count before the group gives each request its own
 * position, so the limit stays exact, with one round trip per group.
 */
import { hash, hkdfSync } from 'node:crypto'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config/config.ts'
import type { Rate } from '../config/setting-kinds.ts'
import { nowMs } from '../lib/clock.ts'
import { type Counted, type Counter, openCounters } from './counters.ts'

export interface RateVerdict {
  readonly allowed: boolean
  readonly tier: Tier
  readonly limit: number
  readonly remaining: number
  /** Unix seconds. */
  readonly resetAt: number
  readonly retryAfter: number
}

export type Tier =
  | keyof Config['rates']
  | keyof Config['perCenter']['rates']
  | 'accountStandard'
  | 'accountProof'
  | 'address'
  | 'tokens'

/** One request in one counter. */
export interface Count {
  readonly tier: Tier
  readonly key: string
  /** The caller's own limit instead of the tier's. */
  readonly limit?: number | undefined
  /** 1 unless stated; only of the last counter. */
  readonly points?: number
}

export interface RateLimits {
  consume(tier: Tier, key: string): Promise<RateVerdict>
  /** Counts in several counters, in one round trip. The verdict is that of the limit that is reached first. */
  consumeAll(counts: readonly Count[]): Promise<RateVerdict>
  clear(tier: Tier, key: string): Promise<void>
  /** Undoes one count: a call counts before its result is known, so that concurrent calls cannot exceed the limit. */
  refund(tier: Tier, key: string): Promise<void>
  /** The headers of an uncounted response. */
  untouched(tier: Tier): RateVerdict
}

/** Failures per address over all accounts, against one password tried on many; and over all tokens in bodies. */
const addressFactor = 20
const wider = ({ limit, seconds }: Rate): Rate => ({ limit: limit * addressFactor, seconds })

interface Waiter {
  readonly counts: readonly Count[]
  readonly done: (verdict: RateVerdict) => void
}

type LimitsConfig = Pick<Config, 'rates' | 'redisPrefix' | 'secretKeys'> & {
  readonly perCenter: Pick<Config['perCenter'], 'rates'>
}

export function rateLimits(
  { rates, perCenter, redisPrefix, secretKeys }: LimitsConfig,
  redis: Redis | null,
): RateLimits {
  const tiers: Record<Tier, Rate> = {
    ...rates,
    ...perCenter.rates,
    accountStandard: perCenter.rates.centerStandard,
    accountProof: perCenter.rates.centerProof,
    address: wider(rates.login),
    tokens: wider(rates.public),
  }
  const counters = openCounters(redis)
  const waiting = new Map<string, Waiter[]>()
  // Keyed, so that whoever reads Redis cannot find addresses and accounts by guessing. The oldest key, which all processes have
  // during a rotation.
  const salt = Buffer.from(hkdfSync('sha256', secretKeys.at(-1) as Buffer, '', 'countersign counters', 32)).toString(
    'hex',
  )
  const keys = new LRUCache<string, string>({ max: 10_000 })
  function keyOf({ tier, key }: Count): string {
    const text = `${tier} ${key}`
    const known = keys.get(text)
    if (known !== undefined) return known
    const made = `${redisPrefix}:${tier}:${hash('sha256', `${salt} ${text}`, 'base64url').slice(0, 22)}`
    keys.set(text, made)
    return made
  }

  async function count(group: readonly Waiter[]): Promise<void> {
    const { counts } = group[0] as Waiter
    const added = counts.map((each): Counter => {
      const { limit, seconds } = tiers[each.tier]
      return { key: keyOf(each), windowMs: seconds * 1000, limit: each.limit ?? limit }
    })
    const sums = counts.at(-1)?.points === undefined ? undefined : runningSums(group)
    const counted = await counters.add({ size: group.length, counters: added, sums })
    for (const [index, { done }] of group.entries()) {
      let chosen = 0
      let left = Number.POSITIVE_INFINITY
      let place = 0
      for (const [at, { limit }] of added.entries()) {
        const summed = sums !== undefined && at === added.length - 1
        const own = (counted[at] as Counted).before + (summed ? (sums[index] as number) : index + 1)
        const rest = limit - own
        // The first that refuses, because later counters did not count the request; or else the fewest requests left.
        // Headers show numbers of requests; a number of bytes is shown only by the refusal.
        if (rest >= 0 && (summed || rest >= left)) continue
        ;[chosen, left, place] = [at, rest, own]
        if (rest < 0) break
      }
      const { limit } = added[chosen] as Counter
      done(verdict((counts[chosen] as Count).tier, limit, place, (counted[chosen] as Counted).msLeft))
    }
  }

  async function drain(id: string): Promise<void> {
    for (;;) {
      const group = waiting.get(id) as Waiter[]
      if (group.length === 0) break
      waiting.set(id, [])
      await count(group)
    }
    waiting.delete(id)
  }

  const consumeAll = (counts: readonly Count[]): Promise<RateVerdict> =>
    new Promise((done) => {
      let id = ''
      for (const { tier, key } of counts) id += `${tier} ${key}\n`
      const group = waiting.get(id)
      if (group) group.push({ counts, done })
      else {
        waiting.set(id, [{ counts, done }])
        // Runs after this turn of the event loop: requests that were read in the same turn are counted together.
        setImmediate(() => void drain(id))
      }
    })

  return {
    consumeAll,
    consume: (tier, key) => consumeAll([{ tier, key }]),
    clear: (tier, key) => counters.clear(keyOf({ tier, key })),
    async refund(tier, key) {
      const { limit, seconds } = tiers[tier]
      const own = { key: keyOf({ tier, key }), windowMs: seconds * 1000, limit }
      await counters.add({ size: 1, counters: [own], sums: [-1] })
    },
    untouched: (tier) => verdict(tier, tiers[tier].limit, 0, tiers[tier].seconds * 1000),
  }
}

function verdict(tier: Tier, limit: number, place: number, msLeft: number): RateVerdict {
  const seconds = Math.max(1, Math.ceil(msLeft / 1000))
  return {
    allowed: place <= limit,
    tier,
    limit,
    remaining: Math.max(0, limit - place),
    resetAt: Math.floor(nowMs() / 1000) + seconds,
    retryAfter: seconds,
  }
}

function runningSums(group: readonly Waiter[]): number[] {
  let sum = 0
  return group.map(({ counts }) => {
    sum += counts.at(-1)?.points as number
    return sum
  })
}
