/**
 * `npm run chaos -- failover`: replication is cut under load, the standby is promoted, and the former primary comes back,
 * often without ever having noticed. No size of a log is shown with two roots; every acknowledged seal is there, or
 * nothing is sealed until an operator has accepted the loss by name. With a quorum none is lost.
 */
import { median, say } from '../bench/place.ts'
import { runWith } from '../journeys/operator-shell.ts'
import type { Client } from '../support/client.ts'
import { type Cluster, untilFollowing } from '../support/postgres-cluster.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { examine, lacking, logOf, longestGap } from './failover-judge.ts'
import { openSite, type Site, setQuorum, urlOf } from './failover-setup.ts'
import type { Fixture } from './ledger.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { type Decided, decide, keepSealing, type Sealing } from './served.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** `cut`: the primary lives and lost its standby. `frozen`: nobody can reach it. `killed`: kill -9. */
const manners = ['cut', 'frozen', 'killed'] as const

export interface Round {
  readonly faults: readonly string[]
  readonly manner: string
  readonly quorum: boolean
  readonly acknowledged: number
  /** Acknowledged seals in the logs that the operator accepted as incomplete. */
  readonly lost: number
  /** The longest time without an acknowledged seal. */
  readonly outageMs: number
  /** Sizes that both databases have committed with different roots; one of them is signed and shown at most. */
  readonly committedTwice: number
}

/** Disturbs the primary, promotes the standby, and leads the processes there, one after another. */
async function failOver(site: Site, random: () => number, manner: (typeof manners)[number]): Promise<void> {
  const { primary, standby, link, ways } = site
  if (manner === 'frozen') for (const way of [link, ...ways]) way.freeze()
  else await link.cut()
  await pause(random() * 400)
  if (manner === 'killed') await primary.kill()
  await standby.promote()
  for (const way of ways.toSorted(() => random() - 0.5)) {
    way.leadTo(urlOf(standby))
    await way.mend()
    await pause(random() * 150)
  }
}

/** Until each API process has sealed in the promoted database, or the fence has refused it for a while. */
async function settled(site: Site, sealing: Sealing): Promise<'sealed' | 'refused'> {
  const from = sealing.decided.length
  const until = performance.now() + 20_000
  let refusedSince = 0
  while (performance.now() < until) {
    await pause(50)
    const fresh = sealing.decided.slice(from)
    if (site.apis.every(({ url }) => fresh.some(({ seal, by }) => seal && by === url))) return 'sealed'
    if ((await lacking(site, site.standby)).length === 0) refusedSince = 0
    else if (refusedSince === 0) refusedSince = performance.now()
    else if (performance.now() - refusedSince > 1000) return 'refused'
  }
  return 'refused'
}

/** An operator accepts what is lost; the command names each log that lacks entries. */
async function acceptLoss(site: Site, fault: (what: string) => void): Promise<readonly string[]> {
  const settings = site.settings(urlOf(site.standby))
  const plain = await runWith(settings, ['accept-database', 'main'])
  if (plain.code !== 1 || !/lacks confirmed entries/.test(plain.complained))
    fault(`accept-database did not refuse: ${plain.said}${plain.complained}`)
  const { code, said, complained } = await runWith(settings, ['accept-database', 'main', '--with-loss'])
  if (code !== 0) fault(`accept-database --with-loss failed: ${complained}`)
  const [, named = ''] = /stay closed: (.*)\. If /.exec(said) ?? []
  return named.split(', ').filter(Boolean)
}

/** The operator declares the loss, and the logs go on as their next generation. */
async function declareLoss(
  site: Site,
  fixtures: readonly Fixture[],
  lostLogs: readonly string[],
  fault: (what: string) => void,
): Promise<void> {
  const declare = ['declare-loss', 'main', '--reason', 'The primary was lost.', '--by', 'Drill']
  const settings = site.settings(urlOf(site.standby))
  let done = await runWith(settings, declare)
  if (/repeat the command with --unsigned/.test(done.complained))
    done = await runWith(settings, [...declare, '--unsigned'])
  if (done.code !== 0) fault(`declare-loss failed: ${done.said}${done.complained}`)
  for (const each of fixtures.filter((one) => lostLogs.includes(logOf(one)))) {
    const { seal, code, status } = await decide(site.apis[0] as Client, each, site.served)
    if (!seal) fault(`${logOf(each)} does not go on after the declaration: ${status} ${code}`)
  }
}

/** The former primary is back, and one process is led to it: it must neither seal nor show anything. */
async function formerReturns(site: Site, fixtures: readonly Fixture[], fault: (what: string) => void): Promise<void> {
  const [, way] = site.ways as [never, Site['ways'][0]]
  const [, api] = site.apis as [never, Client]
  way.leadTo(urlOf(site.primary))
  for (const fixture of fixtures) {
    const { seal, status } = await decide(api, fixture, site.served)
    if (seal) fault('a process sealed in the former primary')
    else if (status !== 503 && status !== 201) fault(`the former primary was answered ${status}`)
    const shown = await api.call('GET', '/api/v1/chains/proof/checkpoint', { token: fixture.key })
    if (shown.body.data?.checkpoint) fault(`the former primary shows a checkpoint`)
  }
  way.leadTo(urlOf(site.standby))
}

