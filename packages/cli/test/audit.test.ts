import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import {
  cosignatureBytes,
  cosignatureMessage,
  keyIdOf,
  parseNote,
  signatureLine,
  vkeyOf,
} from '@countersign/proof/signed-note.ts'
import { verifyConsistency } from '@countersign/proof/tree.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostKey } from '../../../tests/support/little-log.ts'
import { host, type LittleService, littleService, logOf, makeChain } from './little-service.ts'
import { countersign, type Ended } from './program.ts'

let service: LittleService
let folder: string
let memory: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'))
  memory = join(folder, 'state', 'audit.json')
  service = await littleService({ proof: 300, dpu: 7, history: 1 })
})
afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const audit = (...more: string[]): Promise<Ended> =>
  countersign(['audit', '--base-url', service.url, '--memory', memory, ...more], {
    env: { COUNTERSIGN_API_KEY: 'test-key' },
  })
/** The checks of one chain, by subject. */
async function checksOf(...more: string[]) {
  const { code, out, err } = await audit('--json', ...more)
  if (code === 2) throw new Error(err)
  const report = JSON.parse(out)
  const of = (domain: string) =>
    Object.fromEntries(
      report.chains
        .find((chain: { domain: string }) => chain.domain === domain)
        .checks.map(({ about, status, code: found, ...rest }: Record<string, unknown>) => [
          about,
          { status, code: found, ...rest },
        ]),
    )
  return { code, report, proof: report.chains[0].domain === 'proof' ? of('proof') : {}, of }
}
const grown = (length: number, story?: string) => {
  service.chains.proof = makeChain(logOf('proof'), 'proof', length, story)
}
const kept = () => JSON.parse(readFileSync(memory, 'utf8'))

describe('an honest log', () => {
  it('holds, in words: how much was checked, whom it believes and what it remembers', async () => {
    const { code, out, err } = await audit()
    expect(code).toBe(0)
    expect(err).toBe('')
    expect(out).toContain(`Audit of ${host} at ${service.url}`)
    expect(out).toContain('This is the first audit, so the key was taken from the server itself')
    expect(out).toContain('✓ proof (log.example/c/42/proof)')
    expect(out).toContain('300 in total; every hash, link, position and time is valid.')
    expect(out).toContain('randomly chosen entries are valid.')
    expect(out).toContain('✓ history (log.example/c/42/history)')
    expect(out).toContain('Everything verified.')
    expect(statSync(memory).mode & 0o777).toBe(0o600)
    expect(kept().logs[logOf('proof')].audits).toMatchObject([{ size: 300, note: expect.stringContaining('\n300\n') }])
  })

  it('is held against what was seen before, again and again', async () => {
    for (const size of [300, 300, 301, 512, 1000]) {
      grown(size)
      const { code, proof } = await checksOf()
      expect([code, proof.entries.code]).toEqual([0, 'chain-holds'])
    }
    expect(kept().logs[logOf('proof')].audits.map((seen: { size: number }) => seen.size)).toEqual([300, 301, 512, 1000])
    const { out } = await audit()
    expect(out).toMatch(/Everything that was there on \S+ \(entries: 1,000\) is still there, unchanged\./)
    expect(out).toMatch(/Keys: .*known since/)
    expect(service.asked.filter((path) => path.includes('/proof/consistency'))).toHaveLength(3)
  })

  it('may be empty at first', async () => {
    service.chains.proof = []
    expect((await checksOf()).proof.entries).toMatchObject({ status: 'yes', code: 'empty' })
    grown(5)
    expect((await checksOf()).proof.continues).toMatchObject({ status: 'yes', size: 0 })
  })

  it('may grow while it is read: what came after the checkpoint is for the next time', async () => {
    service.signedSize = 256
    const { code, proof } = await checksOf('--domain', 'proof')
    expect([code, proof.entries]).toMatchObject([0, { size: 256 }])
  })

  it('speaks Korean to whoever does', async () => {
    const env = { COUNTERSIGN_API_KEY: 'test-key', LANG: 'ko_KR.UTF-8' }
    const { code, out } = await countersign(['audit', '--base-url', service.url, '--memory', memory], { env })
    expect(code).toBe(0)
    expect(out).toContain('첫 감사이므로')
    expect(out).toContain('모두 검증되었습니다.')
  })

  it('takes the key from a file as well, and the address as people copy it', async () => {
    const file = join(folder, 'key')
    writeFileSync(file, 'test-key\n')
    const args = ['audit', '--base-url', `${service.url}/api/v1/`, '--memory', memory, '--key-file', file]
    expect((await countersign(args)).code).toBe(0)
    expect(kept().addresses).toEqual({ [service.url]: host })
  })
})

