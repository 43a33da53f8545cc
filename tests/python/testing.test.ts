/** `countersign.testing` behaves as the SDK's fake server does, and says what the contract says. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { parseExactly } from '@countersign/proof/parse.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assertKeepsContract } from '../support/contract-check.ts'
import { openProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { compiled, folder, python } from './environment.ts'

interface Played {
  readonly said: string[]
  readonly ran: number[]
  readonly waiting: string[]
  readonly exchanges: [method: string, path: string, status: number, headers: Record<string, string>, text: string][]
  readonly trust: string
}

const run = promisify(execFile)
const cases = JSON.parse(readFileSync(new URL('../../packages/sdk/test/fake-cases.json', import.meta.url), 'utf8'))
const env = { ...process.env, ...compiled, PYTHONPATH: join(folder, 'src') }
let interpreter: string
let server: TestServer

beforeAll(async () => {
  interpreter = await python()
  server = await startServer()
}, 600_000)
afterAll(() => server?.close())

it('plays the cases of the SDK, with answers of the contract and proofs that verify', {
  timeout: 180_000,
}, async () => {
  const { stdout } = await run(interpreter, [join(folder, 'tests/fake_cases.py')], { env, maxBuffer: 2 ** 26 })
  const all = JSON.parse(stdout) as Played[]
  expect(all).toHaveLength(2 * cases.length)
  for (const [at, { said, ran, waiting, exchanges, trust }] of all.entries()) {
    const wanted = cases[Math.floor(at / 2)]
    const says = wanted.steps.flatMap((step: { says?: string }) => step.says ?? [])
    expect({ said, ran, waiting }, wanted.name).toEqual({ said: says, ran: wanted.ran, waiting: wanted.waiting })
    const seen = exchanges.map(([method, path, status]) => `${method} ${plain(path)} ${status}`)
    if (wanted.exchanges) expect([...new Set(seen)].sort()).toEqual(wanted.exchanges)
    for (const [method, path, status, headers, text] of exchanges) {
      const response = { status, headers: new Headers(headers), text, body: JSON.parse(text) }
      assertKeepsContract(method, path, response as never)
      if (path.endsWith('/export') && status === 200) {
        const verdict = verifyProof(parseExactly(text), parsePolicy(trust))
        expect([verdict.standing, verdict.problems], wanted.name).toEqual(['sandbox', []])
      }
    }
  }
})

const plain = (path: string) => path.replaceAll(/(evt|evd)_\w+/g, '$1')

it('has a passkey that is registered as any other, and signs in the form of WebAuthn', {
  timeout: 120_000,
}, async () => {
  const { instructorToken: token } = await openProofFixture(server)
  const { origin } = server.services.passkeyHost
  const post = (rest: string, body?: object) =>
    server.call('POST', `/api/auth/passkeys${rest}`, { token, ...(body && { body }) })
  // One process for both answers: the key is in its memory.
  const program = `
import json, sys
from countersign.testing import software_passkey
passkey = software_passkey(${JSON.stringify(origin)})
for line in sys.stdin:
    kind, challenge = json.loads(line)
    print(json.dumps(getattr(passkey, kind)(challenge)), flush=True)
`
  const child = execFile(interpreter, ['-c', program], { env })
  const answers = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const ask = async (kind: string, challenge: string) => {
    child.stdin?.write(`${JSON.stringify([kind, challenge])}\n`)
    return JSON.parse((await answers.next()).value as string)
  }
  try {
    const { publicKey } = (await post('/register/options')).body.data
    const attestation = await ask('attestation', publicKey.challenge)
    const { challenge } = (await post('/register/attestation', { attestation })).body.data.publicKey
    const assertion = await ask('assertion', challenge)
    expect((await post('/register', { assertion })).status).toBe(201)
  } finally {
    child.kill()
  }
})
