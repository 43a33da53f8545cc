/** Every operation of the contract has a method that calls it, on a real server. */
import type { Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parsedBody } from '../../../tests/support/client.ts'
import { assertKeepsContract, operationFor } from '../../../tests/support/contract-check.ts'
import { openProofFixture, type ProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { Countersign } from '../countersign.ts'
import { CountersignPlatform } from '../platform.ts'
import { platformTable, proofTable } from '../table.generated.ts'

let server: TestServer
let fixture: ProofFixture
const called: string[] = []

beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
})
afterAll(() => server.close())

/** Sends the request, notes which operation it is, and checks the answer against the contract. */
const watchingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const { pathname } = new URL(String(input))
  const method = init?.method ?? 'GET'
  const copy = response.clone()
  const text = await copy.text()
  const { status, headers } = copy
  called.push(operationFor(method, pathname)?.id ?? `nothing: ${method} ${pathname}`)
  assertKeepsContract(method, pathname, {
    ...{ status, headers, text },
    body: parsedBody(headers.get('content-type') ?? '', text),
  })
  return response
}

type Methods = Record<string, Record<string, (...values: unknown[]) => PromiseLike<unknown> & AsyncIterable<unknown>>>

const ofSurface = (surface: string) =>
  operations.filter(({ spec }) => [surface, 'root'].includes(spec.surface)).map(({ name }) => name)
const namesIn = (table: object) =>
  Object.entries(table).flatMap(([resource, rows]) => Object.keys(rows).map((verb) => `${resource}.${verb}`))
const methodName = (name: string) => name.replace('decisionEvents.', 'decisions.')

/** Valid by its schema: the server gets as far as the handler, or refuses the caller. */
function argumentsOf({ spec }: Operation): unknown[] {
  const params = (spec.params as { properties?: object } | undefined)?.properties ?? {}
  const values = Object.keys(params).map((name) => (name === 'domain' && spec.surface === 'proof' ? 'proof' : '1'))
  const [example] = (spec.body as { examples?: unknown[] } | undefined)?.examples ?? [{}]
  return spec.body ? [...values, example] : values
}

async function call(client: object, operation: Operation): Promise<void> {
  const [resource = '', verb = ''] = methodName(operation.name).split('.')
  const result = (client as Methods)[resource]?.[verb]?.(...argumentsOf(operation))
  try {
    if (operation.spec.contentType === 'application/x-ndjson') for await (const _ of result ?? []) break
    else await result
  } catch (error) {
    // A refusal is an answer of this operation too.
    expect(error, operation.id).toHaveProperty('status')
  }
}

describe.each([
  ['Countersign', 'proof', proofTable],
  ['CountersignPlatform', 'platform', platformTable],
] as const)('%s', (_, surface, table) => {
  it('has a method for each operation, and no other', () => {
    expect(namesIn(table).toSorted()).toEqual(ofSurface(surface).map(methodName).toSorted())
  })

  it('calls the operation by each of them', async () => {
    for (const operation of operations.filter(({ spec }) => [surface, 'root'].includes(spec.surface))) {
      called.length = 0
      const shared = { baseUrl: server.url, fetch: watchingFetch }
      // A session of its own: some of the operations end it.
      const person = operation.id === 'auth.changePassword' ? await server.world.person() : fixture.admin
      if (person !== fixture.admin) await server.world.member(person, fixture.center, 'ADMIN')
      const session = await server.signIn(person, fixture.center.domain)
      const client =
        surface === 'proof'
          ? new Countersign({ ...shared, apiKey: fixture.key })
          : new CountersignPlatform({ ...shared, session })
      await call(client, operation)
      expect(called).toEqual([operation.id])
    }
  })
})

describe('lists', () => {
  it('give one page when awaited, and all items when iterated', async () => {
    const own = await openProofFixture(server)
    const ids: string[] = []
    for (let at = 0; at < 5; at++) ids.unshift((await own.record()).id)
    const client = new Countersign({ baseUrl: server.url, apiKey: own.key })
    const page = await client.decisions.list({ limit: 2 })
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(page.pagination).toMatchObject({ total: 5, hasMore: true })
    expect((await page.next())?.data.map(({ id }) => id)).toEqual(ids.slice(2, 4))
    const seen: string[] = []
    for await (const { id } of client.decisions.list({ limit: 2, waiting: false })) {
      seen.push(id)
      // New decisions do not move the cursor.
      if (seen.length === 1) await own.record()
    }
    expect(seen).toEqual(ids)
    const last = await client.decisions.list({ limit: 100 })
    expect([last.data.length, last.next()]).toEqual([6, null])
  })

  it('by numbered pages are iterated to their end', async () => {
    const partner = await server.world.partner()
    const account = await server.world.person()
    await server.world.account(account, partner)
    const domains: string[] = []
    for (let at = 0; at < 3; at++) domains.push((await server.world.center({ partner })).domain)
    const platform = new CountersignPlatform({ baseUrl: server.url })
    await platform.auth.login({ email: account.email, password: account.password })
    const found: string[] = []
    for await (const center of platform.partner.listCenters({ limit: 2 })) found.push(center.centerDomain)
    expect(found.toSorted()).toEqual(domains.toSorted())
  })

  it('of chain entries are streamed', async () => {
    const own = await openProofFixture(server)
    for (let at = 0; at < 3; at++) await own.approve((await own.record()).id)
    const client = new Countersign({ baseUrl: server.url, apiKey: own.key })
    const indexes: number[] = []
    for await (const { index } of client.chains.listEntries('proof', { from: 1 })) indexes.push(index)
    expect(indexes).toEqual([1, 2])
  })
})