describe('a log that was changed', () => {
  it('with all hashes made anew, between two audits: says since when, where, what to keep and whom to ask', async () => {
    await audit()
    const before = kept()
    const rewritten = makeChain(logOf('proof'), 'proof', 320, 'another story')
    service.chains.proof = rewritten
    const { code, out } = await audit()
    expect(code).toBe(1)
    expect(out).toMatch(/HISTORY WAS REWRITTEN between 20\d\d-\S+ and now\. The 300 entries/)
    expect(out).toContain('entries 1 and 300')
    expect(out).toContain(`Keep ${memory}`)
    expect(out).toContain('Ask the operator in writing')
    const after = kept()
    expect(after.logs[logOf('proof')].audits).toEqual(before.logs[logOf('proof')].audits)
    expect(after.logs[logOf('proof')].contradictions).toMatchObject([
      {
        note: expect.stringContaining('\n320\n'),
        contradicts: { size: 300, note: expect.stringContaining('\n300\n') },
      },
    ])
    expect((await audit()).code).toBe(1)
    const [found, ...others] = kept().logs[logOf('proof')].contradictions
    expect(others).toEqual([])
    // With this proof a third party sees the contradiction in the two signed notes.
    const [one, other] = [found.contradicts.note, found.note].map((note) => parseCheckpoint(parseNote(note).text))
    const hashes = found.prefix.proof.map((each: string) => Buffer.from(each, 'base64'))
    const prefix = Buffer.from(found.prefix.root, 'base64')
    expect(verifyConsistency(300, prefix, 320, other?.root as Uint8Array, hashes)).toBe(true)
    expect(prefix.equals(one?.root as Uint8Array)).toBe(false)
  })

  it('late: names the part that differs, by the audits before', async () => {
    for (const size of [200, 300]) {
      grown(size)
      expect((await audit()).code).toBe(0)
    }
    // The first 256 unchanged, the rest new with valid links, as an operator would rewrite them.
    const [truth, other] = ['the truth', 'another story'].map((story) => makeChain(logOf('proof'), 'proof', 300, story))
    service.chains.proof = respun(256, 300)
    expect(truth?.slice(0, 256).map(({ hash }) => hash)).toEqual(
      service.chains.proof.slice(0, 256).map(({ hash }) => hash),
    )
    expect(other?.[0]?.hash).not.toBe(truth?.[0]?.hash)
    const { proof } = await checksOf()
    expect(proof.entries.status).toBe('yes')
    expect(proof.continues).toMatchObject({ status: 'no', code: 'rewritten', size: 300, first: 256, last: 299 })
  })

  it('by one that is shorter than it was', async () => {
    await audit()
    grown(299)
    const { code, out } = await audit()
    expect(code).toBe(1)
    expect(out).toMatch(/HISTORY WAS CUT OFF\. On \S+ there were 300 entries; the server now reports 299\./)
    expect(out).toContain('more entries than the server has today')
    service.chains.proof = []
    expect((await checksOf()).proof.continues).toMatchObject({ code: 'shortened', now: 0 })
  })

  it('under a checkpoint that was signed before', async () => {
    const honest = service.chains.proof
    const note = await checkpointNote()
    expect((await audit()).code).toBe(0)
    service.chains.proof = makeChain(logOf('proof'), 'proof', 300, 'another story')
    service.interfere = (path, response) => {
      if (!path.endsWith('/proof/checkpoint')) return false
      response.end(JSON.stringify({ data: { log: logOf('proof'), checkpoint: note } }))
      return true
    }
    const { code, proof } = await checksOf()
    expect([code, proof.entries.status, proof.root.code]).toEqual([1, 'yes', 'root-differs'])
    expect(kept().logs[logOf('proof')].contradictions).toEqual([])
    service.chains.proof = honest.slice(0, 290)
    expect((await checksOf()).proof.entries).toMatchObject({ code: 'chain-short', size: 300, found: 290 })
  })

  it.each([
    [
      'a value',
      (line: string) => line.replace('"vertical":"shop"', '"vertical":"shoq"'),
      "the hash doesn't match the content",
    ],
    [
      'a time',
      (line: string) => line.replace('"sealedAt":"2026', '"sealedAt":"2027'),
      "the hash doesn't match the content",
    ],
    [
      'a link',
      (line: string) => line.replace(/"previousHash":"sha256:./, '"previousHash":"sha256:x'),
      "previousHash isn't the hash",
    ],
    [
      'the form',
      (line: string) => line.replace('{"commitments"', '{ "commitments"'),
      "the hash doesn't match the content",
    ],
    ['everything', () => 'nonsense\n', 'the entry here has the index -1'],
  ])('in one entry, in %s', async (_what, change, reason) => {
    const lines = service.chains.proof
    const at = lines[100] as { hash: string; line: string }
    service.chains.proof = lines.with(100, { hash: at.hash, line: change(at.line) })
    const { code, proof } = await checksOf()
    expect([code, proof.entries]).toMatchObject([1, { code: 'chain-broken', index: 100 }])
    expect(proof.entries.reason).toContain(reason)
  })

  it('by taking an entry out', async () => {
    service.chains.proof = service.chains.proof.toSpliced(100, 1)
    expect((await checksOf()).proof.entries).toMatchObject({ code: 'chain-broken', index: 100 })
  })

  it('for another center, which holds by itself', async () => {
    await audit()
    const other = `${host}/c/43/proof`
    service.interfere = (path, response) => {
      if (!path.endsWith('/proof/checkpoint')) return false
      response.end(JSON.stringify({ data: { log: other, checkpoint: null } }))
      return true
    }
    service.chains.proof = []
    const { code, proof } = await checksOf()
    expect([code, proof.continues.code]).toEqual([1, 'another-center'])
  })
})

it('two views of one log at two addresses are not both believed', async () => {
  await audit()
  const other = await littleService({})
  try {
    other.key = service.key
    other.published = service.published
    other.chains = { ...service.chains, proof: makeChain(logOf('proof'), 'proof', 300, 'another story') }
    const args = ['audit', '--base-url', other.url, '--memory', memory, '--key', 'test-key']
    expect(await countersign(args)).toMatchObject({ code: 1, out: expect.stringContaining('HISTORY WAS REWRITTEN') })
  } finally {
    await other.close()
  }
})

describe('proofs', () => {
  it('of the server that do not hold are reported', async () => {
    service.interfere = (path, response) => {
      if (!path.includes('/proof/proofs/299')) return false
      response.end(JSON.stringify({ data: { inclusionProof: [] } }))
      return true
    }
    expect((await checksOf()).proof.proofs).toMatchObject({ status: 'no', code: 'proof-bad', index: 299 })
    service.interfere = (path, response) => {
      if (!path.includes('/proof/proofs/0')) return false
      response.writeHead(409).end(JSON.stringify({ error: { code: 'CHAIN_BROKEN', message: 'x' } }))
      return true
    }
    expect((await checksOf()).proof.proofs).toMatchObject({ status: 'no', code: 'proof-bad', index: 0 })
  })
})

describe('keys', () => {
  it('that were seen once are demanded from then on', async () => {
    await audit()
    const stranger = hostKey(host)
    service.key = stranger
    const secretly = await checksOf()
    expect([secretly.code, secretly.proof.signed.code]).toEqual([1, 'signed-by-nobody-known'])
    service.published = [{ vkey: stranger.vkey, from: '2026-01-01T00:00:00.000Z', endorsement: null }]
    const { code, out } = await audit()
    expect(code).toBe(1)
    expect(out).toContain('no key you know has endorsed it')
  })

  it('are asked for under the name that the address had, whatever it calls itself now', async () => {
    await audit()
    service.interfere = (path, response) => {
      if (!path.includes('well-known')) return false
      response.end(JSON.stringify({ logHost: 'other.example', keys: [{ vkey: hostKey('other.example').vkey }] }))
      return true
    }
    expect((await audit()).code).toBe(1)
  })

  it('may change when the one before says so', async () => {
    await audit()
    const [before, next] = [service.key, hostKey(host)]
    const from = '2026-05-01T00:00:00.000Z'
    const [, line = ''] = before.note(host, `countersign.log-key-rotation/v1\n${next.vkey}\n${from}\n`).split('\n\n')
    const endorsement = Buffer.from(line.split(' ')[2] as string, 'base64')
      .subarray(4)
      .toString('base64')
    service.published = [{ vkey: next.vkey, from, endorsement }, ...service.published]
    service.key = next
    const { code, out } = await audit()
    expect(out).toContain(`The log has a new key, ${next.vkey}, endorsed by the previous one.`)
    expect(code).toBe(0)
    expect(kept().hosts[host].keys.map(({ vkey }: { vkey: string }) => vkey)).toEqual([before.vkey, next.vkey])
    // From now on the first key may be absent.
    service.published = [service.published[0] as object]
    expect((await audit()).code).toBe(0)
    const forged = Buffer.alloc(64).toString('base64')
    service.published = [{ vkey: hostKey(host).vkey, from, endorsement: forged }, ...service.published]
    expect((await audit()).code).toBe(1)
  })

  it("come from a policy where there is one, and the server's own are not asked for", async () => {
    const policy = join(folder, 'policy')
    writeFileSync(policy, `log ${service.key.vkey}\nquorum none\n`)
    expect((await audit('--trust', policy)).code).toBe(0)
    expect(service.asked.filter((path) => path.includes('well-known'))).toEqual([])
    writeFileSync(policy, `log ${hostKey(host).vkey}\nquorum none\n`)
    const { code, proof } = await checksOf('--trust', policy)
    expect([code, proof.signed.code]).toEqual([1, 'signed-by-nobody-known'])
  })
})

describe('witnesses', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
  const name = 'witness.example/w1'
  const cosign = (text: string) =>
    signatureLine(name, keyIdOf(name, 4, raw), cosignatureBytes(7, sign(null, cosignatureMessage(7, text), privateKey)))
  const policy = () => {
    const file = join(folder, 'policy')
    writeFileSync(file, `log ${service.key.vkey}\nwitness w1 ${vkeyOf(name, 4, raw)}\nquorum w1\n`)
    return file
  }

  it('must have cosigned if the policy says so', async () => {
    const { code, proof } = await checksOf('--trust', policy(), '--wait', '0')
    expect([code, proof.witnessed.code]).toEqual([1, 'quorum-not-met'])
    service.cosign = cosign
    const seen = await checksOf('--trust', policy(), '--wait', '0')
    expect([seen.code, seen.proof.witnessed]).toMatchObject([0, { code: 'witnessed', names: name }])
    service.cosign = (text) => cosign(`${text}x`)
    const forged = await checksOf('--trust', policy(), '--wait', '0')
    expect([forged.code, forged.proof.witnessed.code]).toEqual([1, 'cosigned-badly'])
  })

  it('are waited for a moment', async () => {
    let asked = 0
    service.cosign = (text) => (++asked > 2 ? cosign(text) : '')
    expect((await audit('--trust', policy(), '--domain', 'proof')).code).toBe(0)
  })
})

