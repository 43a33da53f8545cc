/**
 * Checkpoints, proofs and keys between our server and libraries in Go that know nothing of it. Each accepts what the
 * server signed and refuses an altered copy; our verifier accepts what they signed.
 */
import { checkAnchor } from '@countersign/proof/anchor.ts'
import { toBase64 } from '@countersign/proof/base64.ts'
import { verifierKey } from '@countersign/proof/signed-note.ts'
import { consistencyProof, emptyFrontier, grow, inclusionProof, leafHash, nodeHash } from '@countersign/proof/tree.ts'
import { logKeyFor, parsePolicy } from '@countersign/proof/trust-policy.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostKey } from '../support/little-log.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { askGo, describeWith, trusting } from './other-programs.ts'

const libraries = ['golang.org/x/mod/sumdb/note', 'github.com/transparency-dev/formats', 'filippo.io/torchwood']
const inBytes = (hash: string): string => Buffer.from(hash.replace('sha256:', ''), 'hex').toString('base64')
/** Another base64 text of the same length. */
const altered = (base64: string): string => `${base64.startsWith('A') ? 'B' : 'A'}${base64.slice(1)}`

describeWith(['go'], 'a log of the server', () => {
  let server: TestServer
  let fixture: ProofFixture
  let origin: string
  let logKey: string
  /** By size: the checkpoint and its root. The chain hash of each entry. */
  const checkpoints: { size: number; root: string; checkpoint: string }[] = []
  const entries: string[] = []

  const get = async (path: string) => (await fixture.v1('GET', `/api/v1/chains/proof/${path}`)).body.data
  beforeAll(async () => {
    server = await startServer({ env: { TLOG_HOST: 'checked.test' } })
    fixture = await openProofFixture(server)
    for (let made = 0; made < 7; made++) {
      await fixture.decide()
      checkpoints.push(await get('checkpoint'))
    }
    const { body } = await server.call('GET', '/.well-known/countersign-log.json')
    const hostKeys = body.keys.map(({ vkey }: { vkey: string }) => vkey)
    const lines = await fixture.v1('GET', '/api/v1/chains/proof/entries')
    entries.push(
      ...lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).hash as string),
    )
    origin = (await get('checkpoint')).log
    ;[logKey = ''] = await askGo<string>('log-key', [{ hostKey: hostKeys[0], origin }])
    expect(logKey).toBe(logKeyFor(verifierKey(hostKeys[0]), origin)?.vkey)
  })
  afterAll(() => server.close())

  it('has checkpoints that three libraries read alike under the key of the log', async () => {
    const read = await askGo<Record<string, object>>(
      'checkpoint',
      checkpoints.map(({ checkpoint }) => ({ note: checkpoint, ...trusting(logKey) })),
    )
    for (const [at, { size, root }] of checkpoints.entries()) {
      const whole = { origin, size, root, signers: [origin] }
      expect(read[at]).toEqual({
        [libraries[0] as string]: { signers: [origin] },
        [libraries[1] as string]: whole,
        [libraries[2] as string]: whole,
      })
    }
  })

  it('has checkpoints that no library accepts with another size, root, name, signature or key', async () => {
    const { checkpoint, root, size } = checkpoints[6] as (typeof checkpoints)[number]
    const signature = checkpoint.trimEnd().split(' ').at(-1) as string
    const bytes = Buffer.from(signature, 'base64')
    const forged = bytes.with(20, (bytes[20] as number) ^ 1)
    const [otherKey = ''] = await askGo<string>('log-key', [{ hostKey: hostKey('checked.test').vkey, origin }])
    const cases = [
      { note: checkpoint.replace(`\n${size}\n`, `\n${size + 1}\n`), ...trusting(logKey) },
      { note: checkpoint.replace(root, altered(root)), ...trusting(logKey) },
      { note: checkpoint.replaceAll(origin, `${origin}x`), ...trusting(logKey) },
      { note: checkpoint.replace(signature, Buffer.from(forged).toString('base64')), ...trusting(logKey) },
      { note: checkpoint, ...trusting(otherKey) },
    ]
    const read = await askGo<Record<string, { error?: string }>>('checkpoint', cases)
    for (const each of read) for (const library of libraries) expect(each[library]?.error).toMatch(/\w/)
  })

  it('has portable proofs that two libraries accept for their entry, and for no other', async () => {
    const proofs = await Promise.all(entries.map((_, index) => get(`proofs/${index}`)))
    const ask = (cases: readonly { tlogProof: string; entry: string }[]) =>
      askGo<Record<string, string>>(
        'tlog-proof',
        cases.map(({ tlogProof, entry }) => ({ text: tlogProof, entry: inBytes(entry), ...trusting(logKey) })),
      )
    const right = await ask(proofs.map(({ tlogProof }, at) => ({ tlogProof, entry: entries[at] as string })))
    for (const each of right) expect(new Set(Object.values(each))).toEqual(new Set(['ok']))
    const wrong = await ask(proofs.map(({ tlogProof }, at) => ({ tlogProof, entry: entries.at(at - 1) as string })))
    for (const each of wrong) expect(Object.values(each)).not.toContain('ok')
  })

  it('has inclusion and consistency proofs that transparency-dev/merkle accepts, and refuses when altered', async () => {
    const inclusions = await Promise.all(
      checkpoints.flatMap(({ size, root }) =>
        entries.slice(0, size).map(async (entry, index) => {
          const { inclusionProof: proof } = await get(`proofs/${index}?size=${size}`)
          return { index, size, entry: inBytes(entry), root, proof }
        }),
      ),
    )
    const consistencies = await Promise.all(
      checkpoints.flatMap((older) =>
        checkpoints.slice(older.size).map(async (newer) => {
          const { consistencyProof: proof } = await get(`consistency?from=${older.size}&to=${newer.size}`)
          return { from: older.size, to: newer.size, oldRoot: older.root, newRoot: newer.root, proof }
        }),
      ),
    )
    await expectChecked('inclusion', inclusions, ({ root, entry, proof }) => [
      { root: altered(root) },
      { entry: altered(entry) },
      { proof: [...proof, root] },
    ])
    await expectChecked('consistency', consistencies, ({ oldRoot, newRoot, proof }) => [
      { oldRoot: altered(oldRoot) },
      { newRoot: altered(newRoot) },
      { proof: [...proof, newRoot] },
    ])
  })
})

