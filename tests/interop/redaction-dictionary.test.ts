/**
 * Names are easy to guess. The data left after a redaction, in the database and in exports, must not confirm a guess in a
 * dictionary attack, and the same search must find the name where it can be found.
 */

import { hash } from 'node:crypto'
import { actionDigest, type DigestedAction } from '@countersign/proof/action-digest.ts'
import { commitment } from '@countersign/proof/commitment.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { fingerprintOf } from '@countersign/server/idempotency/idempotency.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ProofFixture, startProofFixture } from '../support/proof-fixture.ts'
import { sampleEvent } from '../support/samples.ts'

const path = 'approval.approver.name'
/** A million with TEST_LONG=1. */
const size = process.env.TEST_LONG ? 1_000_000 : 100_000
/** Eighty family names and given names of two syllables: a million Korean names, with the redacted one in the middle. */
const syllables = [
  ...'가강건경고관광구규근기길나남노다단담도동두라란래려련령로류리린림마만명모무문미민바반배백범변별병보복빈사산상서석선설성세소솔송수숙순슬승시신아안애양연영예온완요용우욱운원유윤율은음의이인일임자장재전정제조종주준중지진찬창채천철청초춘치태택하학한해행향현형혜호홍화환활황회효훈휘흠희',
]
const families = [
  ...'김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민진류나엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용예경봉사부',
]
function* dictionary(): Generator<string> {
  let given = 0
  for (const family of families) {
    for (const one of syllables) {
      for (const other of syllables) {
        if (given++ === size) return
        yield `${family}${one}${other}`
      }
    }
  }
}

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const textOf = async (): Promise<string> => {
  const { world } = fixture.server
  const tables = await world.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'cell'`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) => world.query<{ text: string }>(`select t::text as text from ${name} t`)),
  )
  return rows
    .flat()
    .map(({ text }) => text)
    .join('\n')
}

/** Every string with the form of a hash or a salt. */
const hashesIn = (text: string): ReadonlySet<string> => new Set(text.match(/[0-9a-f]{64}/g))
/** Salts are stored one after another: each 16 bytes of a longer row of hex digits may be one. */
const saltsIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/[0-9a-f]{32,}/g)].flatMap(([digits]) =>
      Array.from({ length: (digits.length - 32) / 2 + 1 }, (_, at) => digits.slice(2 * at, 2 * at + 32)),
    ),
  )

const bare = (digest: string): string => digest.slice('sha256:'.length)

it(`a search of ${size} names does not find the redacted one, and finds it where its salt is known`, {
  timeout: 300_000,
}, async () => {
  const names = [...dictionary()]
  expect(names.length).toBe(size)
  expect(new Set(names).size).toBe(size)
  const name = names[Math.floor(size * 0.7)] as string
  const decision = sampleEvent({ action: { type: 'plan.adjust', input: { client: name } } })
  const event = await fixture.record({ action: decision.action, idempotencyKey: 'the-decision' })
  const approval = { approver: { id: 'therapist-4', type: 'human', name }, result: 'approved' }
  const address = `/api/v1/decision-events/${event.id}/approvals`
  expect((await fixture.v1('POST', address, approval, { 'idempotency-key': 'the-approval' })).status).toBe(200)
  const exported = async () => (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).body
  const before = await exported()
  const salt = before.evidence.disclosures[path] as string
  const committed = before.evidence.commitments[path] as string
  const { actionSalt, actionDigest: sealed } = before.evidence as { actionSalt: string; actionDigest: string }
  const digested = (by: string, guess: string) =>
    actionDigest(by, { ...decision, action: { type: 'plan.adjust', input: { client: guess } } } as DigestedAction)
  // The fingerprint of the request has no salt: guessing the rest of the request would be enough.
  const remembered = (guess: string) =>
    fingerprintOf({
      body: { ...approval, approver: { ...approval.approver, name: guess } },
      url: address,
    }).toString('hex')
  const textBefore = await textOf()
  expect(textBefore).toContain(name)
  expect(textBefore).toContain(salt)
  expect(saltsIn(textBefore).has(salt)).toBe(true)
  expect(textBefore).toContain(actionSalt)
  expect(hashesIn(textBefore).has(remembered(name))).toBe(true)

  const { status } = await fixture.platform('POST', `/api/dpu/${event.id.replace('evt_', 'dpu_')}/redactions`, {
    paths: [path, 'event.action.input'],
    reason: 'Asked for.',
  })
  expect(status).toBe(201)

  const after = await exported()
  const left = `${await textOf()}\n${JSON.stringify(after)}`
  expect(left).not.toContain(name)
  expect(left).not.toContain(salt)
  expect(left).not.toContain(actionSalt)
  expect(left).toContain(bare(sealed))
  expect(left).toContain(bare(committed))
  expect(verifyProof(after, null)).toMatchObject({
    standing: 'unvouched',
    redacted: [{ path }, { path: 'event.action.input' }, { path: 'actionSalt' }],
  })

  const hashes = hashesIn(left)
  const salts = [...saltsIn(left)]
  expect(salts.length).toBeGreaterThan(5)
  const another = salts[0] as string
  const unsalted = hash('sha256', name)
  const found: Record<'left' | 'withItsSalt' | 'withActionSalt' | 'withoutSalt', string[]> = {
    left: [],
    withItsSalt: [],
    withActionSalt: [],
    withoutSalt: [],
  }
  for (const guess of names) {
    const digest = hash('sha256', guess)
    if (hashes.has(digest) || hashes.has(bare(commitment(another, path, guess)))) found.left.push(guess)
    // The controls: the same search with the known salt, and over an unsalted hash.
    if (hashes.has(bare(commitment(salt, path, guess)))) found.withItsSalt.push(guess)
    if (digested(actionSalt, guess) === sealed) found.withActionSalt.push(guess)
    if (digest === unsalted) found.withoutSalt.push(guess)
  }
  expect(found).toEqual({ left: [], withItsSalt: [name], withActionSalt: [name], withoutSalt: [name] })
  const actionSalts = new Set(left.match(/(?<![\w-])[\w-]{43}(?![\w-])/g))
  expect([...actionSalts, ...salts, ''].filter((each) => digested(each, name) === sealed)).toEqual([])
  // No other remaining salt matches, and the fingerprint of the request is gone.
  expect(salts.filter((each) => commitment(each, path, name) === committed)).toEqual([])
  expect(hashes.has(remembered(name))).toBe(false)
})
