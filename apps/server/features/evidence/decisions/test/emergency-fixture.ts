/** An office in which somebody may approve in an emergency, and others confirm. */
import { randomUUID } from 'node:crypto'
import type { TestServer } from '../../../../../../tests/support/server.ts'
import { type Colleague, type Office, openOffice } from './fixture.ts'

/** A session of a test lasts longer. */
export const hour = 600

export interface UrgentOffice extends Office {
  /** Approves changes of policies. */
  readonly director: Colleague
  readonly nurse: Colleague
  readonly teacher: Colleague
  /** A policy that lets somebody approve in an emergency has to be approved by another ADMIN. */
  urgent(approval: object, overrides?: object): Promise<string>
  emergency(who: Colleague, id: string, body?: object): ReturnType<TestServer['call']>
  confirm(who: Colleague, id: string, body?: object): ReturnType<TestServer['call']>
  close(who: Colleague, id: string, body?: object): ReturnType<TestServer['call']>
  consume(event: { id: string; actionDigest: string }, executor?: string): ReturnType<TestServer['call']>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape has just been validated
  see(who: Colleague, id: string): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape has just been validated
  exported(id: string): Promise<any>
}

export async function openUrgentOffice(server: TestServer): Promise<UrgentOffice> {
  const office = await openOffice(server)
  const director = await office.join('ADMIN')
  const [nurse, teacher] = [await office.join('INSTRUCTOR'), await office.join('INSTRUCTOR')]
  const post = ({ token }: Colleague, path: string, body: object) => server.call('POST', path, { token, body })
  return {
    ...{ ...office, director, nurse, teacher },
    async urgent(approval, overrides = {}) {
      const answer = await post(office.admin, '/api/policies', {
        ...{ name: 'Plans need a person', match: { actionTypes: ['plan.*'] }, guards: { humanReview: true } },
        ...{ approval, ...overrides },
      })
      if (answer.status !== 202) throw new Error(answer.text)
      const { eventId } = answer.body.data.pending
      const approved = await office.decide(director, eventId)
      if (approved.status !== 200) throw new Error(approved.text)
      const { body } = await server.call('GET', '/api/policies', { token: office.admin.token })
      return body.data.at(-1).id
    },
    emergency: (who, id, body = {}) =>
      office.decide(who, id, { emergency: true, reason: 'The child is at risk now.', ...body }),
    confirm: (who, id, body = {}) => post(who, `/api/decisions/${id}/confirmations`, { result: 'confirmed', ...body }),
    close: (who, id, body = {}) =>
      post(who, `/api/decisions/${id}/confirmations/close`, { reason: 'We spoke about it.', ...body }),
    consume: ({ id, actionDigest }, executor = randomUUID()) =>
      server.call('POST', `/api/v1/decision-events/${id}/consume`, {
        token: office.key,
        body: { actionDigest, executor },
      }),
    see: async ({ token }, id) => (await server.call('GET', `/api/decisions/${id}`, { token })).body.data,
    async exported(id) {
      const { evidence } = await office.read(id)
      const path = `/api/dpu/${evidence.id.replace('evd_', 'dpu_')}/export?policies=text`
      return (await server.call('GET', path, { token: office.admin.token })).body
    },
  }
}

export const outcome = ({ status, body }: Awaited<ReturnType<TestServer['call']>>) =>
  body.error ? [status, body.error.code, ...(body.error.details?.reason ? [body.error.details.reason] : [])] : [status]
