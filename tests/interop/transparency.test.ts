/** The published vectors and their page are fresh, and the checker in Python and OpenSSL agree with them. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { checkNote, parseNote, verifierKey } from '@countersign/proof/signed-note.ts'
import { readTimestamp } from '@countersign/proof/timestamp.ts'
import { parsePolicy, satisfied } from '@countersign/proof/trust-policy.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, read, root } from '../docs/blocks.ts'
import { askPython, runWithChecker } from './python.ts'
import { stamp, transparencyVectors } from './transparency-vectors.ts'

const file = 'docs/formats/transparency.json'
const vectors = transparencyVectors()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transparency-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the vectors', () => {
  it('are fresh (`npx vitest run tests/interop/transparency.test.ts -u` writes them)', async () => {
    await expect(`${JSON.stringify(vectors, null, 2)}\n`).toMatchFileSnapshot(`${root}${file}`)
  })

  it('are accepted and refused as stated', () => {
    for (const standing of ['holds', 'unvouched', 'altered'] as const) {
      expect([...new Set(vectors.exports[standing].map(({ verdict }) => verdict.standing))]).toEqual([standing])
    }
    const keys = vectors.notes.keys.map(verifierKey)
    for (const { note, signers } of vectors.notes.accepted) {
      const { signedBy, cosignedBy, bad } = checkNote(parseNote(note), keys)
      expect([...signedBy, ...cosignedBy.map(({ key }) => key)].map(({ vkey }) => vkey)).toEqual(signers)
      expect(bad).toEqual([])
    }
    for (const { note, about } of vectors.notes.refused) {
      const reading = () => {
        const read = parseNote(note)
        parseCheckpoint(read.text)
        if (checkNote(read, keys).bad.length > 0) throw new Error('bad')
      }
      expect(reading, about).toThrow()
    }
    for (const { policy, met, notMet } of vectors.policies.accepted) {
      for (const names of met) expect(satisfied(parsePolicy(policy), names)).toBe(true)
      for (const names of notMet) expect(satisfied(parsePolicy(policy), names)).toBe(false)
    }
    for (const { policy, about } of vectors.policies.refused) expect(() => parsePolicy(policy), about).toThrow()
  })

  it('get the same verdicts in Python', async () => {
    const policy = join(folder, 'policy.txt')
    await writeFile(policy, vectors.policy)
    const { holds, unvouched, altered } = vectors.exports
    const all = [...holds, ...unvouched, ...altered]
    const lines = all.map(({ document }) => JSON.stringify(document))
    const judged = await askPython(lines, '--trust', policy)
    for (const [at, { about, verdict }] of all.entries()) {
      const { valid, inChain, signed, witnessed, standing, redacted } = judged[at] as (typeof judged)[number]
      const intact = valid ? 'yes' : 'no'
      expect({ intact, inChain, signed, witnessed, standing }, about).toEqual({
        intact: verdict.intact,
        inChain: verdict.inChain,
        signed: verdict.signed,
        witnessed: verdict.witnessed,
        standing: verdict.standing,
      })
      expect(redacted).toEqual(verdict.redacted.map(({ path }) => path))
    }
  })

  it('of keys, trees, notes and policies hold in Python', async () => {
    const program = `
import base64, hashlib, json
from countersign.proof._tlog import *
vectors = json.loads(sys.stdin.buffer.read().decode())
for key in vectors["keys"]:
    assert read_vkey(key["vkey"]) == (key["name"], key["type"], bytes.fromhex(key["publicKey"])), key
    assert key_id(key["name"], key["type"], bytes.fromhex(key["publicKey"])).hex() == key["keyId"], key
tree = vectors["tree"]
leaves = [leaf_hash(each) for each in tree["chainHashes"]]
assert [base64.b64encode(each).decode() for each in leaves] == tree["leaves"]
roots = [base64.b64decode(each) for each in tree["roots"]]
for each in tree["inclusion"]:
    path = [base64.b64decode(one) for one in each["proof"]]
    assert root_from_path(leaves[each["index"]], each["index"], each["size"], path) == roots[each["size"]], each
    assert root_from_path(leaves[each["index"]], each["index"], each["size"], path + [roots[1]]) is None, each
notes = vectors["notes"]
keys = [read_vkey(each) for each in notes["keys"]]
def signers(note):
    text, signatures = read_note(note)
    read_checkpoint(text)
    found = []
    for vkey, (name, kind, public_key) in zip(notes["keys"], keys):
        for by, identity, data in signatures:
            if (by, identity) == (name, key_id(name, kind, public_key)):
                time = int.from_bytes(data[:8], "big")
                head = "cosignature/v1\\ntime %d\\n" % time if kind == 4 else ""
                demand(ed25519_verify(public_key, (head + text).encode(), data[8:] if kind == 4 else data), "bad")
                found.append(vkey)
    return found
for each in notes["accepted"]:
    assert signers(each["note"]) == each["signers"], each
def refuses(action, about):
    try:
        action()
    except Malformed:
        return
    raise AssertionError(about)
for each in notes["refused"]:
    refuses(lambda: signers(each["note"]), each)
for each in vectors["policies"]["accepted"]:
    policy = read_policy(each["policy"])
    met = lambda names: policy["quorum"] == "none" or is_met(policy, policy["quorum"], set(names))
    assert all(met(names) for names in each["met"]) and not any(met(names) for names in each["notMet"]), each
for each in vectors["policies"]["refused"]:
    refuses(lambda: read_policy(each["policy"]), each)
`
    await runWithChecker(program, [JSON.stringify(vectors)])
  })
})

describe('the time-stamp', () => {
  it('has the content that OpenSSL reads', async () => {
    const files = {
      token: Buffer.from(stamp.token, 'base64'),
      checkpoint: stamp.checkpoint,
      authority: stamp.authority,
    }
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    const openssl = (...args: string[]) => promisify(execFile)('openssl', ['ts', ...args], { cwd: folder })
    const { stdout, stderr } = await openssl(
      ...['-verify', '-token_in', '-in', 'token', '-data', 'checkpoint', '-CAfile', 'authority'],
    )
    expect(stdout + stderr).toContain('Verification: OK')
    const { at, digest } = readTimestamp(files.token)
    const printed = await openssl('-reply', '-token_in', '-in', 'token', '-text')
    const time = new Date(at as string)
    expect(printed.stdout).toContain(
      `${time.toUTCString().slice(8, 11)} ${time.getUTCDate()} ${time.toISOString().slice(11, 19)}`,
    )
    expect(printed.stdout.replaceAll(/[^0-9a-f]/g, '')).toContain(digest.slice(0, 32))
  })

  it('is refused or unchanged in meaning after a change of one byte', () => {
    const token = Buffer.from(stamp.token, 'base64')
    const genuine = readTimestamp(token)
    let refused = 0
    for (const [at, byte] of token.entries()) {
      for (const mask of [1, 0x80]) {
        try {
          const { digest, at: time } = readTimestamp(token.with(at, byte ^ mask))
          expect([genuine.at, null]).toContain(time)
          expect(digest).toBe(genuine.digest)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
          refused++
        }
      }
    }
    expect(refused).toBeGreaterThan(300)
    for (let end = 0; end < token.length; end++) expect(() => readTimestamp(token.subarray(0, end))).toThrow(RangeError)
  })
})

describe('the page', () => {
  const page = read('docs/formats/transparency.md')
  const block = (label: string) => blocksOf(page).find((each) => each.label === label)?.text

  it('shows the worked example and the policy of the vectors', () => {
    expect(block('tlog-proof')).toBe(vectors.workedExample.tlogProof)
    expect(block('policy')?.split('\n')).toEqual(vectors.policy.split('\n'))
    for (const { vkey } of vectors.keys.slice(0, 2)) expect(page).toContain(vkey)
  })
})
