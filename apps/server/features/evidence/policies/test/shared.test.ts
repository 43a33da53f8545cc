/** Shared policies, over two cells: written by the operator, in force in every cell within seconds. */
import type { Kysely } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { DB } from '../../../../data/directory.generated.ts'
import { openPool } from '../../../../data/pool.ts'
import { transaction } from '../../../../data/transaction.ts'
import { newId, uuidOf } from '../../../../lib/ids.ts'
import { putSharedPolicy, withdrawSharedPolicy } from '../shared.ts'
import type { OperatorAccess } from '../shared-queries.ts'

let server: TestServer
let operator: pg.Pool
beforeAll(async () => {
  server = await startServer({ cells: ['north', 'south'], jobs: true })
  const { config, log } = server.services
  operator = openPool({
    url: config.databaseUrl,
    role: 'cs_operator',
    logins: config.logins,
    prepared: true,
    max: 2,
    log,
  })
})
afterAll(async () => {
  await operator.end()
  await server.close()
})

const caller = { requestId: 'req_shell', actorId: 'operator:kim', centerId: 0 }
const asOperator = <T>(work: (tx: OperatorAccess) => Promise<T>): Promise<T> =>
  transaction(operator, {}, (db: Kysely<DB>) => work({ db: db.withSchema('directory'), caller }))

const body = {
  name: 'Everywhere',
  scope: 'global',
  match: { actionTypes: ['shared.*'] },
  guards: { humanReview: true },
}
const put = (overrides: object = {}) => asOperator((tx) => putSharedPolicy(tx, { ...body, ...overrides }))
const withdraw = (id: string) => asOperator((tx) => withdrawSharedPolicy(tx, id))

