/**
 * What must hold for every coding agent behind the hook. Each journey runs the real agent with a scripted model against a real
 * server, and throws what is wrong.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../tools/postgres.ts'
import type { TestServer } from '../../support/server.ts'
import type { AgentDriver, AgentEnd, AgentRun } from './driver.ts'
import { type AgentPlace, openAgentPlace } from './place.ts'

export interface Setting {
  readonly driver: AgentDriver
  readonly program: string
  readonly server: TestServer
}

type Journey = (place: AgentPlace, setting: Setting) => Promise<void>

const start = (
  { driver, program }: Setting,
  { folder, home, path, ledger }: AgentPlace,
  commands: AgentRun['commands'],
  more: Partial<AgentRun> = {},
): Promise<AgentEnd> =>
  driver.run(program, {
    commands: commands.map(
      (each) => async () => (typeof each === 'function' ? await each() : each).replace(/^ledger/, ledger),
    ),
    ...{ folder, home, path, ...more },
  })

function killed(setting: Setting, place: AgentPlace, commands: AgentRun['commands'], more: Partial<AgentRun> = {}) {
  let agent: ChildProcess | null = null
  const ended = start(setting, place, commands, { ...more, onStart: (started) => (agent = started) })
  return { ended, kill: () => void agent?.kill('SIGKILL') }
}

const told = (end: AgentEnd): string => [...end.results, end.output].join('\n')

/** Verified by the command line without a server, under the trust file alone. */
async function requireProof(place: AgentPlace, eventId: string): Promise<void> {
  const { text } = await place.client.evidence.export(eventId.replace(/^evt_/, 'evd_')).withResponse()
  const file = join(place.home, 'proof.json')
  writeFileSync(file, text)
  const main = new URL('../../../packages/cli/main.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [
    main,
    'verify',
    file,
    '--trust',
    place.trustFile,
    '--json',
  ])
  assert.match(stdout, /"ok":true/)
}

/** One decision, one run, and the outcome that the agent can know. */
async function requireOneRun(
  place: AgentPlace,
  { driver }: Setting,
  text: string,
  end: AgentEnd,
  outcome: string = driver.succeeded,
): Promise<void> {
  assert.deepEqual(place.ran(), [text], told(end))
  const all = await place.decisions()
  assert.equal(all.length, 1, 'one decision')
  const decision = await place.client.decisions.get((all[0] as { id: string }).id)
  assert.equal(decision.action.type, driver.action)
  assert.equal(decision.execution?.outcome?.status, outcome)
  await requireProof(place, decision.id)
}

export const journeys: Readonly<Record<string, Journey>> = {
  async allow(place, setting) {
    const ended = start(setting, place, ['ledger one'])
    const eventId = await place.waiting()
    assert.deepEqual(place.ran(), [], 'nothing runs before the approval')
    await place.fixture.approveAsMember(eventId)
    await requireOneRun(place, setting, 'one', await ended)
  },

  async deny(place, setting) {
    const ended = start(setting, place, ['ledger two'])
    await place.fixture.approveAsMember(await place.waiting(), { result: 'rejected', reason: 'not on a Friday' })
    assert.match(told(await ended), /not on a Friday/)
    assert.deepEqual(place.ran(), [])
  },

  async 'of no interest'(place, setting) {
    // Nothing is asked, so it works without a server; whether it runs is up to the agent's own permissions.
    place.connect({ url: `http://127.0.0.1:${await freePort()}` })
    assert.doesNotMatch(told(await start(setting, place, ['echo plain'])), /Countersign/)
    assert.equal((await place.decisions()).length, 0)
  },

  async 'server away'(place, setting) {
    place.connect({ url: `http://127.0.0.1:${await freePort()}` })
    assert.match(told(await start(setting, place, ['ledger away'], { hook: ['--limit-seconds', '20'] })), /Nothing ran/)
    assert.deepEqual(place.ran(), [])
    assert.equal((await place.decisions()).length, 0)
  },

  async 'a command that fails'(place, setting) {
    const ended = start(setting, place, ['ledger bad && false'])
    await place.fixture.approveAsMember(await place.waiting())
    await requireOneRun(place, setting, 'bad', await ended, setting.driver.failed)
  },

  async 'slow person'(place, setting) {
    // The first answer comes before the person; the same command then goes on with the same request.
    let ranEarly: readonly string[] = []
    const again = async () => {
      ranEarly = place.ran()
      await place.fixture.approveAsMember(await place.waiting())
      return 'ledger slow'
    }
    const commands = setting.driver.canDefer ? ['ledger slow'] : ['ledger slow', again]
    const first = await start(setting, place, commands, { hook: ['--wait-seconds', '5'] })
    assert.deepEqual(ranEarly, [])
    if (!setting.driver.canDefer) {
      assert.match(first.results[0] ?? '', /Still waiting/)
      return requireOneRun(place, setting, 'slow', first)
    }
    assert.ok(first.isDeferred, told(first))
    await again()
    const resumed = await start(setting, place, ['ledger slow'], { ...(first.session && { resume: first.session }) })
    await requireOneRun(place, setting, 'slow', resumed)
  },

  async 'killed while it waits'(place, setting) {
    const first = killed(setting, place, ['ledger killed'])
    const eventId = await place.waiting()
    first.kill()
    await first.ended
    await place.fixture.approveAsMember(eventId)
    // Longer than the hook pauses between two looks at the decision.
    await new Promise((resolve) => setTimeout(resolve, 20_000))
    assert.deepEqual(place.ran(), [])
    assert.equal((await place.decisions()).length, 1)
    assert.equal((await place.client.decisions.get(eventId)).execution, null, 'nobody is there to run it')
  },

  async 'deferred, resumed, killed and resumed'(place, setting) {
    if (!setting.driver.canDefer) return
    const commands = ['ledger resumed']
    const { session, isDeferred } = await start(setting, place, commands, { hook: ['--wait-seconds', '1'] })
    assert.ok(isDeferred && session)
    const second = killed(setting, place, commands, { resume: session })
    await new Promise((resolve) => setTimeout(resolve, 12_000))
    second.kill()
    await second.ended
    assert.deepEqual(place.ran(), [])
    await place.fixture.approveAsMember(await place.waiting())
    await requireOneRun(place, setting, 'resumed', await start(setting, place, commands, { resume: session }))
  },

  async 'two sessions'(place, setting) {
    const first = start(setting, place, ['ledger both'])
    // An agent that sets up its home folder does it once.
    await place.waiting()
    const both = [first, start(setting, place, ['ledger both'])]
    await place.waiting(2)
    const ids = (await place.decisions()).map(({ id }) => id)
    assert.equal(ids.length, 2, 'two decisions')
    await place.fixture.approveAsMember(ids[0] as string)
    await place.fixture.approveAsMember(ids[1] as string, { result: 'rejected' })
    await Promise.all(both)
    assert.deepEqual(place.ran(), ['both'])
  },

  async 'hidden in a script'(place, setting) {
    writeFileSync(join(place.folder, 'deploy.sh'), `x=1\n${place.ledger} "from a script"\n`)
    const ended = start(setting, place, ['bash deploy.sh'])
    await place.fixture.approveAsMember(await place.waiting(), { result: 'rejected' })
    await ended
    assert.deepEqual(place.ran(), [])
  },
}

export async function runJourney(name: string, setting: Setting): Promise<void> {
  const place = await openAgentPlace(setting.server, setting.driver.id)
  try {
    await (journeys[name] as Journey)(place, setting)
  } finally {
    place.close()
  }
}
