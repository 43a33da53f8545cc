import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519Verify } from '@countersign/proof/ed25519.node.ts'
import { verifierKey, vkeyOf } from '@countersign/proof/signed-note.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { endorsementText, localSigner, readLogKeys } from '../../../../sealing/log-keys.ts'
import { openReader } from './log-reader.ts'

const host = 'countersign.test'
const [oldSeed, newSeed] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const from = '2026-06-01T00:00:00.000Z'
const witnessKey = vkeyOf('witness.example/w1', 4, localSigner(randomBytes(32)).publicKey)

let folder: string
let before: TestServer
let server: TestServer
const keyFile = () => join(folder, 'log-key')
const policyFile = () => join(folder, 'policy')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-keys-'))
  before = await startServer({ env: { TLOG_KEY: oldSeed } })
  const { vkey } = readLogKeys(newSeed, host).all[0] as { vkey: string }
  const endorsed = Buffer.from(endorsementText(vkey, from))
  const [endorsement] = localSigner(Buffer.from(oldSeed, 'base64')).sign([endorsed]) as Uint8Array[]
  const signed = Buffer.from(endorsement as Uint8Array).toString('base64')
  writeFileSync(keyFile(), `private ${newSeed} ${from} ${signed}\nprivate ${oldSeed} 2026-01-01T00:00:00.000Z\n`)
  writeFileSync(policyFile(), `witness w1 ${witnessKey} https://witness.example/\nquorum w1\n`)
  server = await startServer({ beside: before, env: { TLOG_KEY_FILE: keyFile(), TLOG_POLICY_FILE: policyFile() } })
})
afterAll(async () => {
  await server.close()
  await before.close()
  rmSync(folder, { recursive: true })
})

const documentOf = async (of: TestServer) => (await of.call('GET', '/.well-known/countersign-log.json')).body

describe('the document of a host', () => {
  it('publishes the names, the key and an empty list of witnesses by default', async () => {
    const { status, headers, body } = await before.call('GET', '/.well-known/countersign-log.json')
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('application/json')])
    const { vkey } = body.keys[0]
    expect(body).toEqual({
      logHost: host,
      originTemplate: `${host}/c/{centerId}/{domain}`,
      sandboxOriginTemplate: `${host}/sandbox/{centerId}/{domain}`,
      domains: expect.arrayContaining(['proof', 'dpu', 'history']),
      keys: [
        {
          vkey,
          from: '1970-01-01T00:00:00.000Z',
          until: null,
          stolenAt: null,
          endorsement: null,
          endorsedText: endorsementText(vkey, '1970-01-01T00:00:00.000Z'),
        },
      ],
      witnesses: [],
      quorum: 'none',
      policy: `log ${vkey}\n#passkeys countersign.test http://countersign.test\nquorum none\n`,
    })
  })

  it('never includes a secret', async () => {
    const text = JSON.stringify(await documentOf(server))
    for (const seed of [oldSeed, newSeed]) expect(text).not.toContain(seed)
  })

  it('lists all keys, newest first, each endorsed by the previous one', async () => {
    const { keys } = await documentOf(server)
    expect(keys.map((key: { from: string; until: string | null }) => [key.from, key.until])).toEqual([
      [from, null],
      ['2026-01-01T00:00:00.000Z', from],
    ])
    const [newer, older] = keys
    const { publicKey } = verifierKey(older.vkey)
    const signature = Buffer.from(newer.endorsement, 'base64')
    expect(ed25519Verify(publicKey, Buffer.from(newer.endorsedText), signature)).toBe(true)
    expect(newer.endorsedText).toContain(newer.vkey)
  })

  it('names the witnesses, as a list and as a policy file', async () => {
    const { witnesses, quorum, policy, keys } = await documentOf(server)
    expect(witnesses).toEqual([{ name: 'w1', vkey: witnessKey, url: 'https://witness.example/' }])
    expect(quorum).toBe('w1')
    const parsed = parsePolicy(policy)
    expect(parsed.logs.map(({ key }) => key.vkey)).toEqual(keys.map(({ vkey }: { vkey: string }) => vkey))
    expect(parsed.quorum).toBe('w1')
  })
})

describe('a rotated key', () => {
  it('continues the chain of the previous key, and all checkpoints verify under the document', async () => {
    const fixture = await openProofFixture(before)
    await fixture.decide()
    const checkpoint = async (of: TestServer) =>
      (await of.call('GET', '/api/v1/chains/proof/checkpoint', { token: fixture.key })).body.data.checkpoint
    const first = await checkpoint(before)
    const after = {
      ...fixture,
      server,
      v1: (method: string, path: string) => server.call(method, path, { token: fixture.key }),
    }
    const decision = { agent: { id: 'agent-7' }, action: { type: 'stock.reorder' }, reason: 'Nine boxes left.' }
    const sealed = await server.call('POST', '/api/v1/agents/decide', { token: fixture.key, body: decision })
    expect(sealed.status).toBe(201)
    const reader = await openReader(after)
    const [older, newer] = [reader.said(first), reader.said(await checkpoint(server))]
    expect([older.size, newer.size]).toEqual([1, 2])
    expect(await reader.continues(older, newer)).toBe(true)
    const [hash] = await reader.hashes()
    expect(await reader.proves(hash as string, 0, 1)).toBe(true)
  })
})

describe('a malformed policy', () => {
  it('stops the start with a message that names the line', async () => {
    writeFileSync(policyFile(), 'witness w1\nquorum w1\n')
    await expect(startServer({ beside: before, env: { TLOG_POLICY_FILE: policyFile() } })).rejects.toThrow(
      /^setting TLOG_POLICY_FILE: Line \d+ of the trust policy/,
    )
  })
})
