/** One person who would like to be two, and what a center can still do by itself. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { type Colleague, type Office, openOffice } from '../../../evidence/decisions/test/fixture.ts'
import { openOldOffice } from './fixture.ts'

let mailbox: Mailbox
let server: TestServer
beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url, ELIGIBILITY_SECONDS: '86400' } })
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const two = { guards: { dualApproval: true } }
const outcome = async (given: ReturnType<TestServer['call']>) => {
  const { status, body } = await given
  return body.error ? [status, body.error.code, body.error.message] : [status]
}
const notYet = [
  409,
  'CONFLICT',
  expect.stringMatching(/^Your role in this center is new, so your approvals don't count until /),
]
const ownMatter = [403, 'FORBIDDEN', expect.stringMatching(/^You can't confirm your own role/)]
const exported = async (own: Office, id: string) => {
  const { evidence } = await own.read(id)
  return (await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: own.key })).body
}

describe('one ADMIN with two mailboxes', () => {
  it('cannot approve twice: the second account waits a day, and its maker cannot confirm it', async () => {
    const own = await openOldOffice(server, mailbox)
    await own.policy(two)
    const { id } = await own.record()
    expect(await outcome(own.decide(own.admin, id))).toEqual([200])
    const second = await own.invited(own.admin, 'ADMIN')
    const refused = await own.decide(second, id)
    expect(refused.status).toBe(409)
    const [, countsFrom] = /count until (\S+)\. /.exec(refused.body.error.message) ?? []
    const wait = Date.parse(countsFrom as string) - Date.now()
    expect(wait).toBeGreaterThan(86_000_000)
    expect(wait).toBeLessThanOrEqual(86_400_000)
    expect(await outcome(own.confirm(own.admin, second))).toEqual(ownMatter)
    expect(await outcome(own.confirm(second, second))).toEqual(ownMatter)
    expect(await outcome(own.decide(second, id))).toEqual(notYet)
    expect((await own.read(id)).status).toBe('approved')
  })

  it('cannot have the second account make a third one, and confirm that', async () => {
    const own = await openOldOffice(server, mailbox)
    const second = await own.invited(own.admin, 'ADMIN')
    const third = await own.invited(second, 'ADMIN')
    expect(await outcome(own.confirm(own.admin, third))).toEqual(ownMatter)
    expect(await outcome(own.confirm(second, third))).toEqual(ownMatter)
  })

  it('cannot confirm it under another account with the same address', async () => {
    const own = await openOldOffice(server, mailbox, 2)
    const [other] = own.others
    const second = await own.invited(own.admin, 'ADMIN')
    await server.world
      .query(
        `update directory.actors set phone = '+82100000001', phone_verified_at = now() where id = any ($1::uuid[])`,
        [[own.admin.id, other?.id]],
      )
      .catch(() => undefined)
    const shares = await server.world.query('select from directory.family_of($1)', [own.admin.id], true)
    expect(shares).toHaveLength(2)
    expect(await outcome(own.confirm(other as never, second))).toEqual(ownMatter)
  })

  it('cannot close their own emergency approval with it', async () => {
    const own = await openOldOffice(server, mailbox, 2)
    const [other] = own.others as [(typeof own.others)[0]]
    const asked = await server.call('POST', '/api/policies', {
      token: own.admin.token,
      body: {
        ...{ name: 'Plans need a person', match: { actionTypes: ['plan.*'] }, guards: { humanReview: true } },
        approval: { roles: ['ADMIN'], emergency: { actorIds: [own.admin.id], confirmWithinSeconds: 3600 } },
      },
    })
    expect([asked.status, asked.body.error]).toEqual([202, undefined])
    expect(await outcome(own.decide(other, asked.body.data.pending.eventId))).toEqual([200])
    const { id } = await own.record()
    const given = own.decide(own.admin, id, { emergency: true, reason: 'It could not wait.' })
    expect(await outcome(given)).toEqual([200])
    const post = ({ token }: typeof other, path: string, body: object) =>
      outcome(server.call('POST', `/api/decisions/${id}/confirmations${path}`, { token, body }))
    expect(await post(other, '', { result: 'objected', reason: 'No' })).toEqual([200])
    const second = await own.invited(own.admin, 'ADMIN')
    expect(await post(second, '/close', { reason: 'I spoke to myself.' })).toEqual(notYet)
    expect(await post(own.admin, '/close', { reason: 'Mine' })).toEqual([403, 'FORBIDDEN', expect.any(String)])
    expect(await post(other, '/close', { reason: 'We spoke about it.' })).toEqual([200])
  })

  it('has its second account refuse decisions and read them, from the first minute', async () => {
    const own = await openOldOffice(server, mailbox)
    await own.policy(two)
    const { id } = await own.record()
    const second = await own.invited(own.admin, 'ADMIN')
    expect(await outcome(own.decide(second, id, { result: 'rejected' }))).toEqual([200])
  })

  it('waits again after a role that was raised and lowered, and both are in the history', async () => {
    const own = await openOldOffice(server, mailbox, 2)
    const [other] = own.others as [(typeof own.others)[0]]
    await own.policy({ approval: { roles: ['INSTRUCTOR'] } })
    const { id } = await own.record()
    expect((await own.changeRole(own.admin, other, 'INSTRUCTOR')).status).toBe(200)
    expect(await outcome(own.decide(other, id))).toEqual(notYet)
    expect((await own.changeRole(own.admin, other, 'ADMIN')).status).toBe(200)
    await server.services.eligibility.deliver()
    expect((await own.entriesAbout(other)).map(({ disclosed: { action, role } }) => [action, role])).toEqual([
      ['admitted', 'ADMIN'],
      ['role', 'INSTRUCTOR'],
      ['role', 'ADMIN'],
    ])
  })
})

describe('an approval by somebody who lost the role and has it again', () => {
  it.each([
    ['before the change is sealed', false],
    ['after it', true],
  ])('does not count until the role does: %s', async (_, isSealed) => {
    const own = await openOldOffice(server, mailbox, 3)
    const [other, third] = own.others as [Colleague, Colleague]
    await own.policy(two)
    const { id } = await own.record()
    expect(await outcome(own.decide(other, id))).toEqual([200])
    expect((await own.changeRole(own.admin, other, 'PARENT')).status).toBe(200)
    expect((await own.changeRole(own.admin, other, 'ADMIN')).status).toBe(200)
    if (isSealed) await server.services.eligibility.deliver()
    expect((await own.decide(third, id)).body.data.sealedHash).toBeNull()
    const { lines } = (await server.call('GET', `/api/decisions/${id}`, { token: third.token })).body.data
    expect(lines[0].steps[0].struck).toEqual([0])
    expect((await own.decide(own.admin, id)).body.data.sealedHash).toMatch(/^sha256:/)
    const proof = await exported(own, id)
    expect(proof.evidence.prior0.control.void).toBe('member')
    expect(verifyExport(proof).problems).toEqual([])
  })

  it('counts again once another administrator has confirmed the role', async () => {
    const own = await openOldOffice(server, mailbox, 3)
    const [other, third] = own.others as [Colleague, Colleague]
    await own.policy(two)
    const { id } = await own.record()
    expect(await outcome(own.decide(other, id))).toEqual([200])
    for (const role of ['PARENT', 'ADMIN']) expect((await own.changeRole(own.admin, other, role)).status).toBe(200)
    expect(await outcome(own.confirm(third, other))).toEqual([200])
    expect((await own.decide(third, id)).body.data.sealedHash).toMatch(/^sha256:/)
  })
})

describe('a lone ADMIN on a Friday evening', () => {
  it('gets a colleague who counts on Saturday evening, sealed by the entry that admits them', async () => {
    const own = await openOldOffice(server, mailbox)
    await own.policy(two)
    const { id } = await own.record()
    expect(await outcome(own.decide(own.admin, id))).toEqual([200])
    const colleague = await own.invited(own.admin, 'INSTRUCTOR')
    expect(await outcome(own.decide(colleague, id))).toEqual(notYet)
    const restore = useClock(() => Date.now() + 86_500_000)
    try {
      const token = (await server.signIn(colleague.person, own.center.domain)).accessToken
      expect(await outcome(own.decide({ ...colleague, token }, id))).toEqual([200])
    } finally {
      restore()
    }
    const proof = await exported(own, id)
    const [entry] = await own.entriesAbout(colleague)
    expect(proof.evidence.control.admitted).toMatchObject([{ since: entry?.idx }])
    const [first] = await own.entriesAbout(own.admin)
    expect(proof.evidence.prior0.control).toMatchObject({ via: 'password', admitted: [{ since: first?.idx }] })
    expect(verifyExport(proof).problems).toEqual([])
  })
})

describe('a center of three people, set up in one sitting', () => {
  it('works at once', async () => {
    const own = await openOffice(server)
    const [one, another] = [await own.join(), await own.join('INSTRUCTOR')]
    await own.policy(two)
    const { id } = await own.record()
    expect(await outcome(own.decide(one, id))).toEqual([200])
    expect(await outcome(own.decide(another, id))).toEqual([200])
    expect((await own.read(id)).status).toBe('sealed')
  })
})

describe('a role that is given back', () => {
  it('has all of its entries when the outbox comes late', async () => {
    const own = await openOldOffice(server, mailbox)
    const colleague = await own.join('INSTRUCTOR')
    await own.changeRole(own.admin, colleague, 'ADMIN')
    await own.changeRole(own.admin, colleague, 'PARENT')
    await server.services.eligibility.deliver()
    expect((await own.entriesAbout(colleague)).map(({ disclosed: { action, role } }) => [action, role])).toEqual([
      ['admitted', 'INSTRUCTOR'],
      ['role', 'ADMIN'],
      ['removed', 'PARENT'],
    ])
  })

  it('waits again after a suspension, although it counted before', async () => {
    const own = await openOldOffice(server, mailbox, 2)
    const [other] = own.others as [(typeof own.others)[0]]
    await own.policy()
    const { id } = await own.record()
    expect((await own.move(own.admin, other, 'suspend')).status).toBe(200)
    expect((await own.move(own.admin, other, 'reinstate')).status).toBe(200)
    expect(await outcome(own.decide(other, id))).toEqual(notYet)
    expect((await own.entriesAbout(other)).map(({ disclosed }) => disclosed.action)).toEqual([
      'admitted',
      'removed',
      'admitted',
    ])
  })
})
