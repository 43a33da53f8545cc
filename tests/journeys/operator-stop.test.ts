/** `npm run operator`: the operator stops something in one center, and only the operator lifts that. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { approved, consume, newExecutor } from '../../apps/server/features/evidence/executions/test/fixture.ts'
import { stateSigner } from '../../apps/server/sealing/key-queries.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { misuse, refusal, run } from './operator-shell.ts'

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
    misuse('WHAT must be agent:ID, key:ID, actions:TYPE,TYPE or everything, not "agent".'),
  )
  expect(await operator('stop', domain, 'everything', ' ')).toEqual(
    misuse('REASON must have 1 to 500 characters. Put it in quotes.'),
  )
  for (const what of ['key:key_0123456789abcdefghjkmnpqrs', 'actions:refund,message.*', 'everything']) {
    const { code, said } = await operator('stop', domain, what, 'A drill')
    expect(code).toBe(0)
    expect((await operator('lift-stop', domain, /frz_\w+/.exec(said)?.[0] as string, 'Over')).code).toBe(0)
  }
  expect((await operator('stop', 'no-such-center', 'everything', 'A drill')).code).toBe(1)
})

it('holds in all centers from then on, is entered before the next decision of each, and is lifted in all', async () => {
  const [one, other, idle] = [fixture, await openProofFixture(server), await openProofFixture(server)]
  const ready = await approved(one)
  const made = await operator('stop', '--all', 'agent:agent-7', 'A warning from its vendor')
  expect(made).toMatchObject({ code: 0, complained: '' })
  const id = /frz_\w+/.exec(made.said)?.[0] as string
  const stopsOf = async (of: ProofFixture) =>
    (await of.platform('GET', '/api/freezes')).body.data.filter((each: { id: string }) => each.id === id)
  expect(await stopsOf(idle)).toMatchObject([{ rank: 'operator', historyIndex: null, liftedAt: null }])

  // Whatever comes first in a center enters it: a request, a consumption, or a stop of its own.
  const refused = await other.decide()
  expect([refused.status, refused.body.error.details]).toEqual([409, { reason: 'frozen', freezeId: id }])
  const consumed = await consume(one, ready, newExecutor())
  expect([consumed.status, consumed.body.error.details]).toEqual([409, { reason: 'frozen', freezeId: id }])
  for (const each of [one, other]) {
    expect(await stopsOf(each)).toMatchObject([
      { historyIndex: expect.any(Number), reason: 'A warning from its vendor' },
    ])
    expect((await each.decide({ agent: { id: 'agent-8' } })).status).toBe(201)
  }

  expect((await one.platform('POST', `/api/freezes/${id}/lift`, { reason: 'Mine' })).status).toBe(403)
  expect(await operator('lift-stop', one.center.domain, id, 'Only here')).toMatchObject({ code: 1, said: '' })
  expect(await operator('lift-stop', '--all', id, 'The vendor has fixed it')).toMatchObject({ code: 0, complained: '' })
  expect((await consume(one, ready, newExecutor())).status).toBe(200)
  expect((await other.decide()).status).toBe(201)
  for (const each of [one, other]) {
    expect(await stopsOf(each)).toMatchObject([{ liftedBy: 'operator', liftReason: 'The vendor has fixed it' }])
    const { body } = await each.platform('GET', '/api/dpu/verify-chain?mode=records')
    expect(body.data).toMatchObject({ valid: true })
  }
  // Nothing happened there in between, so nothing is entered.
  expect((await idle.decide()).status).toBe(201)
  expect(await stopsOf(idle)).toEqual([])
  expect(await operator('lift-stop', '--all', id, 'Again')).toMatchObject({ code: 1, said: '' })
})

it('repeats a stop of all centers that did not reach every cell, without doubling it', async () => {
  const { said } = await operator('stop', '--all', 'actions:drill.*', 'A drill')
  const id = /frz_\w+/.exec(said)?.[0] as string
  expect(await operator('stop', '--all', 'actions:drill.*', 'A drill', id)).toMatchObject({ code: 0, said })
  const own = await openProofFixture(server)
  expect((await own.decide()).status).toBe(201)
  const { body } = await own.platform('GET', '/api/freezes')
  expect(body.data).toHaveLength(1)
  expect((await operator('lift-stop', '--all', id, 'Over')).code).toBe(0)
  expect(await operator('stop', '--all', 'everything', 'A drill', 'nonsense')).toMatchObject({ code: 1, said: '' })
  expect(await operator('stop', own.center.domain, 'everything', 'A drill', id)).toEqual(
    misuse('STOP is only for repeating a stop of all centers.'),
  )
})

it('refuses to write entries for another host than the servers do', async () => {
  const { domain } = (await openProofFixture(server)).center
  const { logHost } = server.services.config
  const elsewhere = { PUBLIC_URL: 'https://elsewhere.example' }
  // As every process states with which key it signs.
  const signer = { process: 'test', role: 'server', vkey: `${logHost}+00000000+AQ==`, refuses: false }
  const caller = { requestId: 'test', actorId: null, centerId: 0 }
  await server.services.directory.identity(caller, (tx) => stateSigner(tx, signer))
  const words = `The servers' logs are on the host ${logHost}, but this command would write entries for elsewhere.example. Nothing was changed. Run it with the servers' PUBLIC_URL and TLOG_HOST.`
  expect(await run(server, ['stop', domain, 'everything', 'A drill'], elsewhere)).toEqual(refusal(words))
  expect(await run(server, ['lift-stop', domain, 'frz_0', 'A drill'], elsewhere)).toEqual(refusal(words))
})
