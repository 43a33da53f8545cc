/** `npm run operator`: the operator stops something in one center, and only the operator lifts that. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { misuse, run } from './operator-shell.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
})
afterAll(() => server.close())

/** Entries name the host of the log, so the command needs the server's address. */
const operator = (...args: string[]) => run(server, args, { PUBLIC_URL: server.services.config.publicUrl })

it('holds in a server that runs, is sealed, and an administrator cannot lift it', async () => {
  const { domain } = fixture.center
  const made = await operator('stop', domain, 'agent:agent-7', 'A warning from its maker')
  expect(made).toMatchObject({ code: 0, complained: '' })
  const id = /frz_\w+/.exec(made.said)?.[0] as string
  const refused = await fixture.decide()
  expect([refused.status, refused.body.error.details]).toEqual([409, { reason: 'frozen', freezeId: id }])
  expect((await fixture.decide({ agent: { id: 'agent-8' } })).status).toBe(201)
  const { body: listed } = await fixture.platform('GET', '/api/freezes')
  expect(listed.data[0]).toMatchObject({ id, rank: 'operator', madeBy: 'operator', reason: 'A warning from its maker' })
  const own = await fixture.platform('POST', `/api/freezes/${id}/lift`, { reason: 'Mine' })
  expect([own.status, own.body.error.code]).toEqual([403, 'FORBIDDEN'])

  const lifted = await operator('lift-stop', domain, id, 'The maker has fixed it')
  expect(lifted).toMatchObject({ code: 0, complained: '' })
  expect((await fixture.decide()).status).toBe(201)
  expect(await operator('lift-stop', domain, id, 'Again')).toMatchObject({ code: 1, said: '' })
  const { body } = await fixture.platform('GET', '/api/dpu/verify-chain?mode=records')
  expect(body.data).toMatchObject({ valid: true })
})

it('takes one agent, one key, action types or everything, with a reason', async () => {
  const { domain } = fixture.center
  expect(await operator('stop', domain, 'agent', 'A reason')).toEqual(
    misuse('WHAT is agent:ID, key:ID, actions:TYPE,TYPE or everything, not "agent".'),
  )
  expect(await operator('stop', domain, 'everything', ' ')).toEqual(
    misuse('REASON has 1 to 500 characters; put it in quotes.'),
  )
  for (const what of ['key:key_0123456789abcdefghjkmnpqrs', 'actions:refund,message.*', 'everything']) {
    const { code, said } = await operator('stop', domain, what, 'A drill')
    expect(code).toBe(0)
    expect((await operator('lift-stop', domain, /frz_\w+/.exec(said)?.[0] as string, 'Over')).code).toBe(0)
  }
  expect((await operator('stop', 'no-such-center', 'everything', 'A drill')).code).toBe(1)
})
