/**
 * The open event streams of this process: bounded, checked against the directory several times a second, and told what
 * changed. A stream ends as soon as its session, its membership or its center does.
 */
import type { Logger } from 'pino'
import { loop } from '../../../concurrency/loop.ts'
import type { DirectoryChanges } from '../../../data/directory-changes.ts'
import { nowMs } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { type Change, changeOfTag } from './kinds.ts'
import type { Reader } from './readers.ts'
import type { Watcher } from './watcher.ts'

/** With the 800 ms for which an answer of the directory counts, a revocation ends a stream within a second. */
const checkMs = 150
const heartbeatMs = 15_000
export const mostStreams = 1000
/** Of its people, and as many of its keys: programs that wait leave the console its streams. */
export const mostOfCenter = 200

/** Where a stream writes; false when its client does not read. */
export interface Outlet {
  send(event: string, data: object): boolean
  beat(): boolean
  close(): void
}

export interface Streams {
  /** Throws when there are too many. */
  open(reader: Reader, outlet: Outlet): () => void
  readonly size: number
  stop(): Promise<void>
}

interface StreamNeeds {
  readonly changes: DirectoryChanges
  readonly watcher: Watcher
  readonly log: Logger
}

interface Stream {
  reader: Reader
  readonly outlet: Outlet
  readonly unfollow: () => void
  beatAt: number
}

export function openStreams({ changes, watcher, log }: StreamNeeds): Streams {
  const streams = new Set<Stream>()
  let coveredSince = changes.coverage.since

  function end(stream: Stream, reason: string): void {
    if (!streams.delete(stream)) return
    stream.unfollow()
    stream.outlet.send('end', { reason })
    stream.outlet.close()
  }

  function forget(stream: Stream): void {
    if (streams.delete(stream)) stream.unfollow()
  }

  function write(stream: Stream, event: string, data: object): void {
    if (!stream.outlet.send(event, data)) drop(stream)
  }

  /** A client that does not read loses its stream, and reloads after it has connected again. */
  function drop(stream: Stream): void {
    forget(stream)
    stream.outlet.close()
  }

  function tell(stream: Stream, told: readonly Change[]): void {
    for (const change of told) if (stream.reader.isTold(change)) write(stream, 'change', change)
  }

  async function check(stream: Stream): Promise<void> {
    try {
      stream.reader = await stream.reader.again()
    } catch (error) {
      end(stream, error instanceof Problem ? error.code : 'SERVICE_UNAVAILABLE')
    }
  }

  /** Notifications that were sent while the connection was lost are gone. */
  function noteCoverage(): void {
    const { since } = changes.coverage
    if (since === coveredSince) return
    const lost = Number.isFinite(coveredSince)
    coveredSince = since
    if (lost || Number.isFinite(since)) for (const stream of streams) write(stream, 'reload', {})
  }

  async function turn(): Promise<void> {
    await Promise.all([...streams].map(check))
    noteCoverage()
    const at = nowMs()
    for (const stream of streams) {
      if (Math.abs(at - stream.beatAt) < heartbeatMs) continue
      stream.beatAt = at
      if (!stream.outlet.beat()) drop(stream)
    }
  }

  const checking = loop({ everyMs: checkMs, turn, log, failure: 'event streams could not be checked' })
  changes.subscribe((tag) => {
    if (streams.size === 0) return
    const change = changeOfTag(tag)
    for (const stream of change ? streams : []) {
      if (stream.reader.centerId === change?.centerId) tell(stream, [{ kind: change.kind, id: null }])
    }
    checking.wake()
  })

  function requireSpace({ kind, centerId, owner, mostOfOwner }: Reader): void {
    if (streams.size >= mostStreams) throw tooMany('This server', mostStreams, 'SERVICE_UNAVAILABLE')
    const alike = [...streams].filter(({ reader }) => reader.kind === kind)
    if (alike.filter(({ reader }) => reader.centerId === centerId).length >= mostOfCenter) {
      throw tooMany('A center', mostOfCenter)
    }
    if (alike.filter(({ reader }) => reader.owner === owner).length >= mostOfOwner) {
      throw tooMany(kind === 'person' ? 'A person' : 'An API key', mostOfOwner)
    }
  }

  return {
    get size() {
      return streams.size
    },
    open(reader, outlet) {
      const { cell, centerId, replaces } = reader
      for (const other of streams) if (replaces !== null && other.reader.replaces === replaces) end(other, 'REPLACED')
      requireSpace(reader)
      const unfollow = watcher.follow(cell, centerId, {
        following: () => write(stream, 'ready', {}),
        changed: (told) => tell(stream, told),
        missed: () => write(stream, 'reload', {}),
      })
      const stream: Stream = { reader, outlet, unfollow, beatAt: nowMs() }
      streams.add(stream)
      checking.start()
      return () => forget(stream)
    },
    async stop() {
      await checking.stop()
      for (const stream of streams) end(stream, 'RESTART')
      await watcher.stop()
    },
  }
}

const tooMany = (whose: string, most: number, code: 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' = 'RATE_LIMITED') =>
  new Problem(code, `${whose} can have at most ${most} event streams open at a time. Close one, or try again later.`, {
    retryAfter: 30,
  })
