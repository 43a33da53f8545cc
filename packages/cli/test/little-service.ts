/** A fake server over a generated chain that can be set to fail or to cheat. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toBase64 } from '@countersign/proof/base64.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { type Domain, domains, entryContent, entryHash } from '@countersign/proof/chain.ts'
import { checkpointText } from '@countersign/proof/checkpoint.ts'
import { dpuStatic } from '@countersign/proof/dpu-entry.ts'
import {
  consistencyProof,
  emptyFrontier,
  grow,
  inclusionProof,
  leafHash,
  type NodeAt,
  nodeHash,
  rootOf,
} from '@countersign/proof/tree.ts'
import { type HostKey, hostKey } from '../../../tests/support/little-log.ts'

export interface Line {
  readonly hash: string
  readonly line: string
  /** What the entry commits to; absent: as a server that shows no values. */
  readonly values?: Readonly<Record<string, Json>>
  readonly salts?: Readonly<Record<string, string>>
}

/** Any domain works: the tests need only log, index and id of a content. */
export function makeChain(log: string, domain: Domain, length: number, story = 'the truth'): Line[] {
  const lines: Line[] = []
  let previousHash: string | null = null
  for (let index = 0; index < length; index++) {
    const id = `${domain}_${index}`
    const salt = () => '03'.repeat(16)
    const prepared = dpuStatic({ id, referenceType: 'note', vertical: 'shop', values: { content: story } }, salt)
    const sealedAt = new Date(Date.UTC(2026, 0, 1) + index).toISOString()
    const content = entryContent(prepared, { log, index, sealedAt }).replace('"domain":"dpu"', `"domain":"${domain}"`)
    const hash = entryHash(content, previousHash, sealedAt)
    const head = JSON.stringify({ index, id, hash, previousHash, sealedAt }).slice(0, -1)
    lines.push({ hash, line: `${head},"content":${content}}\n` })
    previousHash = hash
  }
  return lines
}

export interface LittleService {
  readonly url: string
  /** The stored chain; a test may replace it between two audits. */
  chains: Record<Domain, Line[]>
  key: HostKey
  /** Additional signature lines for every checkpoint. */
  cosign: (text: string) => string
  /** Instead of the newest size. */
  signedSize: number | null
  /** Runs before the default handler and may answer instead of it. */
  interfere: (path: string, response: ServerResponse) => boolean
  published: object[]
  readonly asked: string[]
  close(): Promise<void>
}

export const host = 'log.example'
export const logOf = (domain: Domain): string => `${host}/c/42/${domain}`

export async function littleService(lengths: Partial<Record<Domain, number>>): Promise<LittleService> {
  const key = hostKey(host)
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: LittleService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chains: Object.fromEntries(
      domains.map((domain) => [domain, makeChain(logOf(domain), domain, lengths[domain] ?? 0)]),
    ) as Record<Domain, Line[]>,
    key,
    cosign: () => '',
    signedSize: null,
    interfere: () => false,
    published: [{ vkey: key.vkey, from: '1970-01-01T00:00:00.000Z', until: null, endorsement: null }],
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  server.on('request', (request, response) => {
    const path = request.url ?? ''
    service.asked.push(path)
    if (service.interfere(path, response)) return
    if (request.headers.authorization !== 'Bearer test-key' && !path.startsWith('/.well-known')) {
      response.writeHead(401).end(JSON.stringify({ error: { code: 'UNAUTHORIZED', message: 'No such key.' } }))
    } else answer(service, path, response)
  })
  return service
}

function answer(service: LittleService, path: string, response: ServerResponse): ServerResponse {
  const url = new URL(path, service.url)
  const [, domain = '', kind, index] = /^\/api\/v1\/chains\/(\w+)\/(\w+)(?:\/(\d+))?$/.exec(url.pathname) ?? []
  const json = (value: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  if (url.pathname === '/.well-known/countersign-log.json') return json({ logHost: host, keys: service.published })
  const log = logOf(domain as Domain)
  const lines = service.chains[domain as Domain]
  const leaves = lines.map(({ hash }) => leafHash(hash))
  const nodeAt: NodeAt = (height, at) =>
    height === 0 ? (leaves[at] as Uint8Array) : nodeHash(nodeAt(height - 1, 2 * at), nodeAt(height - 1, 2 * at + 1))
  const size = Number(url.searchParams.get('size') ?? service.signedSize ?? lines.length)
  const root = rootOf(grow(emptyFrontier, leaves.slice(0, size)).frontier)
  const text = checkpointText(log, size, root)
  const checkpoint = size === 0 ? null : service.key.note(log, text) + service.cosign(text)
  if (kind === 'checkpoint') return json({ data: { log, size, root: toBase64(root), checkpoint } })
  if (kind === 'generations') return json({ data: { log, generations: [] } })
  if (kind === 'proofs') {
    return json({ data: { inclusionProof: inclusionProof(Number(index), size, nodeAt).map(toBase64), checkpoint } })
  }
  const from = Number(url.searchParams.get('from') ?? 0)
  if (kind === 'consistency') {
    const to = Number(url.searchParams.get('to'))
    return json({ data: { consistencyProof: consistencyProof(from, to, nodeAt).map(toBase64) } })
  }
  response.setHeader('content-type', 'application/x-ndjson')
  const isValued = url.searchParams.get('values') === 'true'
  for (const { line, values, salts } of lines.slice(from)) {
    const more = isValued && values ? `,${JSON.stringify({ values, salts }).slice(1)}\n` : null
    response.write(more === null ? line : `${line.slice(0, -2)}${more}`)
  }
  return response.end()
}
