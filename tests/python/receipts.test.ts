/** Receipts of a server: `verify_receipt` says in Python what `verifyReceipt` says in TypeScript, also of altered ones. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Countersign } from '../../packages/sdk/countersign.ts'
import { parseTrust, type SealReceipt, verifyReceipt } from '../../packages/sdk/receipts.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { compiled, folder, python } from './environment.ts'

const program = `
import json, sys
from countersign.proof import parse_policy, verify_receipt

given = json.load(sys.stdin)
trust = parse_policy(given["policy"])
said = [
    verify_receipt(each["receipt"], each["hash"], trust if each["trusted"] else None, sandbox=each["sandbox"])
    for each in given["cases"]
]
print(json.dumps([[each.ok, each.sandbox, each.in_chain, each.signed, each.witnessed] for each in said]))
`

let interpreter: string
let server: TestServer
let fixture: ProofFixture

beforeAll(async () => {
  interpreter = await python()
  server = await startServer()
  fixture = await openProofFixture(server)
}, 600_000)
afterAll(() => server?.close())

async function sealed(key: string): Promise<{ receipt: SealReceipt; hash: string }> {
  const client = new Countersign({ baseUrl: server.url, apiKey: key })
  const actor = { id: 'agent-7', type: 'ai_agent' } as const
  const { id } = await client.decisions.record({ type: 'ai_recommendation', actor, action: { type: 'plan.adjust' } })
  const approval = await client.approvals.create(id, { approver: { id: 'kim', type: 'human' }, result: 'approved' })
  if (!approval.receipt || !approval.sealedHash) throw new Error('There is no receipt.')
  return { receipt: approval.receipt as SealReceipt, hash: approval.sealedHash }
}

it('have the same verdict in both languages', { timeout: 180_000 }, async () => {
  const sandbox = await server.world.sandbox(fixture.center, fixture.admin)
  const [one, other, test] = [
    await sealed(fixture.key),
    await sealed(fixture.key),
    await sealed(await server.world.key(sandbox)),
  ]
  const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
  const changed = (change: object) => ({ ...one, receipt: { ...one.receipt, ...change } })
  const cases = [
    one,
    other,
    { ...one, trusted: false },
    { ...one, hash: other.hash },
    { ...one, hash: 'no hash' },
    changed({ index: other.receipt.index }),
    changed({ index: -1 }),
    changed({ index: '0' }),
    changed({ size: one.receipt.size + 1 }),
    changed({ log: other.receipt.log.replace('proof', 'dpu') }),
    changed({ checkpoint: other.receipt.checkpoint }),
    changed({ checkpoint: one.receipt.checkpoint.replaceAll('\n', '\r\n') }),
    changed({ inclusionProof: ['x'] }),
    changed({ inclusionProof: null }),
    changed({ inclusionProof: Array.from({ length: 70 }, () => 'A'.repeat(43).concat('=')) }),
    { ...one, receipt: null as unknown as SealReceipt },
    { ...one, receipt: [] as unknown as SealReceipt },
    test,
    { ...test, sandbox: true },
    { ...one, sandbox: true },
  ].map((each) => ({ trusted: true, sandbox: false, ...each }))
  const trust = parseTrust(policy)
  const wanted = cases.map(({ receipt, hash, trusted, sandbox: isTest }) => {
    const verdict = verifyReceipt(receipt, hash, trusted ? trust : null, { sandbox: isTest })
    const answers = [verdict.inChain, verdict.signed, verdict.witnessed].map(({ status }) => status)
    return [verdict.ok, verdict.sandbox, ...answers]
  })
  const said = execFileSync(interpreter, ['-c', program], {
    encoding: 'utf8',
    input: JSON.stringify({ policy, cases }),
    env: { ...process.env, PYTHONPATH: join(folder, 'src'), ...compiled },
  })
  expect(JSON.parse(said)).toEqual(wanted)
  expect(wanted.filter(([ok]) => ok)).toHaveLength(4)
})
