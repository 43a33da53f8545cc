/** A center whose next commit waits until the test releases it, so that a request stays in progress for as long as needed. */
import pg from 'pg'
import { sampleEvent } from '../../../../tests/support/samples.ts'
import type { TestServer } from '../../../../tests/support/server.ts'

export interface HeldCenter {
  readonly token: string
  readonly body: Record<string, unknown>
  /** Call within three seconds, before the waiting statements time out. */
  release(): Promise<void>
}

export async function holdCenter({ world, services }: TestServer): Promise<HeldCenter> {
  const center = await world.center()
  const token = await world.key(center)
  const client = new pg.Client({ connectionString: services.config.databaseUrl })
  await client.connect()
  // The lock that counting takes and that recording waits for.
  await client.query(`select pg_advisory_lock(hashtext('cell.decision_event_counts'), $1)`, [center.id])
  return { token, body: sampleEvent(), release: () => client.end() }
}
