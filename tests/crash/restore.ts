/**
 * `npm run chaos -- restore`: databases are restored in every usual way, with the fence store, without it, and together
 * with an older copy of it. Nothing is sealed onto a log that lacks entries, or beside a store that is lost, until an
 * operator has decided. Where database and store are set back together, only the witness notices.
 */
import { join } from 'node:path'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { say } from '../bench/place.ts'
import { runWith } from '../journeys/operator-shell.ts'
import { type Client, openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { logOf } from './failover-judge.ts'
import { startKillable } from './killable-server.ts'
import type { Fixture } from './ledger.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { auditOf, copyStore, openRestoreSite, type RestoreSite, verifyOnline } from './restore-setup.ts'
import { type Restored, type Way, ways } from './restores.ts'
import { collectServed, decide } from './served.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** `set back`: the store is a copy from the moment of the backup. */
const stores = ['kept', 'lost', 'set back'] as const

export interface Case {
  readonly way: Way
  readonly store: (typeof stores)[number]
  /** Seals were acknowledged after the backup. */
  readonly behind: boolean
}

export const cases: readonly Case[] = ways.flatMap((way) => [
  { way, store: 'kept', behind: true },
  { way, store: 'kept', behind: false },
  { way, store: 'lost', behind: true },
  { way, store: 'lost', behind: false },
  { way, store: 'set back', behind: true },
])

export const nameOf = ({ way, store, behind }: Case): string =>
  `${way.name}, store ${store}, ${behind ? 'behind' : 'whole'}`

/** What the restored database does: `shorter` are the logs that lack acknowledged entries. */
interface Scene {
  readonly site: RestoreSite
  readonly client: Client
  readonly settings: Readonly<Record<string, string>>
  readonly restored: Restored
  readonly shorter: readonly Fixture[]
  readonly whole: readonly Fixture[]
  /** Of the newest seals that the restored database lacks. */
  readonly proofs: ReadonlyMap<Fixture, unknown>
  /** Of an auditor who has seen them. */
  readonly memory: string
  fault(what: string): void
}

const served = collectServed()

async function expectSeals({ client, fault }: Scene, fixtures: readonly Fixture[], among = served): Promise<void> {
  for (const fixture of fixtures) {
    let last = await decide(client, fixture, among)
    for (let tries = 0; !last.seal && tries < 60; tries++) {
      await pause(100)
      last = await decide(client, fixture, among)
    }
    if (!last.seal) fault(`${logOf(fixture)} does not go on: ${last.status} ${last.code}`)
  }
}

async function expectRefused({ client, fault }: Scene, fixtures: readonly Fixture[], code: string): Promise<void> {
  for (const fixture of fixtures) {
    const { seal, status, code: found } = await decide(client, fixture, served)
    // 201 is a decision that is recorded and waits for its seal.
    if (seal || !(found === code || status === 201)) fault(`${logOf(fixture)} was answered ${status} ${found}`)
  }
}

async function operator(
  { settings, fault }: Scene,
  args: readonly string[],
  expected: RegExp,
  code = 0,
): Promise<void> {
  let done = await runWith(settings, args)
  // The signature of a log's newest entry is stored some seconds later: the backup may be from before.
  if (/(none of our signatures|no signature in the database) covers .* --unsigned/.test(done.complained))
    done = await runWith(settings, [...args, '--unsigned'])
  const all = `${done.said}${done.complained}`
  if (done.code !== code || !expected.test(all)) fault(`operator ${args.join(' ')} ended with ${done.code}: ${all}`)
}

const closing = (logs: readonly Fixture[]): RegExp =>
  new RegExp(`stay closed:${logs.map((each) => `(?=.*\\b${logOf(each)}\\b)`).join('')}`)

/** The witness has cosigned more than this database has, and refuses what it does not contain. */
async function expectWitnessRefuses({ site, restored, shorter, fault }: Scene): Promise<void> {
  for (const fixture of shorter) {
    if (!(await site.witnessRefuses(restored.url, fixture))) fault(`the witness cosigns ${logOf(fixture)} again`)
  }
}

async function keptStore(scene: Scene, { way, behind }: Case): Promise<void> {
  const { shorter, whole } = scene
  if (behind && !way.keepsIdentity) {
    await expectRefused(scene, [...shorter, ...whole], 'SERVICE_UNAVAILABLE')
    await operator(scene, ['accept-database', 'main'], /lacks confirmed entries of 2 logs/, 1)
    await expectRefused(scene, whole, 'SERVICE_UNAVAILABLE')
    await operator(scene, ['accept-database', 'main', '--with-loss'], closing(shorter))
  }
  if (behind) await expectDeclared(scene)
  await expectSeals(scene, whole)
}

/**
 * The logs that lack entries stay closed until their loss is declared, and go on under other names. Verifier, auditor and
 * witness then tell the same story. Nothing else was sealed in this database, so the witness sees no other log grow apart
 * from the original database.
 */
async function expectDeclared(scene: Scene): Promise<void> {
  const { site, client, settings, restored, shorter, proofs, fault } = scene
  const [first] = shorter as [Fixture]
  await expectRefused(scene, shorter, 'CHAIN_BROKEN')
  await operator(scene, ['declare-loss', 'main', '--reason', 'The disk failed.', '--by', 'Drill'], /declared: 2\./)
  await expectSeals(scene, shorter)
  for (const fixture of shorter) {
    const { body } = await client.call('GET', '/api/v1/chains/proof/generations', { token: fixture.key })
    const declarations = body.data.generations.map((each: { declaration: unknown }) => each.declaration)
    const { standing, lost } = verifyProof(proofs.get(fixture), site.drill.trust, { declarations })
    if (standing !== 'lost' || lost?.reason !== 'The disk failed.')
      fault(`the verifier says of a lost seal of ${logOf(fixture)}: ${standing}`)
  }
  const checked = await verifyOnline(client.url, first, proofs.get(first))
  if (!/^3 .*\n +Lost +this entry was signed in/s.test(checked))
    fault(`verify --online says of a lost seal: ${checked}`)
  const audited = await auditOf(client.url, first, scene.memory)
  if (!/ENTRIES YOU SAW WERE LOST, and the loss was declared/.test(audited))
    fault(`the auditor says of ${logOf(first)}: ${audited}`)
  const worker = await startKillable({ ...settings, ROLE: 'worker' })
  await site.untilCosigned(shorter, restored.url).catch((error: Error) => fault(error.message))
  await worker.stop()
}

async function lostStore(scene: Scene, { behind }: Case): Promise<void> {
  const { shorter, whole } = scene
  await expectRefused(scene, [...shorter, ...whole], 'SERVICE_UNAVAILABLE')
  await operator(scene, ['accept-database', 'main'], /repeat the command with --new-store/, 1)
  await expectRefused(scene, whole, 'SERVICE_UNAVAILABLE')
  const accept = ['accept-database', 'main', '--new-store']
  if (behind) {
    // The store is lost; the witness knows how much was cosigned.
    await operator(scene, accept, /witnesses have cosigned more entries than the database has/, 1)
    await expectRefused(scene, whole, 'SERVICE_UNAVAILABLE')
    await operator(scene, [...accept, '--with-loss'], closing(shorter))
    await expectDeclared(scene)
  } else await operator(scene, accept, /is the current one/)
  await expectSeals(scene, whole)
}

async function storeSetBack(scene: Scene): Promise<void> {
  await expectSeals(scene, scene.shorter, collectServed())
  await expectWitnessRefuses(scene)
}

export async function restoreOnce(site: RestoreSite, chosen: Case, random: () => number): Promise<readonly string[]> {
  const faults: string[] = []
  const { way, store, behind } = chosen
  const fixtures = await site.fixtures(3)
  const some = () => 2 + Math.floor(random() * 5)
  const take = await way.begin(site.origin)
  await site.seal(fixtures, some(), served)
  const earlier = join(site.drill.folder, `fence-${site.rounds}-earlier`)
  const current = join(site.drill.folder, `fence-${site.rounds}`)
  const growing = behind ? fixtures.slice(0, 2) : fixtures
  if (!behind) await site.seal(growing, some(), served)
  const restore = await take()
  await copyStore(site.drill.fence, earlier)
  if (behind) await site.seal(growing, some(), served)
  const proofs = behind ? await site.newestProofs(growing) : new Map<Fixture, unknown>()
  const memory = join(site.drill.folder, `audit-${site.rounds}.json`)
  if (behind && store !== 'set back') await site.audit(growing[0] as Fixture, memory)
  if (behind && store !== 'kept') await site.untilCosigned(fixtures)
  if (store === 'kept') await copyStore(site.drill.fence, current)

  const restored = await restore()
  const settings = site.drill.settings(restored.url, store === 'set back' ? earlier : current)
  // Where the drill goes on in the original database, the witness must not see what is sealed beside it.
  const server = await startKillable({ ...settings, ROLE: store === 'set back' ? 'all' : 'api' })
  const [shorter, whole] = behind ? [growing, fixtures.slice(2)] : [[], fixtures]
  const fault = (what: string) => void faults.push(`${nameOf(chosen)}: ${what}`)
  const scene: Scene = {
    site,
    client: openClient(server.url),
    settings,
    restored,
    shorter,
    whole,
    proofs,
    memory,
    fault,
  }
  try {
    if (store === 'kept') await keptStore(scene, chosen)
    else if (store === 'lost') await lostStore(scene, chosen)
    else await storeSetBack(scene)
  } finally {
    await server.stop()
    await restored.drop()
  }
  return faults
}

/** Every case in random order, again and again. */
export async function chaosRestore({ seed, rounds }: Pick<ChaosOptions, 'seed' | 'rounds'>): Promise<ChaosResult> {
  const random = seededRandom(seed)
  const site = await openRestoreSite()
  const faults: string[] = []
  try {
    let left: Case[] = []
    for (let round = 1; round <= rounds; round++) {
      if (left.length === 0)
        left = cases
          .map((each) => [random(), each] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, each]) => each)
      const chosen = left.pop() as Case
      const found = await restoreOnce(site, chosen, random)
      faults.push(...found)
      for (const fault of found) say(fault)
      say(`round ${round}: ${nameOf(chosen)}, ${found.length} faults`)
    }
    faults.push(...served.faults)
    for (const fault of served.faults) say(fault)
    return { rounds, violations: faults.length, cases: cases.length, shownCheckpoints: served.count }
  } finally {
    await site.close()
  }
}
