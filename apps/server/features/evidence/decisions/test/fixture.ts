/** A center with an administrator, a policy and decisions that wait. */
import { type AsMember, open } from '../../../../../../tests/support/approving.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import type { TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { nowMs } from '../../../../lib/clock.ts'
import { newUuid, uuidOf } from '../../../../lib/ids.ts'
import { waitingDecisionsJob } from '../waiting-decisions.job.ts'

export interface Colleague {
  readonly person: Person
  readonly token: string
  readonly id: string
}

export interface Office {
  readonly center: Center
  readonly admin: Colleague
  readonly key: string
  join(role?: string): Promise<Colleague>
  policy(overrides?: object): Promise<{ id: string; version: number }>
  /** A recorded decision. */
  record(
    overrides?: Record<string, unknown>,
  ): Promise<{ id: string; decisionId: string; actionDigest: string; createdAt: string }>
  /** Opens the decision and approves it as it is shown then. */
  decide(who: Colleague, id: string, body?: object): ReturnType<TestServer['call']>
  shown(who: Colleague, id: string): ReturnType<typeof open>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape has just been validated
  read(id: string): Promise<any>
  inbox(): Promise<string[]>
  /** Until an hour from now, or until `endsIn` milliseconds from now. */
  deputy(of: Colleague, deputy: Colleague, endsIn?: number): Promise<void>
  runJob(): Promise<void>
}

export async function openOffice(server: TestServer): Promise<Office> {
  const { world } = server
  const center = await world.center()
  const join = async (role = 'ADMIN'): Promise<Colleague> => {
    const person = await world.person()
    await world.member(person, center, role)
    return { person, id: person.actorId, token: (await server.signIn(person, center.domain)).accessToken }
  }
  const asMember =
    (token: string): AsMember =>
    async (method, path, body) =>
      (await server.call(method, path, { token, ...(body && { body }) })).body.data
  const admin = await join()
  const key = await world.key(center, { scopes: ['proof:write'] })
  const done = async (method: string, path: string, token: string, body?: object) => {
    const answer = await server.call(method, path, { token, ...(body && { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body.data
  }
  return {
    center,
    admin,
    key,
    join,
    policy: (overrides = {}) =>
      done('POST', '/api/policies', admin.token, {
        name: 'Plans need a person',
        match: { actionTypes: ['plan.*'] },
        guards: { humanReview: true },
        ...overrides,
      }),
    record: (overrides = {}) => done('POST', '/api/v1/decision-events', key, sampleEvent(overrides)),
    async decide({ token }, id, body = {}) {
      const shown = await open(asMember(token), id)
      return server.call('POST', `/api/decisions/${id}/approvals`, {
        token,
        body: { result: 'approved', ...shown, ...body },
      })
    },
    shown: ({ token }, id) => open(asMember(token), id),
    read: (id) => done('GET', `/api/v1/decision-events/${id}`, key),
    inbox: async () =>
      (await done('GET', '/api/decisions?waiting=true', admin.token)).map(({ id }: { id: string }) => id),
    async deputy(of, { id: actorId }, endsIn = 3_600_000) {
      const [from, until] = [-3_600_000, endsIn].map((shift) => new Date(Date.now() + shift).toISOString())
      await done('PUT', '/api/decisions/deputy', of.token, { actorId, from, until })
    },
    runJob: () => waitingDecisionsJob(server.services, 'main', { centerId: center.id }),
  }
}

/** An approval as a row, now: for tests of what follows from it. */
export async function putApproval({ world }: TestServer, { center }: Office, id: string, by: Colleague): Promise<void> {
  await world.query(
    `insert into cell.approvals (center_id, id, event_id, position, approver, result, submitted_by, identity_level, identity_by,
       created_at)
     select $1, $2, $3, (select count(*) from cell.approvals where center_id = $1 and event_id = $3),
       json_build_object('id', $4::text, 'type', 'human'), 'approved', $4::text, 'session', $4::text, $5`,
    [center.id, newUuid(), uuidOf('decisionEvent', id), by.id, new Date(nowMs())],
  )
}
