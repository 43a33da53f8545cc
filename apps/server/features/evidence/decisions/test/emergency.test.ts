/** Approvals that are given in an emergency: who may, what they fill, and how their line confirms them. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { hour, openUrgentOffice, outcome, type UrgentOffice } from './emergency-fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
afterEach(() => void useClock(Date.now))

const later = (seconds: number) => {
  const start = Date.now()
  useClock(() => start + seconds * 1000)
}
const line = { steps: [{ roles: ['INSTRUCTOR'] }, { title: 'Director', roles: ['ADMIN'] }] }
const inEmergency = (own: UrgentOffice, more: object = {}) => ({
  emergency: { actorIds: [own.nurse.id], confirmWithinSeconds: hour, ...more },
})
const office = async (approval: object = line) => {
  const own = await openUrgentOffice(server)
  await own.urgent({ ...approval, ...inEmergency(own) })
  return own
}
/** Sealed by an emergency approval of the nurse. */
const used = async (own: UrgentOffice) => {
  const event = await own.record()
  const answer = await own.emergency(own.nurse, event.id)
  expect(outcome(answer)).toEqual([200])
  expect(answer.body.data.sealedHash).not.toBeNull()
  return event
}

describe('an emergency approval', () => {
  it('fills the whole line at once, is sealed as such, and the line confirms it in its order', async () => {
    const own = await office()
    const event = await used(own)
    const { control } = (await own.exported(event.id)).evidence
    expect(control.needs).toEqual(expect.arrayContaining(['lines', 'emergency']))
    expect(control.admitted.map(({ step, by }: { step: number; by: string }) => [step, by])).toEqual([
      [0, 'emergency'],
      [1, 'emergency'],
    ])
    const seen = await own.see(own.teacher, event.id)
    expect(seen.emergency).toMatchObject({ state: 'open', approvals: [0], mayConfirm: true, mayClose: false })
    expect(seen.emergency.confirmBy).toBe(control.emergency.confirmBy)
    expect(seen.lines[0]).toMatchObject({ emergency: 0, full: false })
    expect(seen.lines[0].steps.map(({ current }: { current: boolean }) => current)).toEqual([true, false])
    expect(outcome(await own.confirm(own.director, event.id))).toEqual([409, 'CONFLICT', 'turn'])
    const first = await own.confirm(own.teacher, event.id)
    expect([first.status, first.body.data.complete]).toEqual([200, false])
    expect(outcome(await own.confirm(own.teacher, event.id))).toEqual([409, 'CONFLICT', 'confirmedByYou'])
    const last = await own.confirm(own.director, event.id, { reason: 'I would have done the same.' })
    expect([last.status, last.body.data.complete]).toEqual([200, true])
    const confirmed = await own.see(own.admin, event.id)
    expect(confirmed.emergency).toMatchObject({ state: 'confirmed', mayConfirm: false, mayObject: false })
    expect(confirmed.emergency.confirmations.map(({ by }: { by: string }) => by)).toEqual([
      own.teacher.id,
      own.director.id,
    ])
    expect(confirmed.lines[0].full).toBe(true)
    expect(outcome(await own.confirm(own.admin, event.id, { result: 'objected', reason: 'No' }))).toEqual([
      409,
      'CONFLICT',
      'confirmed',
    ])
    later(2 * hour)
    expect(outcome(await own.consume(event))).toEqual([200])
  })

  it('needs a reason, a right to it, and a decision that waits', async () => {
    const own = await office()
    const { id } = await own.record()
    expect(outcome(await own.decide(own.nurse, id, { emergency: true }))).toEqual([400, 'VALIDATION_ERROR', 'noReason'])
    expect(outcome(await own.emergency(own.teacher, id))).toEqual([422, 'POLICY_VIOLATION', 'noEmergencyRight'])
    expect(outcome(await own.emergency(own.nurse, id, { result: 'rejected' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'emergencyRefusal',
    ])
    const seen = await own.see(own.nurse, id)
    expect(seen.waiting.emergency).toMatchObject({ confirmWithinSeconds: hour, seals: true, blocked: null })
    expect((await own.see(own.teacher, id)).waiting.emergency).toBeNull()
    const other = await own.record({ action: { type: 'note.add', description: 'A note' } })
    expect(outcome(await own.emergency(own.nurse, other.id))).toEqual([409, 'CONFLICT', 'noEmergency'])
  })

  it('fills no place of another line, which still waits for its own people', async () => {
    const own = await office()
    await own.policy({ name: 'Agreement', approval: { steps: [{ roles: ['ADMIN'] }] } })
    const { id, actionDigest } = await own.record()
    const given = await own.emergency(own.nurse, id)
    expect([given.status, given.body.data.sealedHash]).toEqual([200, null])
    expect((await own.see(own.nurse, id)).approvals[0].emergency).toBe(true)
    expect(outcome(await own.consume({ id, actionDigest }))).toEqual([409, 'CONFLICT'])
    expect(outcome(await own.decide(own.director, id))).toEqual([200])
    const { control, prior0 } = (await own.exported(id)).evidence
    expect([prior0.control.emergency, control.needs.includes('emergency')]).toEqual([true, true])
    // The director has no place in the line that confirms.
    expect(outcome(await own.confirm(own.teacher, id))).toEqual([200])
    expect(outcome(await own.confirm(own.director, id))).toEqual([200])
    expect((await own.see(own.director, id)).emergency.state).toBe('confirmed')
  })

  it('leaves the places that others had filled before, and the rest is confirmed', async () => {
    const own = await office()
    const { id } = await own.record()
    expect(outcome(await own.decide(own.teacher, id))).toEqual([200])
    expect(outcome(await own.emergency(own.nurse, id))).toEqual([200])
    expect((await own.see(own.teacher, id)).emergency).toMatchObject({ mayConfirm: false })
    expect(outcome(await own.confirm(own.teacher, id))).toEqual([409, 'CONFLICT', 'confirmedByYou'])
    expect(outcome(await own.confirm(own.director, id))).toEqual([200])
    expect((await own.see(own.teacher, id)).emergency.state).toBe('confirmed')
  })

  it('is given for a short policy too, and confirmed by one person', async () => {
    const own = await office({ roles: ['ADMIN'] })
    const event = await used(own)
    expect(outcome(await own.confirm(own.teacher, event.id))).toEqual([422, 'POLICY_VIOLATION', 'notInLine'])
    const confirmed = await own.confirm(own.admin, event.id)
    expect([confirmed.status, confirmed.body.data.complete]).toEqual([200, true])
  })

  it('that came before a refusal is no emergency, and the record of the refusal holds', async () => {
    const own = await office()
    await own.policy({ name: 'Agreement', approval: { steps: [{ roles: ['ADMIN'] }] } })
    const { id } = await own.record()
    expect(outcome(await own.emergency(own.nurse, id))).toEqual([200])
    expect(outcome(await own.decide(own.director, id, { result: 'rejected', reason: 'No' }))).toEqual([200])
    const made = await own.exported(id)
    expect([made.evidence.prior0.control.emergency, made.evidence.control.emergency]).toEqual([true, undefined])
    const { problems, emergency } = verifyExport(made)
    expect([problems, emergency]).toEqual([[], null])
    expect((await own.see(own.director, id)).emergency).toBeNull()
    expect(outcome(await own.confirm(own.director, id))).toEqual([409, 'CONFLICT', 'notEmergency'])
  })

  it('can be taken back while the decision waits, and is then none', async () => {
    const own = await office()
    await own.policy({ name: 'Agreement', approval: { steps: [{ roles: ['ADMIN'] }] } })
    const { id, actionDigest } = await own.record()
    expect(outcome(await own.emergency(own.nurse, id))).toEqual([200])
    const back = await server.call('POST', `/api/decisions/${id}/approvals/take-back`, {
      token: own.nurse.token,
      body: {},
    })
    expect(back.status).toBe(200)
    for (const who of [own.teacher, own.director]) expect(outcome(await own.decide(who, id))).toEqual([200])
    const made = await own.exported(id)
    expect([verifyExport(made).problems, made.evidence.control.emergency]).toEqual([[], undefined])
    expect(outcome(await own.consume({ id, actionDigest }))).toEqual([200])
  })

  it('is never given by an API key, nor by the actor of the decision', async () => {
    const own = await office()
    const { id } = await own.record()
    const byKey = await server.call('POST', `/api/v1/decision-events/${id}/approvals`, {
      token: own.key,
      body: {
        ...{ approver: { id: own.nurse.id, type: 'human' }, result: 'approved', reason: 'Now' },
        emergency: true,
      },
    })
    expect(outcome(byKey)).toEqual([422, 'VALIDATION_ERROR'])
    const asked = await own.record({ actor: { id: own.nurse.id, type: 'human' } })
    expect(outcome(await own.emergency(own.nurse, asked.id))).toEqual([422, 'POLICY_VIOLATION', 'ownDecision'])
    expect((await own.see(own.nurse, asked.id)).waiting.emergency).toBeNull()
  })

  it('is not for changes of policies', async () => {
    const own = await office()
    const changed = await server.call('POST', '/api/policies', {
      token: own.admin.token,
      body: {
        ...{ name: 'Others', match: { actionTypes: ['x'] }, guards: { humanReview: true } },
        approval: { roles: ['ADMIN'], ...inEmergency(own) },
      },
    })
    expect(changed.status).toBe(202)
    expect(outcome(await own.emergency(own.director, changed.body.data.pending.eventId))).toEqual([
      409,
      'CONFLICT',
      'emergencyPolicy',
    ])
  })
})

describe('whoever used it', () => {
  const both = async () => {
    const own = await openUrgentOffice(server)
    await own.urgent({ roles: ['ADMIN', 'INSTRUCTOR'], ...inEmergency(own) })
    return own
  }
  it('does not confirm it, nor object', async () => {
    const own = await both()
    const { id } = await used(own)
    expect(outcome(await own.confirm(own.nurse, id))).toEqual([422, 'POLICY_VIOLATION', 'ownEmergency'])
    expect(outcome(await own.confirm(own.nurse, id, { result: 'objected', reason: 'No' }))).toEqual([
      422,
      'POLICY_VIOLATION',
      'ownEmergency',
    ])
    expect((await own.see(own.nurse, id)).emergency).toMatchObject({ mayConfirm: false, mayObject: false })
  })

  it('does not confirm it as the deputy of somebody, nor through a deputy', async () => {
    const own = await both()
    const { id } = await used(own)
    await own.deputy(own.teacher, own.nurse)
    expect(outcome(await own.confirm(own.nurse, id))).toEqual([422, 'POLICY_VIOLATION', 'ownEmergency'])
    // While one is the deputy of the other, both are one person.
    expect(outcome(await own.confirm(own.teacher, id))).toEqual([422, 'POLICY_VIOLATION', 'ownEmergency'])
    await own.deputy(own.nurse, own.director)
    expect(outcome(await own.confirm(own.director, id))).toEqual([422, 'POLICY_VIOLATION', 'ownEmergency'])
    expect(outcome(await own.confirm(own.admin, id))).toEqual([200])
  })
})

describe('an objection', () => {
  it('ends it: nobody consumes it, nobody confirms it, and whoever used it waits for another ADMIN', async () => {
    const own = await office()
    const event = await used(own)
    expect(outcome(await own.confirm(own.director, event.id, { result: 'objected' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'noReason',
    ])
    expect(outcome(await own.confirm(own.director, event.id, { result: 'objected', reason: 'It could wait' }))).toEqual(
      [200],
    )
    expect(outcome(await own.consume(event))).toEqual([409, 'CONFLICT', 'unconfirmed'])
    expect(outcome(await own.confirm(own.teacher, event.id))).toEqual([409, 'CONFLICT', 'objected'])
    const next = await own.record()
    expect(outcome(await own.emergency(own.nurse, next.id))).toEqual([409, 'CONFLICT', 'unconfirmed'])
    expect((await own.see(own.nurse, next.id)).waiting.emergency.blocked).toBe(event.id)
    expect(outcome(await own.close(own.teacher, event.id))).toEqual([403, 'INSUFFICIENT_ROLE'])
    expect((await own.see(own.admin, event.id)).emergency.mayClose).toBe(true)
    expect(outcome(await own.close(own.admin, event.id))).toEqual([200])
    expect(outcome(await own.close(own.admin, event.id))).toEqual([409, 'CONFLICT', 'emergencySettled'])
    expect(outcome(await own.consume(event))).toEqual([409, 'CONFLICT', 'unconfirmed'])
    expect(outcome(await own.emergency(own.nurse, next.id))).toEqual([200])
  })

  it('is not closed by an ADMIN who used it, but by another', async () => {
    const own = await openUrgentOffice(server)
    await own.urgent({ roles: ['INSTRUCTOR'], emergency: { actorIds: [own.admin.id], confirmWithinSeconds: hour } })
    const { id } = await own.record()
    expect(outcome(await own.emergency(own.admin, id))).toEqual([200])
    expect(outcome(await own.confirm(own.teacher, id, { result: 'objected', reason: 'No' }))).toEqual([200])
    expect(outcome(await own.close(own.admin, id))).toEqual([403, 'FORBIDDEN', 'ownEmergency'])
    expect(outcome(await own.close(own.director, id))).toEqual([200])
  })
})

describe('after its time', () => {
  it('nobody confirms or consumes it, whether or not the job ran, and the job seals that', async () => {
    const own = await office()
    const [event, other] = [await used(own), await used(own)]
    later(hour - 60)
    expect(outcome(await own.consume(other))).toEqual([200])
    later(hour + 60)
    expect(outcome(await own.consume(event))).toEqual([409, 'CONFLICT', 'unconfirmed'])
    expect(outcome(await own.confirm(own.teacher, event.id))).toEqual([409, 'CONFLICT', 'unconfirmed'])
    const next = await own.record()
    expect(outcome(await own.emergency(own.nurse, next.id))).toEqual([409, 'CONFLICT', 'unconfirmed'])
    expect((await own.see(own.admin, event.id)).emergency.state).toBe('unconfirmed')
    await own.runJob()
    const { history } = (await own.exported(event.id)).evidence
    expect(history.at(-1)).toMatchObject({ type: 'confirmation', action: 'unconfirmed', by: { id: 'countersign' } })
    await own.runJob()
    expect((await own.exported(event.id)).evidence.history).toHaveLength(history.length)
  })

  it('is over by the time that is sealed, whatever the row of the database says', async () => {
    const own = await office()
    const event = await used(own)
    await server.world.query(`alter table cell.emergencies disable trigger user;
      update cell.emergencies set confirm_by = confirm_by + interval '1 day' where center_id = ${own.center.id};
      alter table cell.emergencies enable trigger user`)
    later(hour + 60)
    expect(outcome(await own.consume(event))).toEqual([409, 'CONFLICT', 'unconfirmed'])
  })

  it('is closed even before the job ran', async () => {
    const own = await office()
    const event = await used(own)
    expect(outcome(await own.close(own.admin, event.id))).toEqual([409, 'CONFLICT', 'emergencySettled'])
    later(hour + 60)
    expect(outcome(await own.close(own.admin, event.id))).toEqual([200])
    const { history } = (await own.exported(event.id)).evidence
    expect(history.map(({ action }: { action: string }) => action)).toEqual(['unconfirmed', 'closed'])
    expect((await own.see(own.admin, event.id)).emergency).toMatchObject({
      state: 'unconfirmed',
      closedBy: own.admin.id,
    })
  })
})

describe('refused', () => {
  it('in another center, without a credential, and with a body that is none', async () => {
    const [own, other] = [await office(), await openUrgentOffice(server)]
    const { id } = await used(own)
    for (const act of [own.confirm, own.close]) {
      expect(outcome(await act(other.admin, id))).toEqual([404, 'NOT_FOUND'])
      expect((await act({ ...own.admin, token: 'x' }, id)).status).toBe(401)
      expect(outcome(await act(own.admin, id, { result: 'maybe', reason: '' }))).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect(outcome(await own.confirm(own.teacher, 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c'))).toEqual([404, 'NOT_FOUND'])
    const plain = await own.record()
    expect(outcome(await own.confirm(own.teacher, plain.id))).toEqual([409, 'CONFLICT', 'notEmergency'])
  })
})
