/** Runs every program and command of the guides for developers, page by page, in one shell each. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCodes } from '@countersign/contract/errors.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inShell, plainEnvironment } from '../journeys/shell.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { blocksOf, read, root } from './blocks.ts'

let server: TestServer
let fixture: ProofFixture
let folder: string

beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  for (let count = 0; count < 5; count++) await fixture.record()
  // Inside the repository, where Node resolves the library.
  await mkdir(join(root, '.dev'), { recursive: true })
  folder = await mkdtemp(join(root, '.dev/docs-guides-'))
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

/** What each shell block of the page printed. Blocks with a label belong to journeys of their own. */
async function outputs(guide: string): Promise<string[]> {
  const here = (text: string) => text.replaceAll('http://localhost:3000', server.url)
  const blocks = blocksOf(read(`docs/guides/${guide}.md`))
  for (const { language, label, text } of blocks)
    if (language === 'ts') await writeFile(join(folder, label), here(text))
  for (const { language, text } of blocks) if (language === 'json') JSON.parse(text)
  const commands = blocks.flatMap(({ language, label, text }) =>
    language === 'sh' && label === '' ? [here(text)] : [],
  )
  const { key, token, center, admin } = fixture
  const env = plainEnvironment({ KEY: key, TOKEN: token, CENTER: center.domain, ACTOR: admin.actorId })
  const separator = '----8<----'
  const said = await inShell({ folder, env }, commands.join(`\necho; echo '${separator}'\n`), 60_000)
  return said.split(separator).map((each) => each.trim())
}

it('pagination', async () => {
  const [first = '', second = '', audit = '', seen] = await outputs('pagination')
  expect(JSON.parse(first)).toMatchObject({ total: 5, limit: 2, hasMore: true, nextCursor: expect.any(String) })
  expect(JSON.parse(second).data).toHaveLength(2)
  expect(JSON.parse(audit)).toMatchObject({ success: true, pagination: { page: 1, limit: 5 } })
  expect(seen).toBe('5 of 5')
})

it('errors', async () => {
  const [proof = '', platform = '', caught] = await outputs('errors')
  expect(JSON.parse(proof)).toMatchObject({ error: { code: 'VALIDATION_ERROR', requestId: expect.any(String) } })
  expect(JSON.parse(platform)).toMatchObject({ success: false, error: { code: 'CENTER_NOT_FOUND' } })
  expect(caught).toBe(`NOT_FOUND ${server.url}/docs/reference/errors#NOT_FOUND`)
  const named = read('docs/guides/errors.md').matchAll(/`([A-Z]+_[A-Z_]+)`/g)
  for (const [, code = ''] of named) expect(Object.keys(errorCodes)).toContain(code)
})

it('retries', async () => {
  expect(await outputs('retries')).toEqual(['201 plan-102-2026-11-17'])
  expect(await outputs('retries')).toEqual(['200 plan-102-2026-11-17'])
})

it('idempotency', async () => {
  const [replayed = '', decisions] = await outputs('idempotency')
  expect(replayed).toMatch(/^idempotency-replayed: true$/i)
  expect(decisions).toBe('201\n200')
})

it('passkeys', async () => {
  const [created = '', checked = '', waiting = ''] = await outputs('passkeys')
  expect(JSON.parse(created)).toMatchObject({ success: true, data: { approval: { identity: 'passkey' } } })
  expect(JSON.parse(checked).success).toBe(true)
  expect(checked).toContain('"passkey"')
  expect(JSON.parse(waiting)).toMatchObject({ success: true, data: [] })
})

it('policies', async () => {
  const [template = '', group = ''] = await outputs('policies')
  expect(JSON.parse(template)).toMatchObject({ success: true, data: { type: 'refund', version: 1 } })
  expect(JSON.parse(group)).toMatchObject({ success: true, data: { name: 'Finance' } })
})

it('going-live', async () => {
  const [key = '', checked = ''] = await outputs('going-live')
  expect(JSON.parse(key).data.scopes).toContain('proof:write')
  expect(JSON.parse(checked).data?.outcome, checked).toMatch(/^(completed|approval_required)$/)
})

it('testing', async () => {
  const [, said = ''] = await outputs('testing')
  const approvers = [...said.matchAll(/"approver":\{"id":"([^"]+)"/g)].map(([, id]) => id)
  // Two different test people; the second approval seals.
  expect([approvers.length, new Set(approvers).size]).toEqual([2, 2])
  expect(said.match(/"sealedAt":"/g)).toHaveLength(1)
})
