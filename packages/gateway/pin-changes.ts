/**
 * Asks a person, through Countersign, whether agents may see a tool that a server has changed or added. It is a guarded call like
 * any other: what runs is the acceptance. Without an approval by a person it doesn't run, whatever the policies say.
 */
import { Countersign } from '@countersign/sdk'
import { GuardError, guard } from '@countersign/sdk/guard'
import type { Config } from './config.ts'
import type { Change, Pins } from './pins.ts'

export const changeAction = 'gateway.tool.changed'

interface Asker {
  ask(change: Change): void
  close(): void
}

const weekMs = 604_800_000
/** Of one server: one that changes its tools all the time must not fill the list of approvers, nor take the place of the others. */
const mostAsked = 50

export function changeAsker(config: Config, pins: Pins, say: (line: string) => void): Asker {
  const stopping = new AbortController()
  const asked = new Map<string, Set<string>>()
  const own = config.pins
  const client =
    own && new Countersign({ baseUrl: config.url, apiKey: own.key, timeoutMs: 15_000, maxRetryAfterMs: 10_000 })

  async function accepted(change: Change, agent: string, client: Countersign): Promise<void> {
    const { upstream, tool, before, after, digest, times } = change
    const run = guard(
      {
        action: changeAction,
        describe: () => `${before ? 'Changed' : 'New'} tool ${tool} of ${upstream}: may agents see it?`,
        idempotent: true,
        run: () => pins.accept(change),
      },
      {
        ...config.trust,
        requires: config.trust.requires ?? 'session',
        ...{ client, agent: { id: agent, name: 'Countersign gateway' }, withinMs: weekMs },
      },
    )
    const input = { upstream, tool, digest, before: before ?? null, after }
    const callId = `gw-pin-${upstream}-${digest.slice(7, 39)}-${times}`
    await run(input, { callId, signal: stopping.signal })
  }

  return {
    ask(change) {
      const { upstream, tool, before, digest } = change
      const key = `${tool}/${digest}`
      const those = asked.get(upstream) ?? new Set()
      asked.set(upstream, those)
      if (those.has(key) || those.size >= mostAsked) return
      those.add(key)
      // The name comes from the server: a line break in it must not look like a line of ours.
      const name = JSON.stringify(tool)
      say(`${upstream} has ${before ? 'changed' : 'added'} the tool ${name}. Agents don't see it until it's accepted.`)
      if (!own || !client) return
      accepted(change, own.agent, client).then(
        () => {
          those.delete(key)
          say(`${name} of ${upstream} was accepted`)
        },
        (error: unknown) => {
          if (stopping.signal.aborted) return
          // A refusal stands; anything else is asked again when the lists are read next time.
          if (!(error instanceof GuardError && error.reason === 'refused')) those.delete(key)
          say(`${name} of ${upstream} wasn't accepted: ${(error as Error).message}`)
        },
      )
    },
    close: () => stopping.abort(),
  }
}