/** Go accepts each case, and none of its altered copies. */
async function expectChecked<T>(command: string, cases: readonly T[], alter: (each: T) => Partial<T>[]): Promise<void> {
  expect(cases.length).toBeGreaterThan(20)
  expect(new Set(await askGo<string>(command, cases))).toEqual(new Set(['ok']))
  const copies = cases.flatMap((each) => alter(each).map((change) => ({ ...each, ...change })))
  expect(await askGo<string>(command, copies)).not.toContain('ok')
}

describeWith(['go'], 'our code and transparency-dev/merkle', () => {
  const most = 70
  const hashes = Array.from({ length: most }, (_, at) => Buffer.alloc(32, at + 1).toString('hex'))
  const leaves = hashes.map((each) => leafHash(each))
  const nodeAt = (height: number, index: number): Uint8Array =>
    height === 0
      ? (leaves[index] as Uint8Array)
      : nodeHash(nodeAt(height - 1, 2 * index), nodeAt(height - 1, 2 * index + 1))
  const sizes = Array.from({ length: most }, (_, at) => at + 1)
  const roots = sizes.map((size) => toBase64(grow(emptyFrontier, leaves.slice(0, size)).root))

  it(`agree on every inclusion proof of every tree of up to ${most} entries`, async () => {
    const cases = sizes.flatMap((size) =>
      hashes.slice(0, size).map((entry, index) => ({
        ...{ index, size, entry: inBytes(entry), root: roots[size - 1] },
        proof: inclusionProof(index, size, nodeAt).map(toBase64),
      })),
    )
    await expectChecked('inclusion', cases, ({ index, size }) => [{ index: (index + 1) % size, size: size + 1 }])
  })

  it('agree on every consistency proof between two of them', async () => {
    const cases = sizes.flatMap((to) =>
      sizes.slice(0, to - 1).map((from) => ({
        ...{ from, to, oldRoot: roots[from - 1] as string, newRoot: roots[to - 1] as string },
        proof: consistencyProof(from, to, nodeAt).map(toBase64),
      })),
    )
    await expectChecked('consistency', cases, ({ oldRoot, newRoot, proof }) => [
      { oldRoot: newRoot, newRoot: oldRoot },
      { proof: proof.slice(1) },
    ])
  })
})

describeWith(['go'], 'a log that libraries in Go build, sign and cosign', () => {
  interface Written {
    readonly logKey: string
    readonly witnessKeys: readonly [string, string]
    readonly tlogProof: string
  }
  const origin = 'elsewhere.test/log'
  const hashes = Array.from({ length: 11 }, (_, at) => Buffer.alloc(32, 0xa0 + at).toString('hex'))

  it('is accepted by our verifier under a policy with its keys, and refused when altered', async () => {
    const plans = hashes.map((_, index) => ({ origin, index, entries: hashes.map(inBytes) }))
    for (const [index, { logKey, witnessKeys, tlogProof }] of (await askGo<Written>('log', plans)).entries()) {
      const policy = parsePolicy(trusting(logKey, ...witnessKeys).policy)
      const judged = (proof: string, hash = hashes[index]) => {
        const { inChain, signed, witnessed } = checkAnchor({ log: origin, index, hash }, proof, policy)
        return [inChain.status, signed.status, witnessed.status]
      }
      expect(judged(tlogProof)).toEqual(['yes', 'yes', 'yes'])
      expect(judged(tlogProof, hashes.at(index - 1))).toEqual(['no', 'yes', 'yes'])
      expect(judged(tlogProof.replace('\n11\n', '\n12\n')).slice(1)).toEqual(['no', 'no'])
      const withoutLast = tlogProof.slice(0, tlogProof.lastIndexOf('—'))
      expect(judged(withoutLast)).toEqual(['yes', 'yes', 'no'])
    }
  })
})
