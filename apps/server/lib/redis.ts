import { once } from 'node:events'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'

/**
 * Redis holds only counters and passes on wake-ups (jobs/wake-ups.ts). Waiting for them must not slow a request, so nothing is
 * queued; http/counters.ts has the deadline.
 */
export function openRedis(url: string | null, log: Logger): Redis | null {
  if (!url) return null
  const redis = new Redis(url, {
    connectTimeout: 1000,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2000),
  })
  let away = false
  redis.on('error', (error) => {
    if (!away) log.warn({ err: error }, 'Redis is unavailable: this process counts rate limits on its own')
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info('Redis is available: rate limits are shared again')
    away = false
  })
  return redis
}

/** Until Redis answers, a process counts on its own; a start waits briefly so that the first requests are shared too. */
export async function untilCounting(redis: Redis | null): Promise<void> {
  if (!redis || redis.status === 'ready') return
  await once(redis, 'ready', { signal: AbortSignal.timeout(1000) }).catch(() => {})
}
