import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accepts, type BuiltFile, sendBuilt } from '../built-files.ts'

let folder: string
let http: FastifyInstance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'built-'))
  for (const [name, content] of Object.entries({
    'a.js': 'plain',
    'a.js.br': 'as br',
    'a.js.gz': 'as gzip',
    'b.css': 'plain',
    'b.css.gz': 'as gzip',
  }))
    await writeFile(join(folder, name), content)
  http = Fastify()
  http.get<{ Params: { name: string; keep: BuiltFile['keep'] } }>('/:keep/:name', async (request, reply) => {
    const { name, keep } = request.params
    const file = new URL(name, pathToFileURL(`${folder}/`))
    const sent = await sendBuilt(request, reply, {
      file,
      keep,
      ...(name === 'a.js' && { policy: "default-src 'self'" }),
    })
    return sent ?? reply.code(404).send()
  })
})
afterAll(async () => {
  await http.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => http.inject({ url, headers })

describe('the form of a file', () => {
  it.each([
    ['', 'a.js', undefined, 'plain'],
    ['br', 'a.js', 'br', 'as br'],
    ['gzip, deflate, br', 'a.js', 'br', 'as br'],
    ['GZIP', 'a.js', 'gzip', 'as gzip'],
    ['br;q=0, gzip;q=0.5', 'a.js', 'gzip', 'as gzip'],
    ['br;q=0.0, gzip; q=0', 'a.js', undefined, 'plain'],
    ['x-br, brotli', 'a.js', undefined, 'plain'],
    ['br', 'b.css', undefined, 'plain'],
    ['br, gzip', 'b.css', 'gzip', 'as gzip'],
  ])('for Accept-Encoding %j', async (header, name, encoding, body) => {
    const answer = await get(`/forever/${name}`, { 'accept-encoding': header })
    expect([answer.headers['content-encoding'], answer.body]).toEqual([encoding, body])
    expect(answer.headers.vary).toBe('accept-encoding')
    expect(answer.headers['content-type']).toBe(`text/${name === 'a.js' ? 'javascript' : 'css'}; charset=utf-8`)
  })

  it('is one that the header names, with any weight but zero', () => {
    expect(['br', ' br ;q=0.001', 'a,br'].map((header) => accepts(header, 'br'))).toEqual([true, true, true])
    expect(['', 'abr', 'br;q=0', 'br; Q=0.000'].map((header) => accepts(header, 'br'))).toEqual(Array(4).fill(false))
  })
})

describe('a file', () => {
  it('whose name changes with its content is kept for ever, without a tag', async () => {
    const { headers } = await get('/forever/a.js')
    expect([headers['cache-control'], headers.etag]).toEqual(['public, max-age=31536000, immutable', undefined])
    expect(headers['content-security-policy']).toBe("default-src 'self'")
  })

  it.each([
    ['minutes', 'public, max-age=300'],
    ['unchanged', 'no-cache'],
  ])('of another kind has a tag of its content, which costs no body again: %s', async (keep, cache) => {
    const first = await get(`/${keep}/a.js`)
    expect(first.headers['cache-control']).toBe(cache)
    const again = await get(`/${keep}/a.js`, { 'if-none-match': first.headers.etag as string })
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([304, '', cache])
    const other = await get(`/${keep}/a.js`, {
      'if-none-match': first.headers.etag as string,
      'accept-encoding': 'br',
    })
    expect([other.statusCode, other.body]).toEqual([200, 'as br'])
  })

  it('that is not there is left to the caller', async () => {
    expect((await get('/forever/c.js')).statusCode).toBe(404)
  })
})
