/** An attacker with full database access changes the stored form of an entry; the short form tries some of the changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { some } from '../support/some.ts'
import { type Domain, type Forger, openForger } from './forger.ts'

let forger: Forger
beforeAll(async () => {
  forger = await openForger()
}, 180_000)
afterAll(() => forger.close())

const index = 2
const domains: readonly Domain[] = ['proof', 'dpu', 'history']
const rowOf = (domain: Domain) => `center_id = ${forger.filled.center.id} and domain = '${domain}' and idx = ${index}`

/** Changes the row, and fails unless stored bytes differ afterwards. */
async function alter(domain: Domain, change: string): Promise<void> {
  const rows = await forger.query<{ differs: boolean }>(
    `update cell.entries e set ${change} from (select * from cell.entries where ${rowOf(domain)}) old
     where e.center_id = old.center_id and e.domain = old.domain and e.idx = old.idx
     returning (e.template, e.hashes, e.previous_hash, e.hash) is distinct from
       (old.template, old.hashes, old.previous_hash, old.hash) as differs`,
  )
  expect(rows).toEqual([{ differs: true }])
}

const flipped = (column: string, bit: number) =>
  `${column} = set_bit(e.${column}, ${bit}, 1 - get_bit(e.${column}, ${bit}))`
/** Flips bits of one byte of the template. */
const spelled = (at: string, bits: number) =>
  `template = convert_from(set_byte(convert_to(e.template, 'UTF8'), ${at}, get_byte(convert_to(e.template, 'UTF8'), ${at}) # ${bits}), 'UTF8')`
/** Counted from 0, as bytes are. */
const firstPlace = `strpos(e.template, e'\\x01') - 1`
const first = 'substring(e.hashes for 32)'

const changes: readonly [name: string, change: string][] = [
  ['the first bit of its hashes', flipped('hashes', 0)],
  ['the last bit of its hashes', flipped('hashes', 263)],
  ['a bit of its hash', flipped('hash', 100)],
  ['a bit of the previous hash', flipped('previous_hash', 255)],
  ['a bit of its template', spelled('0', 1)],
  ['a bit of a place', spelled(firstPlace, 2)],
  ['a bit of the letter after a place', spelled(`${firstPlace} + 1`, 1)],
  [
    'two hashes that change places',
    `hashes = substring(e.hashes from 33 for 32) || ${first} || substring(e.hashes from 65)`,
  ],
  ['another hash at the end', `hashes = e.hashes || ${first}`],
  ['another byte at the end', `hashes = e.hashes || '\\x00'`],
  ['a byte less', `hashes = substring(e.hashes for octet_length(e.hashes) - 1)`],
  [
    'a hash less, with its place',
    `hashes = substring(e.hashes from 33), template = overlay(e.template placing '' from ${firstPlace} + 1 for 2)`,
  ],
  ['another place', `template = e.template || e'\\x01 '`],
  ['no hashes', 'hashes = null'],
]

describe.each(domains)('an entry of %s', (domain) => {
  it.each(some(changes, 5))('is found with another form: %s', async (_, change) => {
    await alter(domain, change)
    for (const mode of ['chain', 'records'] as const) {
      const verdict = (await forger.verify(mode))[domain]
      await forger.query('update cell.chain_heads set broken_at = null')
      // Without the newest entry about a row, the one before it no longer explains the row, and is found first.
      const isHidden = /doesn't match what was sealed/.test(verdict.reason ?? '')
      expect([mode, verdict.valid, isHidden ? index : verdict.brokenAt]).toEqual([mode, false, index])
    }
    await forger.restore('entries')
  })

  it('is the same entry when its text is stored as it is', async () => {
    await alter(domain, 'template = cell.content_of(e.template, e.hashes), hashes = null')
    for (const mode of ['chain', 'records'] as const) {
      expect((await forger.verify(mode))[domain]).toMatchObject({ valid: true, brokenAt: null })
    }
    await forger.restore('entries')
  })
})
