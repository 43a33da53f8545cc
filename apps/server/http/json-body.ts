/**
 * The parser for request bodies. It refuses a value that cannot be stored exactly and never changes one silently; the rules
 * are in packages/proof/parse.ts, because a verifier must read a proof by the same rules.
 */
import { isUtf8 } from 'node:buffer'
import { NotRepresentable } from '@countersign/proof/canonical.ts'
import { NotJson, parseExactly } from '@countersign/proof/parse.ts'
import { turns } from '../concurrency/turns.ts'
import { clientClosed, Problem, refusedField } from '../lib/problem.ts'

const limits = { maxDepth: 32, maxValues: 20_000 }

/** Parsing and validating a larger body takes milliseconds, in which no other request is served. */
const largeBytes = 64 * 1024
/** How much longer than a body took its tenant pauses: each leaves megabytes to collect and to write beside the others' work. */
const pause = 3
/** Bytes of large bodies that are processed at a time, for one tenant and in all. */
const processed = { perKey: 1024 * 1024, total: 16 * 1024 * 1024 }

type Parsed = (error: Error | null, body?: unknown) => void

export interface Processing {
  /** Calls back when the request is answered or aborted. */
  readonly onClose: (ended: () => void) => void
  /** Whether other tenants have sent requests just now. */
  readonly isShared: () => boolean
  /** Whether the client has closed the connection. */
  readonly isGone: () => boolean
}

/**
 * Large bodies are parsed one in each turn of the event loop, and tenants take turns; smaller ones are parsed at once.
 * While other tenants are active, a tenant processes large bodies a quarter of the time: after each it pauses.
 */
export function bodyParser(): (
  tenant: string,
  bytes: Buffer,
  processing: () => Processing,
  done: Parsed,
  read?: (bytes: Buffer) => unknown,
) => void {
  const inTurn = turns({ total: 1 })
  const inProcess = turns(processed)
  function parse(bytes: Buffer, done: Parsed, read: (bytes: Buffer) => unknown): void {
    let body: unknown = {}
    try {
      if (bytes.length > 0) body = read(bytes)
    } catch (error) {
      done(error as Error)
      return
    }
    done(null, body)
  }
  async function parseLarge(
    tenant: string,
    bytes: Buffer,
    processing: () => Processing,
    done: Parsed,
    read: (bytes: Buffer) => unknown,
  ): Promise<void> {
    const release = await inProcess.take(tenant, bytes.length)
    const { onClose, isShared, isGone } = processing()
    const next = await inTurn.take(tenant)
    // Before the work, which may throw: the next body is parsed in the turn after this one.
    setImmediate(next)
    // A client that gave up leaves whole bodies in the buffers of its connections: nobody waits for what they would cost.
    if (isGone()) {
      release()
      done(clientClosed())
      return
    }
    const began = performance.now()
    onClose(() => {
      if (isShared()) setTimeout(release, pause * (performance.now() - began))
      else release()
    })
    parse(bytes, (...parsed) => setImmediate(done, ...parsed), read)
  }
  return (tenant, bytes, processing, done, read = readJson) => {
    if (bytes.length <= largeBytes) parse(bytes, done, read)
    else void parseLarge(tenant, bytes, processing, done, read)
  }
}

export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Problem('BAD_REQUEST', "The body isn't valid UTF-8. Encode it as UTF-8.")
  try {
    return parseExactly(bytes.toString(), limits)
  } catch (error) {
    if (error instanceof NotJson) throw new Problem('BAD_REQUEST', "The body isn't valid JSON. Check its syntax.")
    if (!(error instanceof NotRepresentable)) throw error
    const path = error.path.replaceAll('/', '.').slice(1, 201)
    throw refusedField(path, error.message, error.message)
  }
}
