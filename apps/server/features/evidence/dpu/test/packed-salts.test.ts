/** Salts of decisions as bytes: the same salts as by name, in TypeScript and in SQL, and in rows of earlier versions. */
import { proofValues } from '@countersign/proof/proof-entry.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProofFixture, startProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { packedPaths, packSalts, type StoredSalts, saltsOf } from '../packed-salts.ts'
import { dpuId, redactingIn } from './redacting.ts'

const salt = fc.stringMatching(/^[0-9a-f]{32}$/)
const path = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...packedPaths) },
  fc.constantFrom('priorApprovals', 'metadata', 'event.later', '', '__proto__', 'constructor'),
)
const salts = fc
  .uniqueArray(fc.tuple(path, salt), { selector: ([each]) => each })
  .map((all) => Object.fromEntries(all) as Readonly<Record<string, string>>)

describe('packed salts', () => {
  it('are the same salts by path', () => {
    fc.assert(
      fc.property(salts, (all) => {
        expect(saltsOf(packSalts(all))).toEqual(all)
      }),
    )
  })

  it('take 16 bytes for each path, and eight for all', () => {
    const all = Object.fromEntries(packedPaths.map((each, at) => [each, at.toString(16).padStart(32, '0')]))
    const { salts: rest, packed_salts: packed } = packSalts(all)
    expect(rest).toEqual({})
    expect(packed).toMatch(/^\\x[0-9a-f]+$/)
    expect(packed?.length).toBe(2 + 2 * (8 + 16 * packedPaths.length))
  })

  it('never look like other ones after a change of a byte, of a length or of a name', () => {
    const changed = (text: string, at: number, digit: string) => `${text.slice(0, at)}${digit}${text.slice(at + 1)}`
    const other = fc.oneof(
      fc.record({ at: fc.nat(), digit: fc.constantFrom('0', '1', '8', 'f') }),
      fc.record({ cut: fc.nat() }),
      fc.record({ added: fc.stringMatching(/^([0-9a-f]{2}){1,20}$/) }),
      fc.record({ named: path, salt }),
    )
    fc.assert(
      fc.property(salts, other, (all, how) => {
        const stored = packSalts(all)
        const { packed_salts: packed } = stored
        fc.pre(packed !== null)
        const text = packed as string
        let forged: StoredSalts
        if ('at' in how)
          forged = { ...stored, packed_salts: changed(text, 2 + (how.at % (text.length - 2)), how.digit) }
        else if ('cut' in how)
          forged = { ...stored, packed_salts: text.slice(0, 2 + 2 * (how.cut % (text.length / 2 - 1))) }
        else if ('added' in how) forged = { ...stored, packed_salts: text + how.added }
        else {
          fc.pre(!Object.hasOwn(stored.salts, how.named))
          forged = { ...stored, salts: Object.fromEntries([...Object.entries(stored.salts), [how.named, how.salt]]) }
        }
        fc.pre(forged.packed_salts !== packed || 'named' in how)
        expect(saltsOf(forged)).not.toEqual(all)
      }),
      { numRuns: 2000 },
    )
  })

  it('have the paths in the order in which an entry commits to them, so that what is exported keeps its order', () => {
    const prior = Array.from({ length: 15 }, () => ({ approval: 1, control: {}, salt: 's' }))
    const filled = new Proxy({}, { get: (_, key) => (key === 'type' ? 'x' : 1) })
    const some = { id: 'i', type: 'human', name: 'n' }
    const values = proofValues({
      event: { actor: filled, action: filled, aiContext: filled, riskScore: 1, reason: 'r', tags: [], recordedBy: 'k' },
      approval: {
        ...{ approver: some, identity: { level: 'claim', by: 'k' }, onBehalfOf: 'o', result: 'approved', reason: 'r' },
        ...{ passkey: { statement: {} }, reasonSalt: 's', submittedBy: 'k' },
      },
      prior,
      control: {},
      statement: {},
      vertical: 'v',
      country: 'KR',
      region: 'r',
      actionSalt: 's',
    } as never)
    expect(Object.keys(values)).toEqual(packedPaths)
  })
})

