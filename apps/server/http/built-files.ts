/** The one way to serve files that a build has made and compressed beside themselves. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long browsers and caches keep a file. */
export const kept = {
  /** Its name changes with its content. */
  forever: 'public, max-age=31536000, immutable',
  /** It changes with the version of the server; the tag of an unchanged one costs no body. */
  minutes: 'public, max-age=300',
  /** Requested from the server each time. */
  unchanged: 'no-cache',
} as const

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

export const isServed = (name: string): boolean => Object.hasOwn(types, extname(name))

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Whether the header `Accept-Encoding` names it, and not with a weight of zero. */
export const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === encoding && !parameters.some((each) => /^q=0(\.0*)?$/.test(each))
  })

async function smallest(file: URL, accepted: string) {
  for (const [encoding, ending] of encodings) {
    if (!accepts(accepted, encoding)) continue
    const content = await readFile(new URL(file.href + ending)).catch(() => null)
    if (content) return { content, encoding }
  }
  const content = await readFile(file).catch(() => null)
  return content && { content, encoding: null }
}

const tagOf = (content: Buffer): string => `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

export interface BuiltFile {
  /** The caller decides which names exist; this module checks none. */
  readonly file: URL
  readonly keep: keyof typeof kept
  /** Its content security policy; by default that of every answer, which lets a document load nothing. */
  readonly policy?: string | undefined
}

/**
 * Sends the smallest form that the browser takes, read each time: a build while the server runs is served at once. Null where there is
 * no such file.
 */
export async function sendBuilt(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { file, keep, policy }: BuiltFile,
): Promise<FastifyReply | null> {
  const found = await smallest(file, headers['accept-encoding'] ?? '')
  if (!found) return null
  const { content, encoding } = found
  reply.header('cache-control', kept[keep]).header('vary', 'accept-encoding')
  if (policy !== undefined) reply.header('content-security-policy', policy)
  if (keep !== 'forever') {
    const tag = tagOf(content)
    reply.header('etag', tag)
    if (headers['if-none-match'] === tag) return reply.code(304).send()
  }
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(types[extname(file.pathname)] as string).send(content)
}
