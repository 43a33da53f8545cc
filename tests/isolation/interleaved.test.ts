import type { Cell, TenantTx } from '@countersign/server/data/cells.ts'
import type { Caller } from '@countersign/server/data/directory.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testSeed } from '../support/seed.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startServer, type TestServer } from '../support/server.ts'

const tenants = 50
const transactions = 10_000
const atOnce = 24
const seed = testSeed()

let server: TestServer
let cell: Cell

// For each attempt: rows of a failed one would count in the next.
beforeEach(async () => {
  server = await startServer({ env: { POOL_SIZE: '4' } })
  cell = server.services.cells.of('main')
})
afterEach(() => server.close())

const insert = (tx: TenantTx, id: string) => {
  const at = new Date()
  // Without center_id: the row gets the center of its transaction.
  const row = {
    id,
    decision_id: id,
    type: 'custom',
    actor: '{}',
    action: '{}',
    tags: [],
    action_digest: `sha256:${'0'.repeat(64)}`,
  }
  return tx.db
    .insertInto('recorded_decisions')
    .values({ ...row, occurred_at: at, created_at: at } as never)
    .execute()
}

/** Every row that the transaction can see; the query names no center. */
const look = (tx: TenantTx) => tx.db.selectFrom('decision_events').select(['center_id', 'id']).execute()

const evaluate = (tx: TenantTx, name: string, ...values: (string | number | boolean)[]) =>
  tx.db
    .selectNoFrom((eb) =>
      eb
        .fn<number>(
          name,
          values.map((value) => eb.val(value)),
        )
        .as('value'),
    )
    .executeTakeFirstOrThrow()

class Thrown extends Error {}

const endings = {
  commit: async () => {},
  throw: async () => {
    throw new Thrown()
  },
  /** The database refuses a statement, which aborts the transaction. */
  abort: (tx: TenantTx) => evaluate(tx, 'pg_advisory_lock', 'not a number'),
  timeout: async (tx: TenantTx) => {
    await evaluate(tx, 'set_config', 'statement_timeout', '2ms', true)
    await evaluate(tx, 'pg_sleep', 0.5)
  },
} satisfies Record<string, (tx: TenantTx) => Promise<unknown>>
type Ending = keyof typeof endings
const mostlyCommit: readonly Ending[] = ['commit', 'commit', 'commit', 'commit', 'commit', 'throw', 'abort', 'timeout']

it('shows every caller only its own rows, whatever ran on the connection before', async () => {
  const roll = seededRandom(seed)
  const callers: Caller[] = []
  for (let i = 0; i < tenants; i++) {
    const { id: centerId } = await server.world.center()
    callers.push({ requestId: `req_${i}`, actorId: null, centerId })
  }
  const committed = new Map(callers.map(({ centerId }) => [centerId, new Set<string>()]))
  const outcomes: Record<Ending, number> = { commit: 0, throw: 0, abort: 0, timeout: 0 }
  const connections = new Set<number>()
  const faults: string[] = []
  let begun = 0

  async function oneTransaction(): Promise<void> {
    const caller = callers[Math.floor(roll() * tenants)] as Caller
    const ending = mostlyCommit[Math.floor(roll() * mostlyCommit.length)] as Ending
    const id = roll() < 0.3 ? newUuid() : null
    const known = [...(committed.get(caller.centerId) as Set<string>)]
    try {
      await cell.inTenant(caller, async (tx) => {
        connections.add((await evaluate(tx, 'pg_backend_pid')).value)
        if (id) await insert(tx, id)
        const rows = await look(tx)
        const foreign = rows.filter((row) => row.center_id !== caller.centerId)
        if (foreign.length > 0) faults.push(`center ${caller.centerId} saw ${JSON.stringify(foreign[0])}`)
        const seen = new Set(rows.map((row) => row.id))
        if (known.some((own) => !seen.has(own))) faults.push(`center ${caller.centerId} misses a row of its own`)
        if (id && !seen.has(id)) faults.push(`center ${caller.centerId} does not see what it just wrote`)
        await endings[ending](tx)
      })
      outcomes.commit++
      if (ending !== 'commit') faults.push(`a transaction was committed in spite of: ${ending}`)
      if (id) committed.get(caller.centerId)?.add(id)
    } catch (error) {
      outcomes[ending]++
      const expected = { commit: '', throw: 'Thrown', abort: 'DATABASE_ERROR', timeout: 'SERVICE_UNAVAILABLE' }[ending]
      const what = error instanceof Thrown ? 'Thrown' : ((error as { code?: string }).code ?? String(error))
      if (what !== expected) faults.push(`a transaction that was to ${ending} ended with ${what}`)
    }
  }

  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (begun++ < transactions) await oneTransaction()
    }),
  )

  const context = `seed ${seed}; run again with TEST_SEED=${seed}`
  expect(faults, context).toEqual([])
  expect(connections.size, context).toBe(4)
  for (const ending of ['commit', 'throw', 'abort', 'timeout'] as const) {
    expect(outcomes[ending], `${context}: ${ending}`).toBeGreaterThan(transactions / 20)
  }
  const stored = await server.world.query<{ center_id: number; ids: string[] }>(
    'select center_id, array_agg(id::text order by id) as ids from cell.decision_events group by 1',
  )
  const expected = [...committed].filter(([, ids]) => ids.size > 0).map(([center, ids]) => [center, [...ids].sort()])
  expect(new Map(stored.map(({ center_id, ids }) => [center_id, ids])), context).toEqual(new Map(expected as never))
}, 300_000)
