/** An attacker with full database access deletes, exchanges and inserts rows. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { some } from '../support/some.ts'
import { type ProvenTable, provenTables } from './coverage.ts'
import { type Domain, type Forger, openForger, type Place, type Target, type Verdict } from './forger.ts'

let forger: Forger
beforeAll(async () => {
  forger = await openForger()
}, 180_000)
afterAll(() => forger.close())

/** Runs the change, verifies, undoes it, and returns the verdict on that chain. */
async function after(table: ProvenTable, domain: Domain, forgery: string, values: unknown[] = []): Promise<Verdict> {
  await forger.query(forgery, values)
  const verdict = (await forger.verify())[domain]
  await forger.restore(table)
  return verdict
}

const found = (index: number) => ({ valid: false, brokenAt: index, reason: expect.any(String) })

/** A head covers its whole chain. */
const placeOf = (table: ProvenTable, { domain, index }: Target): Place => ({
  domain,
  index: table === 'chain_heads' ? 0 : index,
})

describe('detects a deleted row', () => {
  it.each(provenTables)('%s', { timeout: 300_000 }, async (table) => {
    for (const target of some(await forger.targets(table), 3)) {
      const { domain, index } = placeOf(table, target)
      const verdict = await after(table, domain, `delete from cell.${table} where ${target.where}`)
      // Without the newest entry about a row, the one before it no longer explains the row, and is found first.
      const isHidden = table === 'entries' && /doesn't match what was sealed/.test(verdict.reason ?? '')
      const place = isHidden ? Math.min(index, verdict.brokenAt ?? index) : index
      expect(verdict, `${target.kind} ${target.index}`).toMatchObject(found(place))
    }
  })

  it('open_decisions', async () => {
    const open = await forger.query<{ center_id: number; seq: string }>(
      'delete from cell.open_decisions where center_id = $1 and seq in (select min(seq) from cell.open_decisions where center_id = $1) returning center_id, seq',
      [forger.filled.center.id],
    )
    expect(open).toHaveLength(1)
    const verdict = (await forger.verify()).proof
    await forger.query(`insert into cell.open_decisions (center_id, seq, status) values ($1, $2, 'recorded')`, [
      open[0]?.center_id,
      open[0]?.seq,
    ])
    await forger.restore('recorded_decisions')
    expect(verdict).toMatchObject(found(await forger.lengthOf('proof')))
  })

  it('detects a deleted tail of entries and records', async () => {
    const length = await forger.lengthOf('proof')
    const verdict = await after('entries', 'proof', `delete from cell.entries where domain = 'proof' and idx > 5`)
    expect(verdict).toMatchObject({ ...found(6), chainLength: 6, reason: 'from here on entries are missing' })
    expect(length).toBeGreaterThan(6)
  })
})

describe('detects two exchanged rows', () => {
  /** Exchanges the contents of the rows; their keys stay. */
  const keys: Readonly<Record<ProvenTable, readonly string[]>> = {
    entries: ['center_id', 'domain', 'idx'],
    chain_heads: ['center_id', 'domain', 'broken_at'],
    dpus: ['center_id', 'domain', 'id'],
    recorded_decisions: ['center_id', 'id', 'seq', 'fingerprint'],
    approvals: ['center_id', 'id', 'event_id', 'position'],
    history: ['center_id', 'idx'],
    decision_executions: ['center_id', 'event_id'],
    policy_versions: ['center_id', 'id', 'version'],
    action_type_versions: ['center_id', 'id', 'version'],
    passkeys: ['center_id', 'id'],
    eligibilities: ['center_id', 'id'],
    groups: ['center_id', 'id'],
  }

  it.each(provenTables)('%s', { timeout: 300_000 }, async (table) => {
    const columns = (await forger.columns(table)).map(({ name }) => name).filter((name) => !keys[table].includes(name))
    const targets = await forger.targets(table)
    // Heads are exchanged between chains, all other rows within one.
    const fits = (one: Target, other: Target) => table === 'chain_heads' || one.domain === other.domain
    const pairs = targets.flatMap((one, at) => targets.slice(at + 1).map((other) => [one, other] as const))
    expect(pairs.length).toBeGreaterThan(2)
    for (const [one, other] of some(
      pairs.filter(([one, other]) => fits(one, other)),
      2,
    )) {
      await forger.query(`
        with both_rows as (select *, ${one.where} as is_one from cell.${table} where (${one.where}) or (${other.where}))
        update cell.${table} t set ${columns.map((name) => `${name} = b.${name}`).join(', ')}
        from both_rows b where ((${qualified(one.where)}) and not b.is_one) or ((${qualified(other.where)}) and b.is_one)`)
      const verdicts = await forger.verify()
      await forger.restore(table)
      for (const { domain } of [one, other]) {
        const place = found(Math.min(one.index, other.index))
        expect(verdicts[domain], `${one.kind} ${one.index} and ${other.kind} ${other.index}`).toMatchObject(place)
      }
    }
  })
})