export async function failOverOnce(site: Site, random: () => number): Promise<Round> {
  const faults: string[] = []
  const fault = (what: string) => void faults.push(what)
  const quorum = random() < 0.5
  const manner = manners[Math.floor(random() * manners.length)] as (typeof manners)[number]
  const { primary: former, standby: promoted } = site
  const fixtures = await site.fixtures(3)
  await setQuorum(former, quorum)
  await untilFollowing(former, quorum)
  const sealing = keepSealing(() => site.apis, fixtures, 6, site.served)
  for (let tries = 0; tries < 400 && sealing.acknowledged < 12; tries++) await pause(25)
  await pause(random() * 300)
  const disturbedAt = performance.now()
  await failOver(site, random, manner)
  const end = await settled(site, sealing)
  const lostLogs = end === 'refused' ? await acceptLoss(site, fault) : []
  if (end === 'refused' && quorum) fault('the fence refused a promoted standby although commits waited for it')
  // Logs without a loss go on, and a center that had no log begins one.
  const [extra] = lostLogs.length > 0 ? await fixtureIn(site, promoted) : []
  const later: Decided[] = []
  const goesOn = [...fixtures.filter((each) => !lostLogs.includes(logOf(each))), ...(extra ? [extra] : [])]
  for (const each of goesOn) {
    let again = await decide(site.apis[0] as Client, each, site.served)
    for (let tries = 0; !again.seal && tries < 40; tries++) {
      await pause(100)
      again = await decide(site.apis[0] as Client, each, site.served)
    }
    if (!again.seal) fault(`${logOf(each)} does not go on after the failover: ${again.status} ${again.code}`)
    later.push(again)
  }
  await sealing.stop()
  const decided = [...sealing.decided, ...later]
  for (const each of fixtures.filter((one) => lostLogs.includes(logOf(one)))) {
    const { seal, code, status } = await decide(site.apis[0] as Client, each, site.served)
    if (seal || !(code === 'CHAIN_BROKEN' || status === 201)) fault(`an incomplete log was answered ${status} ${code}`)
  }
  if (lostLogs.length > 0) await declareLoss(site, fixtures, lostLogs, fault)
  const odd = decided.filter(
    ({ status, code }) => ![200, 201, 503].includes(status as number) && code !== 'CHAIN_BROKEN',
  )
  for (const { status, code } of odd) fault(`a decision was answered ${status} ${code}`)
  // With a quorum, whoever was told that the outcome is unknown gets a seal with the same key.
  for (const each of quorum ? decided.filter(({ seal }) => !seal).slice(-5) : []) {
    const again = await decide(site.apis[0] as Client, each.fixture, site.served, each.idempotencyKey)
    if (!again.seal) fault(`a decision could not be repeated: ${again.status} ${again.code}`)
  }
  if (manner === 'killed') await former.start()
  await formerReturns(site, fixtures, fault)
  const { lost, committedTwice } = await examine(site, fixtures, decided, lostLogs, fault)
  if (quorum && lost > 0) fault(`${lost} acknowledged seals are lost although commits waited for the standby`)
  await setQuorum(promoted, false)
  await site.rebuild(promoted, former)
  const acknowledged = decided.filter(({ seal }) => seal).length
  return { faults, manner, quorum, acknowledged, lost, outageMs: longestGap(decided, disturbedAt), committedTwice }
}

/** A new center of the promoted database; the processes read its key there. */
const fixtureIn = (site: Site, cluster: Cluster): Promise<readonly Fixture[]> =>
  site.inWorld(cluster, async (world) => {
    const center = await world.center()
    return [{ center, key: await world.key(center, { scopes: ['proof:write', 'proof:read'] }) }]
  })

const ms = (values: readonly number[]) =>
  values.length === 0 ? null : { median: Math.round(median(values)), longest: Math.round(Math.max(...values)) }

export async function chaosFailover({ seed, rounds }: Pick<ChaosOptions, 'seed' | 'rounds'>): Promise<ChaosResult> {
  const random = seededRandom(seed)
  const site = await openSite()
  const done: Round[] = []
  try {
    for (let round = 1; round <= rounds; round++) {
      const result = await failOverOnce(site, random)
      const faults = [...result.faults, ...(await site.contradictions()), ...site.served.faults]
      done.push({ ...result, faults })
      for (const fault of faults) say(fault)
      const { manner, quorum, acknowledged, lost, outageMs } = result
      say(
        `round ${round}: ${manner}, ${quorum ? 'quorum' : 'asynchronous'}, ${acknowledged} seals, ${lost} lost by name, outage ${Math.round(outageMs)} ms, ${faults.length} faults`,
      )
    }
  } finally {
    await site.close()
  }
  const sum = (of: (round: Round) => number) => done.reduce((all, round) => all + of(round), 0)
  const whole = done.filter(({ lost }) => lost === 0)
  return {
    rounds,
    violations: sum(({ faults }) => faults.length),
    quorumRounds: done.filter(({ quorum }) => quorum).length,
    acknowledged: sum(({ acknowledged }) => acknowledged),
    lostByName: sum(({ lost }) => lost),
    lostWithQuorum: done.filter(({ quorum }) => quorum).reduce((all, { lost }) => all + lost, 0),
    roundsWithLoss: done.length - whole.length,
    shownCheckpoints: site.served.count,
    committedTwice: sum(({ committedTwice }) => committedTwice),
    outageMs: ms(whole.map(({ outageMs }) => outageMs)),
    outageWithOperatorMs: ms(done.filter(({ lost }) => lost > 0).map(({ outageMs }) => outageMs)),
  }
}
