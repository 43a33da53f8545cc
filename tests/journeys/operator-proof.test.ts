/** `npm run operator`: global policies, chains marked as broken, and databases that the fence refuses. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { misuse, refusal, run } from './operator-shell.ts'

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'countersign-policies-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const operator = (...args: string[]) => run(server, args)

async function fileOf(content: unknown): Promise<string> {
  const file = join(folder, 'policy.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

async function agentDecides() {
  const key = await server.world.key(await server.world.center())
  const body = { agent: { id: 'agent-7' }, action: { type: 'stock.reorder' }, reason: 'Few are left.' }
  return (await server.call('POST', '/api/v1/agents/decide', { token: key, body })).body.data
}

describe('put-policy and withdraw-policy', () => {
  it('create a policy that applies in every center, change it, and withdraw it', async () => {
    const policy = { name: 'A person looks', scope: 'global', match: {}, guards: { humanReview: true } }
    const made = await operator('put-policy', await fileOf(policy))
    expect(made).toMatchObject({ code: 0, complained: '' })
    const id = /pol_\w+/.exec(made.said)?.[0] as string
    expect(made.said).toBe(
      `Version 1 of the policy ${id} is in force in every cell. To change it, add "id": "${id}" to the file.\n`,
    )
    expect(await agentDecides()).toMatchObject({ outcome: 'approval_required', policies: [{ id, version: 1 }] })

    const again = await operator('put-policy', await fileOf({ id, ...policy }))
    expect(again.said).toMatch(/already has this content, in version 1/)
    const changed = await operator('put-policy', await fileOf({ id, ...policy, guards: { riskThreshold: 1 } }))
    expect(changed.said).toMatch(/^Version 2 of the policy/)

    expect((await operator('withdraw-policy', id)).said).toBe(`The policy ${id} has been withdrawn.\n`)
    expect(await agentDecides()).toMatchObject({ outcome: 'completed', policies: [] })
    expect((await operator('withdraw-policy', id)).said).toMatch(/nothing was changed/)
    const entries = await server.world.query(
      `select details ->> 'action' as action from directory.audit_entries where target_id = $1 order by occurred_at, id`,
      [id],
    )
    expect(entries.map(({ action }) => action)).toEqual(['created', 'updated', 'deleted'])
  })

  it('report the fault of a file, and change nothing', async () => {
    expect(await operator('put-policy', join(folder, 'none.json'))).toEqual(
      misuse(`The file "${join(folder, 'none.json')}" can't be read (ENOENT).`),
    )
    const noJson = await operator('put-policy', await fileOf('{'))
    expect([noJson.code, noJson.complained]).toEqual([2, expect.stringMatching(/isn't JSON/)])
    const wanting = await operator('put-policy', await fileOf({ scope: 'global', match: {}, guards: {} }))
    expect([wanting.code, wanting.complained]).toEqual([1, expect.stringMatching(/"name" is required/)])
    expect((await operator('withdraw-policy', 'pol_nonsense')).code).toBe(1)
  })
})

describe('clear-chain', () => {
  it('allows sealing onto a chain marked as broken, and records both in the audit trail', async () => {
    const center = await server.world.center()
    const key = await server.world.key(center)
    const decide = () =>
      server.call('POST', '/api/v1/agents/decide', {
        token: key,
        body: { agent: { id: 'agent-7' }, action: { type: 'stock.reorder' } },
      })
    expect((await decide()).status).toBe(201)
    expect((await operator('clear-chain', center.domain, 'proof')).said).toMatch(/wasn't marked as broken/)
    await server.world.query(`update cell.chain_heads set broken_at = 0 where center_id = $1 and domain = 'proof'`, [
      center.id,
    ])
    expect((await decide()).body.error.code).toBe('CHAIN_BROKEN')
    expect(await operator('clear-chain', center.domain, 'proof')).toMatchObject({
      code: 0,
      said: expect.stringMatching(/accepts seals again/),
    })
    expect((await decide()).status).toBe(201)
    const [entry] = await server.world.query(
      `select details, actor_id from cell.audit_entries where center_id = $1 and type = 'integrity.alarm'`,
      [center.id],
    )
    expect(entry).toMatchObject({
      details: { action: 'cleared', brokenAt: 0 },
      actor_id: expect.stringMatching(/^operator/),
    })
  })

  it('refuses a center and a domain that do not exist', async () => {
    expect(await operator('clear-chain', 'nowhere', 'proof')).toEqual(
      refusal('No center matches "nowhere". Send its ID or its exact subdomain.'),
    )
    expect(await operator('clear-chain', '1', 'money')).toEqual(
      misuse('DOMAIN must be one of proof, dpu, history, not "money".'),
    )
  })
})

describe('accept-database', () => {
  it('refuses an empty store beside a database with entries, and adopts its heads with --new-store', async () => {
    await agentDecides()
    const env = { TLOG_FENCE: join(folder, 'fence'), TLOG_HOST: server.services.config.logHost }
    const accept = (...options: string[]) => run(server, ['accept-database', 'main', ...options], env)
    expect(await accept()).toEqual(
      refusal(
        "Nothing was changed, because the fence store and the database don't belong together. Set TLOG_FENCE to this database's store; if that store and its copy are lost, set it to an empty folder and repeat the command with --new-store.",
      ),
    )
    const heads = await server.world.query('select from cell.chain_heads where next_index > 0')
    const accepted = await accept('--new-store')
    expect(accepted).toEqual({
      code: 0,
      said: expect.stringMatching(
        new RegExp(
          `^The database of the cell "main" \\(\\d+:[0-9A-F]{8}:\\d+\\) is now the current one\\. Logs compared: 0; heads new to the fence store: ${heads.length}\\. No witness is configured\\. Nothing is lost\\.\n$`,
        ),
      ),
      complained: `${heads.length} heads read\n`,
    })
    expect((await accept()).said).toMatch(
      /was already the current one\. Logs compared: \d+; .* fence store: 0\. No witness is configured\. Nothing is lost\.\n$/,
    )
    const entries = await server.world.query(
      `select details from directory.audit_entries where type = 'integrity.alarm' and target_id = 'main' order by occurred_at, id`,
    )
    expect(entries.map(({ details }) => details)).toEqual([
      expect.objectContaining({ action: 'database_accepted', wasCurrent: false, adopted: heads.length, lost: 0 }),
      expect.objectContaining({ action: 'database_accepted', wasCurrent: true, adopted: 0 }),
    ])
  })

  it('is misused without a store, with an unknown cell or an unknown option', async () => {
    expect(await operator('accept-database', 'main')).toEqual(
      misuse("TLOG_FENCE doesn't name a fence store, so there's nothing to compare the database with."),
    )
    expect(await operator('accept-database', 'east')).toEqual(misuse('CELL must be one of main, not "east".'))
    expect(await operator('accept-database', 'main', '--force')).toEqual(
      misuse('Unknown option "--force". Use --with-loss, --new-store or --unsigned.'),
    )
  })
})
