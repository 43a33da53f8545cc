import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical } from '../canonical.ts'
import { entryHash } from '../chain.ts'
import { type ChainEntry, type ChainOptions, type ChainVerdict, chainVerifier } from '../verify-chain.ts'
import { type BuiltEntry, chain, text } from './arbitraries.ts'
import * as example from './worked-example.ts'

function verify(entries: readonly unknown[], options: ChainOptions = {}): ChainVerdict {
  const verifier = chainVerifier(options)
  for (const entry of entries) verifier.add(entry as ChainEntry)
  return verifier.result()
}

const logIn = ([first]: readonly BuiltEntry[]): string => JSON.parse(first?.content as string).log

/** An attack with write access to the database: recomputes every hash and link from `at` on. */
function rehashed(entries: readonly BuiltEntry[], at: number, change: Partial<ChainEntry>): ChainEntry[] {
  const changed: ChainEntry[] = []
  for (const [index, entry] of entries.entries()) {
    const previousHash = changed.at(-1)?.hash ?? null
    const whole = { ...entry, previousHash, ...(index === at && change) }
    changed.push({ ...whole, hash: entryHash(whole.content as string, whole.previousHash, whole.sealedAt) })
  }
  return changed
}

describe('an unaltered chain', () => {
  it('is valid, as text and as objects', () => {
    fc.assert(
      fc.property(chain, (entries) => {
        const verdict = {
          valid: true,
          chainLength: entries.length,
          genesisHash: entries[0]?.hash,
          headHash: entries.at(-1)?.hash,
          brokenAt: null,
          reason: null,
          ...{ log: logIn(entries), successions: [] },
        }
        expect(verify(entries)).toEqual(verdict)
        expect(verify(entries.map((entry) => ({ ...entry, content: JSON.parse(entry.content) })))).toEqual(verdict)
      }),
      { numRuns: 200 },
    )
  })

  it('is valid when it is read in two parts', () => {
    fc.assert(
      fc.property(chain, fc.nat(), (entries, cut) => {
        const at = (cut % entries.length) + 1
        const first = verify(entries.slice(0, at))
        const last = entries[at - 1] as BuiltEntry
        const after = {
          chainLength: first.chainLength,
          genesisHash: first.genesisHash as string,
          headHash: first.headHash as string,
          sealedAt: last.sealedAt,
        }
        expect(verify(entries.slice(at), { after })).toEqual({
          ...verify(entries),
          log: at === entries.length ? null : logIn(entries),
        })
      }),
    )
  })

  it('is valid when it is empty', () => {
    expect(verify([])).toEqual({
      valid: true,
      chainLength: 0,
      genesisHash: null,
      headHash: null,
      brokenAt: null,
      reason: null,
      ...{ log: null, successions: [] },
    })
  })

  it('is valid for the worked example', () => {
    const entries = example.entries.map(({ id, sealedAt, hash }, index) => ({
      index,
      id,
      hash,
      previousHash: index === 0 ? null : example.entries[0].hash,
      sealedAt,
      content: example.contentOf(index as 0 | 1),
    }))
    expect(verify(entries, { log: example.log, domain: 'proof' }).valid).toBe(true)
  })
})

