/** A draft in the hands of its reviewers. */
import { createHash } from 'node:crypto'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

let server: TestServer
let office: ProofFixture
beforeAll(async () => {
  server = await startServer()
  office = await openProofFixture(server)
})
afterAll(() => server.close())

type Answer = Awaited<ReturnType<TestServer['call']>>
const outcome = ({ status, body }: Answer) => [status, body.error?.code, body.error?.details?.reason]
const changed = [409, 'CONFLICT', 'changed']
const refused = [409, 'CONFLICT', 'refused']
const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
const machine = 'Two sessions a week'

const as =
  (token: string) =>
  (method: string, path: string, body?: unknown): Promise<Answer> =>
    server.call(method, `/api/dpu/${path}`, { token, ...(body !== undefined && { body }) })
const draft = async () => (await office.unit({ content: machine })).id
const read = async (id: string, token = office.token) => {
  const answer = await as(token)('GET', id)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data
}
const previousOf = async (id: string) => (await read(id)).draft.previous
const edit = async (id: string, text: string, token = office.token) =>
  as(token)('PUT', `${id}/draft`, { text, previous: await previousOf(id) })
const refuse = async (id: string, reason: string, token = office.token) =>
  as(token)('POST', `${id}/draft/refuse`, { reason, previous: await previousOf(id) })

describe('an edited draft', () => {
  it("keeps the machine's text, and seals the person's with its digest", async () => {
    const id = await draft()
    const before = await read(id)
    expect(before.draft).toMatchObject({ text: null, editedBy: null, refused: null, contentDigest: sha256(machine) })
    const edited = await edit(id, 'Three sessions a week')
    expect(edited.status).toBe(200)
    expect(edited.body.data).toMatchObject({ text: 'Three sessions a week', editedBy: { id: office.admin.actorId } })
    expect(edited.body.data.previous).not.toBe(before.draft.previous)
    const after = await read(id)
    expect([after.content, after.chainHash, after.draft.text]).toEqual([
      machine,
      before.chainHash,
      'Three sessions a week',
    ])
    expect((await office.raise(id, 'AUDIT_READY')).status).toBe(200)
    const document = (await office.platform('GET', `/api/dpu/${id}/export`)).body
    expect(document.evidence.history[0].metadata.review.text).toMatchObject({
      value: 'Three sessions a week',
      of: sha256(machine),
    })
    expect(verifyExport(document, []).valid).toBe(true)
    expect((await office.platform('GET', `/api/dpu/${id}/verify`)).body.data.valid).toBe(true)
  })

  it("has the machine's text again when a member sends it", async () => {
    const id = await draft()
    await edit(id, 'Another')
    expect((await edit(id, machine)).body.data).toMatchObject({ text: null, editedBy: null })
  })

  it('is unchanged by metadata that a caller sends', async () => {
    const id = await draft()
    await edit(id, 'Ours')
    const forged = { reason: 'Read.', review: { text: { value: 'Forged', of: 'x', by: {}, at: '' } } }
    expect((await as(office.token)('PUT', id, { metadata: forged })).body.data.metadata).toMatchObject({
      reason: 'Read.',
      review: { text: { value: 'Ours' } },
    })
    expect((await read(id)).draft.text).toBe('Ours')
  })
})

describe('409 CONFLICT', () => {
  it('for whoever has not seen the newest text, and nothing of theirs is saved', async () => {
    const id = await draft()
    const previous = await previousOf(id)
    const [mine, theirs] = [as(office.token), as(office.instructorToken)]
    expect((await theirs('PUT', `${id}/draft`, { text: 'Theirs', previous })).status).toBe(200)
    expect(outcome(await mine('PUT', `${id}/draft`, { text: 'Mine', previous }))).toEqual(changed)
    expect(outcome(await mine('POST', `${id}/draft/refuse`, { reason: 'No.', previous }))).toEqual(changed)
    expect(outcome(await mine('PUT', id, { evidenceLevel: 'DOCUMENTED', previous }))).toEqual(changed)
    expect((await read(id)).draft).toMatchObject({ text: 'Theirs', editedBy: { id: office.instructor.actorId } })
  })

  it('for a refused draft until it is edited', async () => {
    const id = await draft()
    expect((await refuse(id, 'A week is missing.')).body.data.refused).toMatchObject({
      reason: 'A week is missing.',
      by: { id: office.admin.actorId },
    })
    expect(outcome(await office.raise(id, 'DOCUMENTED'))).toEqual(refused)
    expect(outcome(await refuse(id, 'Again.'))).toEqual(refused)
    const send = { reviewerId: office.instructor.actorId, previous: await previousOf(id) }
    expect(outcome(await as(office.token)('POST', `${id}/draft/send`, send))).toEqual(refused)
    expect((await edit(id, 'With the week')).body.data.refused).toBeNull()
    expect((await office.raise(id, 'DOCUMENTED')).status).toBe(200)
  })

  it('once it is reviewed, and for the unit of a decision', async () => {
    const id = await draft()
    await office.raise(id, 'DOCUMENTED')
    expect(outcome(await edit(id, 'Late'))).toEqual([409, 'CONFLICT', 'reviewed'])
    expect((await read(id)).content).toBe(machine)
    const decided = (await office.decide()).body.data.dpu.id
    expect((await read(decided)).draft).toBeNull()
    const body = { text: 'Mine', previous: sha256('') }
    expect((await as(office.token)('PUT', `${decided}/draft`, body)).status).toBe(409)
  })
})

