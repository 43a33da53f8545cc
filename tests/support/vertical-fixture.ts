/** A center of one vertical, and helpers that add appointments and decisions and run its workflows. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import type { Answer } from './contract-check.ts'
import type { TestServer } from './server.ts'
import { type Watched, workflowId } from './workflow-fixture.ts'
import type { Center, Person } from './world.ts'

export interface VerticalFixture {
  readonly center: Center
  readonly admin: Person
  readonly token: string
  readonly key: string
  platform(method: string, path: string, body?: unknown): Promise<Answer>
  record(event: Record<string, unknown>, result?: 'approved' | 'rejected'): Promise<void>
  /** Adds sessions of one person with another, a day apart; the last is `daysAgo` days in the past, or ahead when negative. */
  sessions(instructor: string, client: string, count: number, daysAgo: number): Promise<void>
  run(key: string, parameters?: object): Promise<string>
  ended(executionId: string, ms?: number): Promise<Watched>
}

export const dayMs = 86_400_000

export async function openVerticalFixture(
  server: TestServer,
  vertical: string,
  settings: Record<string, unknown> = {},
): Promise<VerticalFixture> {
  const { world } = server
  const center = await world.center()
  await world.query('update directory.centers set vertical = $2, settings = $3 where id = $1', [
    center.id,
    vertical,
    settings,
  ])
  const admin = await world.person()
  await world.member(admin, center, 'ADMIN')
  const token = (await server.signIn(admin, center.domain)).accessToken
  const key = await world.key(center, { scopes: ['proof:write', 'events:write'] })
  const call = (credential: string) => (method: string, path: string, body?: unknown) =>
    server.call(method, path, { token: credential, ...(body !== undefined && { body }) })
  const [platform, v1] = [call(token), call(key)]
  const watch = async (id: string): Promise<Watched> =>
    (await platform('GET', `/api/workflows/executions/${id}`)).body.data
  return {
    ...{ center, admin, token, key, platform },
    async record(event, result) {
      const body = { type: 'custom', actor: { id: 'staff-1', type: 'human' }, ...event }
      const recorded = await v1('POST', '/api/v1/decision-events', body)
      if (recorded.status !== 201) throw new Error(`could not be recorded: ${recorded.text}`)
      if (!result) return
      const approver = { id: 'lead-1', type: 'human' }
      const path = `/api/v1/decision-events/${recorded.body.data.id}/approvals`
      const decided = await v1('POST', path, { approver, result, reason: 'as agreed' })
      if (decided.status !== 201 && decided.status !== 200) throw new Error(`could not be decided: ${decided.text}`)
    },
    async sessions(instructor, client, count, daysAgo) {
      for (let index = 0; index < count; index++) {
        const start = Math.floor(Date.now() / dayMs) * dayMs - (daysAgo + index) * dayMs
        await world.query(
          `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at)
           values ($1, $2, $3, $4, $4, $5, $5::timestamptz + interval '50 minutes', now())`,
          // An instructor has no two sessions at the same time: each client gets a separate hour.
          [center.id, newUuid(), instructor, client, new Date(start + hourOf(client) * 3_600_000)],
        )
      }
    },
    async run(workflow, parameters) {
      const path = `/api/workflows/${workflowId(workflow)}/execute`
      const answer = await platform('POST', path, parameters ? { parameters } : {})
      if (answer.status !== 200) throw new Error(`could not be run: ${answer.text}`)
      return answer.body.data.executionId
    },
    async ended(id, ms = 30_000) {
      const end = performance.now() + ms
      for (;;) {
        const watched = await watch(id)
        if (watched.status !== 'RUNNING') return watched
        if (performance.now() > end)
          throw new Error(`the execution did not reach the expected state: ${JSON.stringify(watched)}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}

const hours = new Map<string, number>()
function hourOf(client: string): number {
  if (!hours.has(client)) hours.set(client, hours.size % 20)
  return hours.get(client) as number
}

export const people = (count: number): string[] => Array.from({ length: count }, () => newUuid())