describe('in the database', () => {
  let fixture: ProofFixture & { close(): Promise<void> }
  beforeAll(async () => {
    fixture = await startProofFixture()
  })
  afterAll(() => fixture.close())
  const query: ProofFixture['server']['world']['query'] = (...args) => fixture.server.world.query(...args)

  it('have the same places', async () => {
    expect(await query('select cell.packed_paths() as paths')).toEqual([{ paths: packedPaths }])
  })

  it('lose the salts of the named paths and no other', async () => {
    const cases = fc.sample(fc.tuple(salts, fc.array(path)), 200)
    const found = await query<{ packed: string | null }>(
      `select cell.packed_without(c.packed::bytea, array(select json_array_elements_text(c.gone)))::text as packed
       from json_to_recordset($1) as c (packed text, gone json, at integer) order by at`,
      [JSON.stringify(cases.map(([all, gone], at) => ({ packed: packSalts(all).packed_salts, gone, at })))],
    )
    for (const [at, [all, gone]] of cases.entries()) {
      const kept = Object.entries(all).filter(([each]) => packedPaths.includes(each) && !gone.includes(each))
      const { packed } = found[at] as { packed: string | null }
      // Without any salt left, eight bytes of zero remain; a decision always keeps the salt of `control`.
      const left = packed === `\\x${'00'.repeat(8)}` ? {} : saltsOf({ salts: {}, packed_salts: packed })
      expect(left).toEqual(Object.fromEntries(kept))
    }
  })

  it('stay as they are where they are none', async () => {
    for (const bytes of ['\\x', '\\x00', '\\x01'])
      expect(await query(`select cell.packed_without($1::bytea, '{actionSalt}')::text as left`, [bytes])).toEqual([
        { left: bytes },
      ])
  })

  it('of a row that an earlier version wrote are by name: it verifies, exports and is redacted alike', async () => {
    const { redact, get, verify } = redactingIn(fixture)
    const { id } = await fixture.record(sampleEvent({ actor: { id: 'agent-7', type: 'ai_agent', name: 'Ms Jo' } }))
    await fixture.approve(id)
    const [path, uuid] = [`/api/dpu/${dpuId(id)}/export`, `(select id from cell.dpus order by id desc limit 1)`]
    const lines = async () => {
      const answer = await fetch(`${fixture.server.url}/api/v1/chains/proof/entries?values=true`, {
        headers: { authorization: `Bearer ${fixture.key}` },
      })
      return answer.text()
    }
    const [row] = await query<StoredSalts>(`select salts, packed_salts::text from cell.dpus where id = ${uuid}`)
    const named = saltsOf(row as StoredSalts)
    const before = [(await get(path)).evidence.record, await lines()]
    expect(before[1]).toContain(named['event.actor.name'])
    await query(`
      set session_replication_role = replica;
      update cell.dpus set packed_salts = null, salts = '${JSON.stringify(named)}' where id = ${uuid};
      set session_replication_role = origin`)
    expect(JSON.stringify([(await get(path)).evidence.record, await lines()])).toBe(JSON.stringify(before))
    expect(await verify()).toMatchObject({ allValid: true })
    expect((await redact(dpuId(id), ['event.actor.name'])).status).toBe(201)
    const [left] = await query<StoredSalts>(`select salts, packed_salts::text from cell.dpus where id = ${uuid}`)
    const { 'event.actor.name': _, actionSalt: __, ...kept } = named
    expect(left).toEqual({ salts: kept, packed_salts: null })
    expect(await verify()).toMatchObject({ allValid: true })
  })

  it('are gone from a packed row with the value', async () => {
    const { redact } = redactingIn(fixture)
    const { id } = await fixture.record(sampleEvent({ actor: { id: 'agent-7', type: 'ai_agent', name: 'Ms Jo' } }))
    await fixture.approve(id)
    const stored = 'select salts, packed_salts::text from cell.dpus order by id desc limit 1'
    const before = saltsOf((await query<StoredSalts>(stored))[0] as StoredSalts)
    const salt = before['event.actor.name'] as string
    expect((await redact(dpuId(id), ['event.actor.name'])).status).toBe(201)
    const [row] = await query<StoredSalts>(stored)
    const { 'event.actor.name': _, actionSalt: __, ...kept } = before
    expect([row?.salts, saltsOf(row as StoredSalts)]).toEqual([{}, kept])
    expect(row?.packed_salts).not.toContain(salt)
  })
})
