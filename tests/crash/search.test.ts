/** A worker that is killed while it makes decisions searchable: the next one continues at its place, and everything is found. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { fillDecisions } from '../bench/search-data.ts'
import { startServer, testRedis } from '../support/server.ts'
import { startKillable } from './killable-server.ts'

const rows = 6000

it('the index catches up after kill -9', { timeout: 120_000 }, async () => {
  const server = await startServer()
  const { world } = server
  const center = await world.center()
  const admin = await world.person()
  await world.member(admin, center)
  const questions = await fillDecisions(world, center.id, rows)
  const standing = async () => {
    const [row] = await world.query<{ words: number; left: number }>(
      `select (select count(*)::int from cell.decision_words where center_id = $1) as words,
         (select count(*)::int from cell.decision_events where center_id = $1 and seq > coalesce(
           (select recorded_through from cell.decision_word_marks where center_id = $1), 0)) as left`,
      [center.id],
    )
    return row ?? { words: 0, left: rows }
  }
  const { config } = server.services
  const begin = () =>
    startKillable({
      ROLE: 'worker',
      DATABASE_URL: config.databaseUrl,
      REDIS_URL: testRedis,
      REDIS_PREFIX: config.redisPrefix,
      SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
    })
  const killed = await begin()
  while ((await standing()).words === 0) await sleep(5)
  process.kill(killed.pid, 'SIGKILL')
  expect(await killed.ended).toBe('SIGKILL')
  const { words, left } = await standing()
  // What is written and its place are one commit.
  expect(words + left).toBe(rows)
  expect(left).toBeGreaterThan(0)

  const next = await begin()
  while ((await standing()).left > 0) await sleep(50)
  expect((await standing()).words).toBe(rows)
  await next.stop()
  const { accessToken: token } = await server.signIn(admin, center.domain)
  let right = 0
  for (const { q, right: name } of questions) {
    const { body } = await server.call('GET', `/api/search/decisions?${new URLSearchParams({ q })}`, { token })
    if (body.data.decisions.slice(0, 3).some(({ decisionId }: { decisionId: string }) => decisionId === name)) right++
  }
  expect(right).toBeGreaterThanOrEqual(55)
  await server.close()
})
