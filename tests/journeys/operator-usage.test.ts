/** `npm run operator`: help, and the messages for wrong usage. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { misuse, run, runProgram } from './operator-shell.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const operator = (...args: string[]) => run(server, args)

describe('wrong usage of npm run operator', () => {
  it('shows the help and exits with 2 without a command, and exits with 0 with --help', async () => {
    const helped = await operator('--help')
    expect([helped.code, helped.complained]).toEqual([0, ''])
    for (const name of ['make-operator', 'move-subscription', 'end-center', 'create-program', 'end-sessions']) {
      expect(helped.said).toContain(`  ${name} `)
    }
    expect(await operator()).toEqual({ ...helped, code: 2 })
    expect(await runProgram(server, [])).toEqual({ ...helped, code: 2 })
    expect(await operator('end-center', '--help')).toEqual(helped)
  })

  it('lists the existing commands', async () => {
    const unknown = await runProgram(server, ['delete-everything'])
    expect(unknown.code).toBe(2)
    expect(unknown.complained).toMatch(/^Unknown command "delete-everything". Use one of: make-operator, /)
    expect((await operator('constructor')).code).toBe(2)
  })

  it('shows the usage of a command after too few or too many arguments', async () => {
    const form = misuse('Usage: npm run operator -- move-subscription CENTER STATUS')
    expect(await operator('move-subscription', 'haneul')).toEqual(form)
    expect(await operator('move-subscription', 'haneul', 'ACTIVE', 'now')).toEqual(form)
  })

  it('names a missing setting and an unreachable database', async () => {
    const unset = await run(server, ['end-center', 'x'], { SECRET_KEY: '' })
    expect([unset.code, unset.complained]).toEqual([1, expect.stringMatching(/^setting SECRET_KEY: /)])
    const away = await run(server, ['end-center', 'x'], { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nowhere' })
    expect([away.code, away.complained]).toEqual([
      1,
      expect.stringMatching(/^The service can't reach its data right now/),
    ])
  })
})