const qualified = (where: string): string => where.replaceAll(/(^| and )(\w+) =/g, '$1t.$2 =')

describe('detects an inserted row', () => {
  const copyOf = async (table: ProvenTable, { where }: Target, changes: Record<string, string>) => {
    const names = (await forger.columns(table)).map(({ name }) => name)
    const values = names.map((name) => changes[name] ?? `t.${name}`)
    return `insert into cell.${table} (${names.join(', ')})
      select ${values.join(', ')} from cell.${table} t where ${qualified(where)}`
  }
  const uuid = () => `'${newUuid()}'`

  const copies: Readonly<Record<string, (target: Target, length: number) => [Record<string, string>, number]>> = {
    'entries: after the last': (_, length) => [{ idx: String(length), id: uuid() }, length],
    'entries: before the first': () => [{ idx: '-1', id: uuid() }, 0],
    'dpus: at an index without an entry': (_, length) => [{ chain_index: String(length + 3), id: uuid() }, length],
    'dpus: below zero': (_, length) => [{ chain_index: '-1', id: uuid() }, length],
    'dpus: at the index of another row': ({ index }) => [{ id: uuid() }, index],
    'recorded_decisions: without an entry': (_, length) => [
      { id: uuid(), decision_id: `'forged'`, seq: '99999' },
      length,
    ],
    'approvals: an additional row': ({ index }) => [{ position: '7', id: uuid() }, index],
    'history: after the last': (_, length) => [{ idx: String(length) }, length],
    'history: below zero': (_, length) => [{ idx: '-1' }, length],
    'decision_executions: of a decision that was never consumed': (_, length) => [{ event_id: uuid() }, length],
    'policy_versions: an additional version': (_, length) => [{ version: '99' }, length],
    'eligibilities: of a membership that nobody made': (_, length) => [{ id: uuid() }, length],
    'groups: that nobody made': (_, length) => [{ id: uuid() }, length],
    'passkeys: that nobody registered': (_, length) => [{ id: uuid() }, length],
    'policy_versions: of a policy that never existed': (_, length) => [{ id: uuid() }, length],
    'action_type_versions: an additional version': (_, length) => [{ version: '99' }, length],
    'action_type_versions: of a type that never existed': (_, length) => [{ id: uuid() }, length],
  }
  it.each(Object.entries(copies))('%s', { timeout: 300_000 }, async (name, copy) => {
    const table = name.split(':')[0] as ProvenTable
    for (const target of some(await forger.targets(table), 3)) {
      const [changes, index] = copy(target, await forger.lengthOf(target.domain))
      const verdict = await after(table, target.domain, await copyOf(table, target, changes))
      expect(verdict, `${target.kind} ${target.index}`).toMatchObject(found(index))
    }
  })

  it('open_decisions: of a decision that is sealed', async () => {
    for (const target of some(await forger.targets('recorded_decisions'), 3)) {
      const opened = `from cell.recorded_decisions t where ${qualified(target.where)}`
      await forger.query(
        `insert into cell.open_decisions (center_id, seq, status) select center_id, seq, 'recorded' ${opened}`,
      )
      const verdict = (await forger.verify())[target.domain]
      await forger.query(`delete from cell.open_decisions o where exists (select ${opened} and t.seq = o.seq)`)
      await forger.restore('recorded_decisions')
      expect(verdict, `${target.kind} ${target.index}`).toMatchObject(found(target.index))
    }
  })

  it('dpus: of a chain that does not exist', async () => {
    const [target] = (await forger.targets('dpus')) as [Target]
    const copy = await copyOf('dpus', target, { id: uuid(), domain: `'zzz'` })
    expect(await after('dpus', 'dpu', copy)).toMatchObject(found(await forger.lengthOf('dpu')))
  })

  it('chain_heads: of a center that has no chain', async () => {
    const center = await forger.server.world.center()
    const person = await forger.server.world.person()
    await forger.server.world.member(person, center)
    const { accessToken: token } = await forger.server.signIn(person, center.domain)
    const [target] = (await forger.targets('chain_heads')) as [Target]
    await forger.query(await copyOf('chain_heads', target, { center_id: String(center.id) }))
    const { body } = await forger.server.call('GET', '/api/dpu/verify-chain', { token })
    await forger.restore('chain_heads')
    expect(body.data.domains[target.domain]).toMatchObject(found(0))
  })
})

it('leaves a valid chain at the end', async () => {
  for (const verdict of Object.values(await forger.verify())) expect(verdict).toMatchObject({ valid: true })
})
