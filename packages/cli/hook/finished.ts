/** After the tool: the outcome of a call that this hook allowed. Calls that it didn't ask about have none. */
import type { CodingAgent, HookEvent } from './agent.ts'
import { type Allowed, openCalls } from './calls.ts'
import { readConnection } from './connection.ts'
import { ownName } from './own-name.ts'
import { stateFolder } from './places.ts'

const forgottenMs = 24 * 3_600_000

export async function finished(agent: CodingAgent, event: Exclude<HookEvent, { at: 'before' }>): Promise<void> {
  const calls = openCalls(stateFolder())
  const found: Allowed[] = []
  if (event.at === 'after') {
    const { call } = event
    const allowed = calls.takeAllowed({ agent: agent.id, session: call.session, digest: '', own: ownName(call) })
    if (allowed) found.push(allowed)
  } else {
    // What was allowed and said nothing until the end may have run.
    found.push(...calls.takeAll({ agent: agent.id, session: event.session }))
    found.push(...calls.takeAll({ before: Date.now() - forgottenMs }))
  }
  if (found.length === 0) return
  const connection = readConnection(agent.id)
  if (!connection) return
  const { clientOf, report } = await import('./hold.ts')
  const client = clientOf(connection)
  const status = event.at === 'after' ? event.status : 'unknown'
  // An outcome that doesn't arrive stays open, which reads as unknown.
  await Promise.allSettled(found.map((each) => report(client, each, status)))
}
