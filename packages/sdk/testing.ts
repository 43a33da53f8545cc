/** For tests of programs that use Countersign: a fake server, test people of a sandbox, and a passkey in software. */
import { parsePolicy, type TrustPolicy } from '@countersign/proof'
import type { Decision, NewAgentDecision } from './api.generated.ts'
import { type Clock, systemClock } from './clock.ts'
import { Countersign } from './countersign.ts'
import { fakeCenter, fakeLog } from './fake-log.ts'
import { fakeServer } from './fake-server.ts'

export { type SoftwarePasskey, softwarePasskey } from './software-passkey.ts'
export { type TestApproval, testApproval } from './test-approval.ts'

export interface FakeOptions {
  /** Whether a person has to approve an action, as your center's policies would say; by default, always. */
  readonly asks?: (action: NewAgentDecision['action'], agent: NewAgentDecision['agent']) => boolean
  /** How long an approval can be used, in seconds; seven days by default, as for a policy that doesn't say. */
  readonly usableForSeconds?: number
  /** The time of the server and of the client. */
  readonly clock?: Clock
}

interface By {
  /** Who decides. */
  readonly name?: string
  readonly reason?: string
}

export interface FakeCountersign {
  /** Spread these into the options of a guard or an adapter. */
  readonly options: {
    readonly client: Countersign
    readonly trust: TrustPolicy
    readonly center: number
    readonly sandbox: true
  }
  readonly client: Countersign
  /** For a client of your own: in place of the global `fetch`. */
  readonly fetch: typeof fetch
  /** The decisions that wait for a person, oldest first. */
  waiting(): readonly Decision[]
  /** Approves as a signed-in person. */
  approve(eventId: string, by?: By): void
  refuse(eventId: string, by?: By): void
  /** Lets the time of a waiting decision run out. */
  expire(eventId: string): void
  /** Stops an agent; `false` lifts the stop. */
  freeze(agentId: string, frozen?: boolean): void
}

/**
 * A server in memory with the answers that guards and adapters need, and with proofs that verify: a guard runs all of its own
 * checks. What it makes is test data of a sandbox. It knows no policies but `asks`, and no passkeys; for these, use a sandbox.
 */
export async function fakeCountersign({
  asks = () => true,
  usableForSeconds = 604_800,
  clock = systemClock,
}: FakeOptions = {}): Promise<FakeCountersign> {
  const log = await fakeLog()
  const server = fakeServer(log, { asks, usableForSeconds }, clock)
  const { waiting, freeze, close } = server
  const fetch = server.fetch as FakeCountersign['fetch']
  const client = new Countersign({ baseUrl: 'https://fake.countersign.test', apiKey: 'csk_test_fake', fetch, clock })
  const decide =
    (result: 'approved' | 'rejected') =>
    (eventId: string, { name = 'Test person', reason }: By = {}) =>
      close(eventId, { result, level: 'session', by: { id: 'test-person', name }, reason })
  return {
    ...{ client, fetch, waiting },
    options: { client, trust: parsePolicy(log.trustText), center: fakeCenter, sandbox: true },
    approve: decide('approved'),
    refuse: decide('rejected'),
    expire: (eventId) =>
      close(eventId, { result: 'rejected', level: 'system', by: { id: 'countersign' }, reason: 'expired' }),
    freeze: (agentId, frozen = true) => freeze(agentId, frozen),
  }
}
