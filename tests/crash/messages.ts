/**
 * Causes of messages in the directory and in a cell, and workers that are killed while they tell and send. Every cause must reach its
 * person by email; without a kill once, and after a kill at most the messages in flight twice, each with its own Message-ID.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { benchLog } from '../bench/chains.ts'
import { makePlace, settings } from '../bench/place.ts'
import { short } from '../bench/sized.ts'
import { openMailbox } from '../support/mailbox.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld } from '../support/world.ts'
import { type KillableServer, startKillable } from './killable-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

const workers = 2
/** Connections of one process to the mail server. */
const inFlight = 5
const people = 20
const quietMs = 90_000

export async function chaosMessages({ seed, rounds, more }: ChaosOptions): Promise<ChaosResult> {
  const kills = more.crashes ?? (short ? 1 : 20)
  const random = seededRandom(seed)
  const place = await makePlace()
  const world = await openWorld(place.url)
  const mailbox = await openMailbox()
  const environment = {
    ...settings(place, 'worker'),
    ...benchLog.settings,
    PUBLIC_URL: 'http://countersign.test',
    LOG_LEVEL: 'fatal',
    SMTP_URL: mailbox.url,
  }
  let running: readonly KillableServer[] = []
  const start = async () => {
    running = await Promise.all(
      Array.from({ length: workers }, () =>
        startKillable(environment, { file: 'tests/crash/messages-worker.process.ts' }),
      ),
    )
  }
  const kill = () => Promise.all(running.map((worker) => worker.stop()))
  try {
    const center = await world.center()
    const members = await Promise.all(Array.from({ length: people }, () => world.person()))
    for (const member of members) await world.member(member, center, 'INSTRUCTOR')
    const ids = members.map(({ actorId }) => actorId)
    /** Half of them in the directory, half in the cell; the link in the email says which cause it is of. */
    const cause = async (from: number, to: number) => {
      const facts = `json_build_object('requester', json_build_array(($1::uuid[])[1 + n % ${people}]), 'id', 'evt_' || n)`
      const range = `generate_series($3::integer, $4::integer - 1) n`
      await world.query(
        `insert into directory.message_causes (id, event, center_id, facts, noted_at, next_at, expires_at)
         select 'chaos ' || n, 'decided', $2::integer, ${facts}, now(), now(), now() + interval '1 day' from ${range} where n % 2 = 0`,
        [ids, center.id, from, to],
      )
      await world.query(
        `insert into cell.message_causes (center_id, id, event, facts, noted_at, expires_at)
         select $2::integer, 'chaos ' || n, 'decided', ${facts}, now(), now() + interval '1 day' from ${range} where n % 2 = 1`,
        [ids, center.id, from, to],
      )
    }
    const read = () => {
      const counts = new Map<string, string[]>()
      for (const { text, messageId } of mailbox.messages) {
        const [, id = ''] = /\/approve\/(evt_\d+)\b/.exec(text) ?? []
        counts.set(id, [...(counts.get(id) ?? []), messageId])
      }
      return counts
    }
    /** Gives up when nothing has arrived for a while, and not after a time of all. */
    const arrive = async (wanted: number) => {
      for (
        let [seen, since] = [-1, Date.now()];
        read().size < wanted && Date.now() - since < quietMs;
        await sleep(200)
      ) {
        if (mailbox.messages.length > seen) [seen, since] = [mailbox.messages.length, Date.now()]
      }
    }
    /** What a killed worker held is due when its lease ends; nobody holds anything now. */
    const endLeases = async () => {
      await world.query('update directory.mails set next_at = now()')
      await world.query('update directory.message_causes set next_at = now() where told_at is null')
    }
    const calm = Math.ceil(rounds / 10)
    await cause(0, calm)
    await start()
    await arrive(calm)
    await sleep(500)
    const repeatedCalm = mailbox.messages.length - read().size
    await cause(calm, rounds)
    for (let n = 0; n < kills; n++) {
      const wanted = mailbox.messages.length + 1 + Math.floor((random() * (rounds - calm)) / (kills + 1))
      const until = Date.now() + 60_000
      while (mailbox.messages.length < wanted && Date.now() < until) await sleep(1)
      await kill()
      await endLeases()
      await start()
    }
    await arrive(rounds)
    await sleep(1500)
    await kill()
    const counts = read()
    const missing = rounds - counts.size
    const repeated = mailbox.messages.length - counts.size
    const otherIds = [...counts.values()].filter((each) => new Set(each).size > 1).length
    const most = kills * workers * inFlight
    const violations = missing + repeatedCalm + otherIds + Math.max(0, repeated - most)
    return { rounds, violations, kills, causes: rounds, missing, repeated, most, repeatedCalm, otherIds }
  } finally {
    await kill()
    await mailbox.close()
    await world.close()
    await place.close()
  }
}