describe('a draft that is sent', () => {
  it('names the reviewer, and tells them and nobody else', async () => {
    const id = await draft()
    const { reviewers } = await read(id)
    expect(reviewers).toEqual([{ id: office.instructor.actorId, name: expect.any(String) }])
    const body = { reviewerId: office.instructor.actorId, previous: await previousOf(id) }
    const sent = await as(office.token)('POST', `${id}/draft/send`, body)
    expect(sent.body.data).toMatchObject({ sentTo: reviewers[0], sentBy: { id: office.admin.actorId } })
    await refuse(id, 'Not yet.', office.instructorToken)
    const causes = await server.world.query<{ event: string; facts: Record<string, unknown> }>(
      "select event, facts from cell.message_causes where center_id = $1 and event like 'draft%' order by noted_at, event desc",
      [office.center.id],
    )
    const [admin, instructor] = [office.admin.actorId, office.instructor.actorId]
    expect(causes).toMatchObject([
      { event: 'draftSent', facts: { person: instructor, by: admin } },
      { event: 'draftRefused', facts: { person: admin, by: instructor } },
    ])
  })

  it('404 NOT_FOUND for a client, a stranger and a suspended member', async () => {
    const id = await draft()
    const { world } = server
    const [child, stranger, suspended] = await Promise.all([world.person(), world.person(), world.person()])
    await world.member(child, office.center, 'CHILD')
    await world.member(suspended, office.center, 'ADMIN')
    await world.query(
      "update directory.memberships set status = 'SUSPENDED' where actor_id = $1",
      [suspended.actorId],
      true,
    )
    for (const { actorId: reviewerId } of [child, stranger, suspended]) {
      const body = { reviewerId, previous: await previousOf(id) }
      expect(outcome(await as(office.token)('POST', `${id}/draft/send`, body)).slice(0, 2)).toEqual([404, 'NOT_FOUND'])
    }
  })
})

it('400 for a text that is empty or too long, a reason that is empty, and a hash that is none', async () => {
  const id = await draft()
  const previous = await previousOf(id)
  const call = as(office.token)
  for (const [method, path, body] of [
    ['PUT', 'draft', { text: '', previous }],
    ['PUT', 'draft', { text: 'x'.repeat(50_001), previous }],
    ['PUT', 'draft', { text: 'x' }],
    ['POST', 'draft/refuse', { reason: '', previous }],
    ['POST', 'draft/send', { reviewerId: 'nobody', previous }],
    ['PUT', 'draft', { text: 'x', previous: 'abc' }],
  ] as const) {
    expect((await call(method, `${id}/${path}`, body)).status).toBe(400)
  }
  expect(await previousOf(id)).toBe(previous)
})

it('has one winner among fifty who edit, refuse and review it at once', async () => {
  for (let round = 0; round < 3; round++) {
    const id = await draft()
    const previous = await previousOf(id)
    const call = as(office.token)
    const contend = (n: number) =>
      n % 3 === 0
        ? call('PUT', `${id}/draft`, { text: `Text ${n}`, previous })
        : n % 3 === 1
          ? call('POST', `${id}/draft/refuse`, { reason: `Reason ${n}`, previous })
          : call('PUT', id, { evidenceLevel: 'DOCUMENTED', previous })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => contend(n)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const lost = answers.filter(({ status }) => status !== 200)
    for (const answer of lost) expect(answer.status).toBe(409)
    const { draft: shown, evidenceLevel } = await read(id)
    const states = [shown.text !== null, shown.refused !== null, evidenceLevel === 'DOCUMENTED']
    expect(states.filter(Boolean)).toHaveLength(1)
  }
})
