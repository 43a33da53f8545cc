/** Every sample of the API reference is run: it sends a request that the server accepts for its operation. */
import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { replyExample } from '@countersign/contract/examples.ts'
import { fullPath, type Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { Countersign, CountersignPlatform } from '@countersign/sdk'
import { bodyAjv, compileText } from '@countersign/server/http/validation.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, curlOf, typescriptOf } from '../../apps/docs/reference/samples.ts'
import { operationFor } from '../support/contract-check.ts'

interface Seen {
  readonly id: string | undefined
  readonly faults: readonly string[]
  readonly credential: string | undefined
  readonly body: unknown
  readonly path: string
}

let server: Server
let url: string
let seen: Seen[] = []

/** What the server's own validators say about the request. */
function faultsOf({ spec }: Operation, address: URL, body: unknown): string[] {
  const names = [...fullPath(spec).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pattern = new RegExp(
    `^${fullPath(spec)
      .replaceAll('.', '\\.')
      .replaceAll(/\{\w+\}/g, '([^/]+)')}$`,
  )
  const values = pattern.exec(address.pathname)?.slice(1).map(decodeURIComponent) ?? []
  const params = Object.fromEntries(names.map((name, index) => [name, values[index]]))
  const faults: string[] = []
  for (const [compile, schema, value] of [
    [compileText, spec.params, params],
    [compileText, spec.query, Object.fromEntries(address.searchParams)],
    [(given: object) => bodyAjv.compile(given), spec.body, body],
  ] as const) {
    const check = schema && compile(schema)
    if (check && !check(value)) faults.push(bodyAjv.errorsText(check.errors ?? []))
  }
  return faults
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const address = new URL(request.url ?? '/', url)
    const operation = operationFor(request.method ?? '', address.pathname)
    const body = text === '' ? undefined : JSON.parse(text)
    seen.push({
      id: operation?.id,
      faults: operation ? faultsOf(operation, address, body) : ['no such operation'],
      ...{ credential: request.headers.authorization, body, path: address.pathname + address.search },
    })
    const [status = 500] = Object.keys(operation?.bodies ?? {}).map(Number)
    const type = operation?.spec.contentType ?? 'application/json'
    response.writeHead(status, { 'content-type': type })
    const example = operation && replyExample(operation, status)
    response.end(
      example === null || example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const shell = promisify(execFile)
const key = 'csk_live_0123456789'
const credentialOf = ({ spec }: Operation) =>
  spec.access.kind === 'public' ? undefined : `Bearer ${spec.access.kind === 'key' ? key : 'token'}`

const groups = Object.entries(Object.groupBy(operations, ({ spec }) => spec.tag))

describe.each(groups)('%s', (_, list = []) => {
  it('by curl', async () => {
    const env = { ...process.env, COUNTERSIGN_URL: url, COUNTERSIGN_API_KEY: key, TOKEN: 'token' }
    for (const operation of list) {
      seen = []
      await shell('sh', ['-c', `${curlOf(operation).replace('curl ', 'curl -s --max-time 5 ')} || true`], { env })
      expect(seen, operation.id).toMatchObject([{ id: operation.id, faults: [] }])
      expect(seen[0]?.credential, operation.id).toBe(credentialOf(operation))
    }
  }, 60_000)

  it('by the SDK, the same request', async () => {
    const token = { accessToken: 'token', refreshToken: 'refresh', expiresAt: '2100-01-01T00:00:00.000Z' }
    for (const operation of list) {
      seen = []
      // Some of the operations end the session.
      const clients = {
        countersign: new Countersign({ baseUrl: url, apiKey: key }),
        platform: new CountersignPlatform({ baseUrl: url, session: token as never }),
      }
      const source = typescriptOf(operation)
      const run = new Function('countersign', 'platform', 'console', `return (async () => { ${source} })()`)
      // The answer is an example or nothing: what the client makes of it is its own tests' matter.
      await run(clients.countersign, clients.platform, { log: () => {} }).catch(() => {})
      const [asked] = seen
      expect(asked, `${operation.id}: ${source}`).toMatchObject({ id: operation.id, faults: [] })
      expect(source).toContain(`${clientOf(operation)}.`)
    }
  }, 60_000)
})