/** The server polls; the test only waits. */
async function within(seconds: number, holds: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + seconds * 1000
  while (!(await holds())) {
    if (Date.now() > until) throw new Error(`the condition was not met within ${seconds} seconds`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function fixture(cell: string, place: { country?: string; region?: string } = {}): Promise<ProofFixture> {
  const made = await openProofFixture(server, { cell })
  const { country = 'KR', region = null } = place
  await server.world.query('update directory.centers set country = $2, region = $3 where id = $1', [
    made.center.id,
    country,
    region,
  ])
  return made
}

const decide = async ({ decide }: ProofFixture) =>
  (await decide({ action: { type: 'shared.thing' } })).body.data as { outcome: string; policies: object[] }
const list = async ({ platform }: ProofFixture) => (await platform('GET', '/api/policies')).body.data
const rules = async (one: ProofFixture, id: string) =>
  (await list(one)).some((policy: { id: string }) => policy.id === id)

const standing: string[] = []
beforeEach(async () => {
  for (const id of standing.splice(0)) await withdraw(id)
  await server.services.sharedPolicies.copy()
})

describe('a global policy', () => {
  it('applies to every center in every cell within seconds, and no longer once it is withdrawn', {
    timeout: 30_000,
  }, async () => {
    const [north, south] = [await fixture('north'), await fixture('south')]
    expect([(await decide(north)).outcome, (await decide(south)).outcome]).toEqual(['completed', 'completed'])
    const { id, version, changed } = await put()
    expect([version, changed]).toEqual([1, true])
    await within(5, async () => (await rules(north, id)) && (await rules(south, id)))
    for (const one of [north, south]) {
      expect(await decide(one)).toMatchObject({ outcome: 'approval_required', policies: [{ id, version: 1 }] })
    }
    await withdraw(id)
    await within(5, async () => !(await rules(north, id)) && !(await rules(south, id)))
    expect([(await decide(north)).outcome, (await decide(south)).outcome]).toEqual(['completed', 'completed'])
  })

  it('is found by the verification of a history that it was entered in, in force and withdrawn', async () => {
    const north = await fixture('north')
    const records = async () => (await north.platform('GET', '/api/dpu/verify-chain?mode=records')).body.data
    const { id } = await put()
    await within(5, () => rules(north, id))
    expect((await north.decide({ action: { type: 'shared.thing' } })).text).toContain('approval_required')
    expect(await records()).toMatchObject({ valid: true })
    await withdraw(id)
    await within(5, async () => !(await rules(north, id)))
    expect((await north.decide({ action: { type: 'shared.thing' } })).text).toContain('completed')
    expect(await records()).toMatchObject({ valid: true })
  })

  it("is shown to a center's ADMIN with its scope and versions, and cannot be changed there", async () => {
    const north = await fixture('north')
    const { id } = await put({ name: 'First name' })
    await put({ id, name: 'Second name' })
    standing.push(id)
    await server.services.sharedPolicies.copy()
    const [shown] = await list(north)
    expect(shown).toMatchObject({ id, version: 2, name: 'Second name', scope: 'global', country: null, region: null })
    expect(shown.createdAt).toMatch(/Z$/)
    const versions = (await north.platform('GET', `/api/policies/${id}/versions`)).body.data
    expect(versions.map(({ name }: { name: string }) => name)).toEqual(['Second name', 'First name'])
    for (const answer of [
      await north.platform('PATCH', `/api/policies/${id}`, { active: false }),
      await north.platform('DELETE', `/api/policies/${id}`),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
      expect(answer.body.error.message).toContain('operator')
    }
  })

  it("is named in the seal, and the strictest of it and the center's own wins", async () => {
    const south = await fixture('south')
    const { id } = await put({ guards: { riskThreshold: 0.6 } })
    standing.push(id)
    await server.services.sharedPolicies.copy()
    const own = await south.policy({ riskThreshold: 0.9 })
    const risky = (riskScore: number) => south.decide({ action: { type: 'shared.x' }, riskScore })
    expect((await risky(0.7)).body.data.outcome).toBe('approval_required')
    const { body: sealed } = await risky(0.5)
    expect(sealed.data.policies).toMatchObject([{ id, version: 1 }, { id: own.id }])
    await south.platform('PATCH', `/api/policies/${own.id}`, { guards: { riskThreshold: 0.2 } })
    expect((await risky(0.5)).body.data.outcome).toBe('approval_required')
  })

  it("cannot be relaxed by a center's own policies", async () => {
    const north = await fixture('north')
    const { id } = await put()
    standing.push(id)
    await server.services.sharedPolicies.copy()
    await north.policy({ humanReview: false })
    expect((await decide(north)).outcome).toBe('approval_required')
  })
})

describe('a policy of a country or a region', () => {
  const places: [string, object, { country?: string; region?: string }, boolean][] = [
    ['its country', { scope: 'country', country: 'JP' }, { country: 'JP' }, true],
    ['another country', { scope: 'country', country: 'JP' }, { country: 'KR' }, false],
    ['the country that a center has by default', { scope: 'country', country: 'KR' }, {}, true],
    ['its region', { scope: 'region', region: 'KR-26' }, { region: 'KR-26' }, true],
    ['another region', { scope: 'region', region: 'KR-26' }, { region: 'KR-11' }, false],
    [
      'its region in its country',
      { scope: 'region', country: 'JP', region: 'JP-01' },
      { country: 'JP', region: 'JP-01' },
      true,
    ],
  ]
  it.each(places)('%s', async (_, scope, place, expected) => {
    const [near, far] = [await fixture('north', place), await fixture('south', place)]
    const { id } = await put(scope)
    standing.push(id)
    await server.services.sharedPolicies.copy()
    for (const one of [near, far]) {
      expect([(await decide(one)).outcome, await rules(one, id)]).toEqual([
        expected ? 'approval_required' : 'completed',
        expected,
      ])
    }
  })

  it('applies to a center that moves, within a second', async () => {
    const north = await fixture('north', { country: 'KR' })
    const { id } = await put({ scope: 'country', country: 'JP' })
    standing.push(id)
    await server.services.sharedPolicies.copy()
    expect((await decide(north)).outcome).toBe('completed')
    await server.world.query(`update directory.centers set country = 'JP' where id = $1`, [north.center.id])
    await within(1.5, async () => (await decide(north)).outcome === 'approval_required')
  })

  it('is not evaded by its ADMIN, who cannot move the center', async () => {
    const south = await fixture('south', { country: 'JP' })
    const { id } = await put({ scope: 'country', country: 'JP' })
    standing.push(id)
    await server.services.sharedPolicies.copy()
    const path = `/api/centers/${south.center.id}/settings`
    const { status, body: refused } = await south.platform('PATCH', path, { country: 'KR' })
    expect([status, refused.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    expect((await decide(south)).outcome).toBe('approval_required')
  })
})

describe('the operator', () => {
  it('puts an equal text without a new version, and after a withdrawal with one', async () => {
    const { id } = await put()
    expect(await put({ id })).toEqual({ id, version: 1, changed: false })
    expect(await withdraw(id)).toEqual({ id, version: 2, changed: true })
    expect(await withdraw(id)).toEqual({ id, version: 2, changed: false })
    expect(await put({ id })).toEqual({ id, version: 3, changed: true })
    standing.push(id)
  })

  it('leaves an audit entry for each change', async () => {
    const { id } = await put()
    await put({ id, active: false })
    await withdraw(id)
    const entries = await server.world.query(
      `select type, actor_id, center_id, details from directory.audit_entries where target_id = $1 order by occurred_at, id`,
      [id],
    )
    expect(entries).toMatchObject(
      ['created', 'updated', 'deleted'].map((action, index) => ({
        type: 'policy.changed',
        actor_id: 'operator:kim',
        center_id: 0,
        details: { action, version: index + 1 },
      })),
    )
  })

  it('creates one version for each of many concurrent changes', async () => {
    const { id } = await put()
    standing.push(id)
    const versions = await Promise.all(Array.from({ length: 10 }, (_, i) => put({ id, name: `name ${i}` })))
    expect(versions.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  it.each([
    ['of one center', { scope: 'center' }, "Only a center's administrator can create"],
    ['of a country that is not named', { scope: 'country' }, '"country" is required'],
    ['of a region that is not named', { scope: 'region' }, '"region" is required'],
    ['of the scope global, with a country', { country: 'KR' }, '"country" is only for'],
    ['of a country, with a region', { scope: 'country', country: 'KR', region: 'KR-11' }, '"region" is only for'],
    ['of a region of another country', { scope: 'region', country: 'JP', region: 'KR-11' }, "isn't a region of JP"],
    ['of a region that is no code', { scope: 'region', region: 'Seoul' }, '"region"'],
    ['of an unknown country', { scope: 'country', country: 'Korea' }, '"country"'],
    ['without a guard', { guards: {} }, '"guards"'],
    ['with an unknown field', { severity: 'high' }, '"severity" isn\'t a known field'],
    ['with a malformed id', { id: 'x' }, 'starts with pol_'],
    ['with an unknown id', { id: newId('policy') }, "There's no shared policy"],
  ])('gets a message for a policy %s', async (_, overrides, why) => {
    await expect(put(overrides)).rejects.toThrow(why)
  })

  it('cannot name groups, which belong to one center', async () => {
    const approval = { steps: [{ groupIds: [newId('group')] }] }
    await expect(put({ approval })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    const inform = { groupIds: [newId('group')] }
    await expect(put({ approval: { inform } })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('cannot withdraw a policy that does not exist', async () => {
    await expect(withdraw(newId('policy'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(withdraw('x')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('the copies', () => {
  const inCell = async (cell: string, text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: server.services.config.cells.get(cell) as string })
    await client.connect()
    return (await client.query(text, values).finally(() => client.end())).rows
  }

  it('have every version, byte for byte, in every cell', async () => {
    const { id } = await put()
    await put({ id, name: 'Other' })
    await withdraw(id)
    await server.services.sharedPolicies.copy()
    const columns = 'version, policy, digest, withdrawn, created_at'
    const uuid = uuidOf('policy', id)
    const originals = await server.world.query(
      `select ${columns} from directory.policy_versions where id = $1 order by 1`,
      [uuid],
    )
    expect(originals).toHaveLength(3)
    for (const cell of ['north', 'south']) {
      expect(
        await inCell(cell, `select ${columns} from cell.shared_policies where id = $1 order by 1`, [uuid]),
      ).toEqual(originals)
    }
  })

  it('are restored when a cell was restored to an older state', { timeout: 20_000 }, async () => {
    const north = await fixture('north')
    const { id } = await put()
    standing.push(id)
    await within(5, () => rules(north, id))
    await inCell('north', 'alter table cell.shared_policies disable trigger append_only')
    await inCell('north', 'delete from cell.shared_policies')
    await inCell('north', 'alter table cell.shared_policies enable trigger append_only')
    expect(await rules(north, id)).toBe(false)
    await within(5, () => rules(north, id))
  })

  it('reach the other cells while one is unreachable, and that one when it is back', { timeout: 30_000 }, async () => {
    const [north, south] = [await fixture('north'), await fixture('south')]
    const name = new URL(server.services.config.cells.get('south') as string).pathname.slice(1)
    const open = (allowed: boolean) => server.world.query(`alter database ${name} with allow_connections ${allowed}`)
    const cutOff = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
    const complaints = () => server.logs.filter((line) => line.includes('could not be copied')).length
    const before = complaints()
    await open(false)
    await server.world.query(cutOff)
    try {
      const { id } = await put()
      standing.push(id)
      await within(5, () => rules(north, id))
      await expect(server.services.sharedPolicies.copy()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      await within(5, async () => complaints() > before)
      await open(true)
      await within(10, () => rules(south, id).catch(() => false))
      // Logged once, not every two seconds.
      expect(complaints()).toBe(before + 1)
    } finally {
      await open(true)
    }
  })

  it('cannot be changed in a cell', async () => {
    await put().then(({ id }) => standing.push(id))
    await server.services.sharedPolicies.copy()
    await expect(inCell('south', `update cell.shared_policies set withdrawn = true`)).rejects.toThrow(/append-only/)
  })
})