describe('a difficult connection', () => {
  it('that breaks again and again is taken up where it broke', async () => {
    let breaks = 0
    service.interfere = (path, response) => {
      const [, from] = /\/proof\/entries\?from=(\d+)&/.exec(path) ?? []
      if (from === undefined || ++breaks > 3) return false
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      const lines = service.chains.proof.slice(Number(from), Number(from) + 40).map(({ line }) => line)
      // In the middle of a line.
      response.write(lines.join('') + (service.chains.proof[Number(from) + 40]?.line.slice(0, 50) ?? ''), () =>
        setTimeout(() => response.destroy(), 50),
      )
      return true
    }
    const { code, out, err } = await audit('--domain', 'proof')
    expect(code).toBe(0)
    expect(out).toContain('300 in total; every hash')
    expect(err).toContain('The connection was lost at entry 41; continuing from there.')
    expect(service.asked.filter((path) => path.includes('/entries'))).toEqual(
      [0, 40, 80, 120].map((from) => `/api/v1/chains/proof/entries?from=${from}&values=true`),
    )
  })

  it('that is cut without a sign of error is no cut in the log', async () => {
    let cuts = 0
    service.interfere = (path, response) => {
      if (!path.includes('/proof/entries?from=0&') || ++cuts > 1) return false
      response.end(
        service.chains.proof
          .slice(0, 10)
          .map(({ line }) => line)
          .join(''),
      )
      return true
    }
    expect((await audit('--domain', 'proof')).code).toBe(0)
  })

  it.each([429, 503])('with %i waits as long as the server asks', async (status) => {
    let refusals = 0
    service.interfere = (path, response) => {
      if (!path.includes('/proof/') || ++refusals % 2 === 0 || refusals > 4) return false
      response.writeHead(status, { 'retry-after': '1' }).end('{}')
      return true
    }
    const began = performance.now()
    const { code, err } = await audit('--domain', 'proof')
    expect(code).toBe(0)
    expect(err).toContain(`The server asked this program to wait 1 s (${status}).`)
    expect(performance.now() - began).toBeGreaterThan(2000)
  })

  it('to nobody ends with 2 and says so', async () => {
    const { url } = service
    await service.close()
    const args = ['audit', '--base-url', url, '--memory', memory, '--key', 'test-key', '--lang', 'en']
    const { code, err, out } = await countersign(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain("Couldn't reach the server")
  }, 60_000)

  it("with a wrong key ends with 2 and the server's own words", async () => {
    const args = ['audit', '--base-url', service.url, '--memory', memory, '--key', 'wrong']
    const { code, err } = await countersign(args)
    expect([code, err]).toEqual([2, 'The server rejected the request: 401 No such key.\n'])
  })

  it('never follows somewhere else with the key', async () => {
    service.interfere = (path, response) => {
      if (!path.includes('/checkpoint')) return false
      response.writeHead(302, { location: 'http://elsewhere.example/' }).end()
      return true
    }
    const { code, err } = await audit()
    expect([code, err]).toEqual([2, 'The server rejected the request: 302 http://elsewhere.example/\n'])
  })
})

describe('called wrongly', () => {
  it.each([
    [['audit'], "Give the server's address"],
    [['audit', '--base-url', 'countersign.example'], "isn't a server address"],
    [['audit', '--base-url', 'http://x', '--domain', 'prof'], "prof isn't a chain"],
    [['audit', '--base-url', 'http://x', '--key', ''], 'COUNTERSIGN_API_KEY'],
    [['audit', '--base-url', 'http://x', '--key-file', '/nonexistent'], 'ENOENT'],
    [['audit', '--base-url', 'http://x', '--key', 'k', '--trust', '/nonexistent'], "Can't use the trust policy"],
    [['audit', 'x.json', '--base-url', 'http://x', '--domain', 'proof'], 'the audit needs the history chain'],
    [['audit', '--basurl', 'x'], 'Did you mean --base-url?'],
  ])('%s', async (args, message) => {
    const { code, err } = await countersign(args)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(err).toContain('Help: countersign audit --help')
  })

  it('with a memory that is damaged: it is not overwritten', async () => {
    memory = join(folder, 'damaged.json')
    writeFileSync(memory, '{"version":1,"servers"')
    const { code, err } = await audit()
    expect([code, err]).toEqual([2, expect.stringContaining('the audit state file')])
    expect(readFileSync(memory, 'utf8')).toBe('{"version":1,"servers"')
  })
})

/** Unchanged entries up to `from`, and then different entries with valid links. */
function respun(from: number, length: number) {
  const lines = makeChain(logOf('proof'), 'proof', length)
  let previousHash = lines[from - 1]?.hash as string
  return lines.map((each, index) => {
    if (index < from) return each
    const entry = JSON.parse(each.line)
    const commitment = `sha256:${createHash('sha256').update(`x${index}`).digest('hex')}`
    const content = JSON.stringify({ ...entry.content, commitments: { content: commitment } })
    const hash = `sha256:${createHash('sha256').update(`${content}${previousHash}${entry.sealedAt}`).digest('hex')}`
    const { content: _, ...head } = { ...entry, hash, previousHash }
    previousHash = hash
    return { hash, line: `${JSON.stringify(head).slice(0, -1)},"content":${content}}\n` }
  })
}

async function checkpointNote(): Promise<string> {
  const headers = { authorization: 'Bearer test-key' }
  const response = await fetch(`${service.url}/api/v1/chains/proof/checkpoint`, { headers })
  return ((await response.json()) as { data: { checkpoint: string } }).data.checkpoint
}