describe('a single change breaks the chain at its index', () => {
  /** One row changed without new hashes. */
  const edits: Record<string, (entry: BuiltEntry, other: string) => Partial<Record<keyof ChainEntry, unknown>>> = {
    'the hash': () => ({ hash: `sha256:${'0'.repeat(64)}` }),
    'the link': () => ({ previousHash: `sha256:${'1'.repeat(64)}` }),
    'the index': ({ index }) => ({ index: index + 1 }),
    'the id': ({ id }, other) => ({ id: `${id}${other}.` }),
    'the time': ({ sealedAt }) => ({ sealedAt: sealedAt.replace('.000Z', '.001Z') }),
    'a commitment': ({ content }) => ({ content: content.replace(/sha256:./, 'sha256:x') }),
    'the level': ({ content }) => ({ content: content.replace('"v":"dpu-chain-v1"', '"v":"dpu-chain-v2"') }),
    'a space': ({ content }) => ({ content: `${content} ` }),
    'all of the content': (_, other) => ({ content: other }),
    'a missing content': () => ({ content: undefined }),
    'a missing time': () => ({ sealedAt: null }),
  }
  it.each(Object.entries(edits))('%s', (_, edit) => {
    fc.assert(
      fc.property(chain, fc.nat(), text, (entries, at, other) => {
        const target = at % entries.length
        const changed = entries.map((entry, index) => (index === target ? { ...entry, ...edit(entry, other) } : entry))
        const verdict = verify(changed)
        expect(verdict.brokenAt).toBe(target)
        expect(verdict.valid).toBe(false)
        expect(verdict.reason).toEqual(expect.any(String))
        expect(verdict.chainLength).toBe(entries.length)
        expect(verdict.headHash).toBe(target === 0 ? null : entries[target - 1]?.hash)
      }),
    )
  })

  it('an entry removed from the middle', () => {
    fc.assert(
      fc.property(chain, fc.nat(), (entries, at) => {
        fc.pre(entries.length > 1)
        const target = at % (entries.length - 1)
        expect(verify(entries.toSpliced(target, 1)).brokenAt).toBe(target)
      }),
    )
  })

  it('two entries swapped', () => {
    fc.assert(
      fc.property(chain, fc.nat(), (entries, at) => {
        fc.pre(entries.length > 1)
        const target = at % (entries.length - 1)
        const [one, two] = entries.slice(target) as [BuiltEntry, BuiltEntry]
        expect(verify(entries.toSpliced(target, 2, two, one)).brokenAt).toBe(target)
      }),
    )
  })

  it('an entry duplicated', () => {
    fc.assert(
      fc.property(chain, fc.nat(), (entries, at) => {
        const target = at % entries.length
        expect(verify(entries.toSpliced(target, 0, entries[target] as BuiltEntry)).brokenAt).toBe(target + 1)
      }),
    )
  })
})

describe('recomputed hashes do not hide', () => {
  const member = (name: string, value: unknown) => (entry: BuiltEntry) => ({
    content: canonical({ ...JSON.parse(entry.content), [name]: value }),
  })
  const forgeries: Record<string, (entry: BuiltEntry) => Partial<ChainEntry>> = {
    'another index in the content': member('index', 77),
    'another id in the content': member('id', 'an id that no arbitrary generates'),
    'another version': member('v', 'dpu-chain-v0'),
    'another log': member('log', 'evil.example/c/1/proof'),
    'another domain': member('domain', 'audit'),
    'a content with a space': ({ content }) => ({ content: content.replace('{', '{ ') }),
    'a content in another order': ({ content }) => ({
      content: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(content)).toReversed())),
    }),
    'a key twice': ({ content }) => ({ content: content.replace('{', '{"v":"dpu-chain-v1",') }),
    'a content that is not an object': () => ({ content: '"text"' }),
    'a content that is null': () => ({ content: 'null' }),
    'a content that is not JSON': () => ({ content: 'text' }),
    'a time in another form': ({ sealedAt }) => ({ sealedAt: sealedAt.replace('.000Z', 'Z') }),
    'a lone surrogate': ({ content }) => ({ content: content.replace(/}$/, ',"z":"\\ud800"}') }),
  }
  it.each(Object.entries(forgeries))('%s', (_, forge) => {
    fc.assert(
      fc.property(chain, fc.nat(), (entries, at) => {
        const target = at % entries.length
        const { log, domain } = JSON.parse(entries[0]?.content as string)
        const forged = rehashed(entries, target, forge(entries[target] as BuiltEntry))
        expect(verify(forged, { log, domain }).brokenAt).toBe(target)
      }),
    )
  })

  it('a time earlier than in the entry before', () => {
    fc.assert(
      fc.property(chain, fc.nat(), (entries, at) => {
        fc.pre(entries.length > 1)
        const target = 1 + (at % (entries.length - 1))
        const { sealedAt } = entries[target - 1] as BuiltEntry
        const earlier = new Date(Date.parse(sealedAt) - 1).toISOString()
        expect(verify(rehashed(entries, target, { sealedAt: earlier })).brokenAt).toBe(target)
      }),
    )
  })

  it('a genesis with a previous hash, or a later entry without one', () => {
    fc.assert(
      fc.property(chain, (entries) => {
        fc.pre(entries.length > 1)
        expect(verify(rehashed(entries, 0, { previousHash: entries[0]?.hash as string })).brokenAt).toBe(0)
        expect(verify(rehashed(entries, 1, { previousHash: null })).brokenAt).toBe(1)
      }),
    )
  })
})

it('never throws, for any input', () => {
  fc.assert(
    fc.property(fc.array(fc.anything(), { minLength: 1, maxLength: 3 }), (entries) => {
      expect(verify(entries)).toMatchObject({ valid: false, brokenAt: 0 })
    }),
    { numRuns: 500 },
  )
})
