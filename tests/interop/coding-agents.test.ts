/** Real Claude Code and Codex behind the hook, with scripted models. `npm run chaos -- agents` runs every agent that we know. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agents } from '../../packages/cli/hook/agents.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { always, drivers } from './agents/drivers.ts'
import { journeys, runJourney } from './agents/journeys.ts'

let server: TestServer
const programs = new Map<string, string>()
const missing: string[] = []

beforeAll(async () => {
  for (const driver of always) {
    try {
      programs.set(driver.id, await driver.install())
    } catch (error) {
      missing.push(`${driver.id}: ${(error as Error).message.slice(0, 300)}`)
      process.stderr.write(`left out: ${missing.at(-1)}\n`)
    }
  }
  server = await startServer()
}, 600_000)
afterAll(() => server.close())

it('every agent of the hook has a driver, except Cursor, which does not run without its own service', () => {
  expect([...drivers.map(({ id }) => id), 'cursor'].toSorted()).toEqual(agents.map(({ id }) => id).toSorted())
})

describe.each(always)('$id', (driver) => {
  it.for(Object.keys(journeys))('%s', { timeout: 300_000 }, async (name, { skip }) => {
    const program = programs.get(driver.id)
    if (program === undefined) skip(missing.join('\n'))
    else await runJourney(name, { driver, program, server })
  })
})
