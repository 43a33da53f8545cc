/** A server with a member who may verify, and a database superuser who can forge any row. */
import { readFiguresJob } from '@countersign/server/read-figures.job.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import { liftConstraints } from '../../../../../../tests/tamper/forger.ts'

export interface VerifiedCenter {
  readonly center: Center
  readonly token: string
  readonly key: string
  demo(body?: object): Promise<{ id: string; chainIndex: number }>
  change(id: string, body: object): Promise<void>
  /** Records and approves a decision; returns its event id. */
  seal(): Promise<string>
  verify(mode?: 'chain' | 'records'): Promise<Record<string, unknown> & { domains: Record<string, object> }>
  verifyDpu(id: string): Promise<Record<string, unknown>>
  /** As superuser, past every trigger and constraint. */
  forge(sql: string): Promise<void>
  alarms(): Promise<{ action: string; target_id: string; actor_id: string; details: object }[]>
}

/** A server whose database accepts any forgery. */
export async function forgeableServer(): Promise<TestServer> {
  const server = await startServer()
  await liftConstraints(server.world.query)
  return server
}

export async function verifiedCenter(server: TestServer): Promise<VerifiedCenter> {
  const { world } = server
  const center = await world.center()
  const person = await world.person()
  await world.member(person, center)
  const { accessToken: token } = await server.signIn(person, center.domain)
  const key = await world.key(center)
  async function call(method: string, path: string, bearer: string, body?: object) {
    const answer = await server.call(method, path, { token: bearer, ...(body && { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body.data
  }
  return {
    center,
    token,
    key,
    demo: (body = {}) => call('POST', '/api/dpu/demo', token, body),
    change: (id, body) => call('PUT', `/api/dpu/${id}`, token, body),
    async seal() {
      const event = await call('POST', '/api/v1/decision-events', key, {
        type: 'custom',
        actor: { id: 'agent-7', type: 'ai_agent', name: 'Planner' },
        action: { type: 'plan.adjust', input: { client: 'c-102' } },
        tags: ['plan'],
      })
      await call('POST', `/api/v1/decision-events/${event.id}/approvals`, key, {
        approver: { id: 'therapist-4', type: 'human', name: 'Kim Minji' },
        result: 'approved',
      })
      return event.id
    },
    verify: (mode = 'records') => call('GET', `/api/dpu/verify-chain?mode=${mode}`, token),
    verifyDpu: (id) => call('GET', `/api/dpu/${id}/verify`, token),
    forge: async (sql) =>
      void (await world.query(`begin; set local session_replication_role = replica; ${sql}; commit`)),
    alarms: () =>
      world.query(
        `select details ->> 'action' as action, target_id, actor_id, details from cell.audit_entries
         where center_id = $1 and type = 'integrity.alarm' order by id`,
        [center.id],
      ),
  }
}

export async function metric({ services }: TestServer, line: RegExp): Promise<number> {
  await readFiguresJob(services, 'main')
  return Number(line.exec(await services.metrics.text())?.[1] ?? Number.NaN)
}
