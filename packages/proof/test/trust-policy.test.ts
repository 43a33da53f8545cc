import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logKeyFor, MalformedPolicy, parsePolicy, satisfied } from '../trust-policy.ts'
import { host, policyText, signer, witnesses } from './log.ts'

const [one, two, three] = witnesses.map(({ key }) => key.vkey) as [string, string, string]
const witnessLines = `witness one ${one}\nwitness two ${two}\nwitness three ${three}\n`

describe('policy', () => {
  it('is parsed with comments, blank lines and addresses', () => {
    const policy = parsePolicy(`\n \t\n  # ${'π'} anything\n${policyText.replaceAll(' ', ' \t ')}`)
    expect(policy.logs).toEqual([{ key: host.key, url: null }])
    expect(policy.witnesses.map(({ name, key, url }) => [name, key, url])).toEqual([
      ['one', witnesses[0].key, null],
      ['two', witnesses[1].key, 'https://witness.example/w2/'],
      ['three', witnesses[2].key, null],
    ])
    expect(policy.groups).toEqual([{ name: 'quorum-of-two', threshold: 2, members: ['one', 'two', 'three'] }])
    expect(policy.quorum).toBe('quorum-of-two')
  })

  it('needs neither a log nor a witness', () => {
    expect(parsePolicy('quorum none')).toEqual({ logs: [], witnesses: [], groups: [], quorum: 'none', passkeys: [] })
  })

  it('names hosts of passkeys in comments', () => {
    const text =
      '# passkeys are used\n#passkeys a.example https://a.example https://x.a.example:8443\n#passkeysx\nquorum none'
    const origins = ['https://a.example', 'https://x.a.example:8443']
    expect(parsePolicy(text).passkeys).toEqual([{ rpId: 'a.example', origins }])
  })

  const key = host.key.vkey
  it.each([
    ['no quorum', `log ${key}`, 'quorum'],
    ['two quorums', 'quorum none\nquorum none', 'Line 2'],
    ['an unknown word', 'logs x\nquorum none', 'Line 1'],
    ['a quorum that is not defined', 'quorum one', "one isn't defined"],
    ['a quorum that is defined later', `quorum one\n${witnessLines}`, "one isn't defined"],
    ['the same key twice', `log ${key}\nlog ${host.as('other.example').key.vkey}\nquorum none`, 'twice'],
    ['a witness twice', `witness a ${one}\nwitness b ${one}\nquorum a`, 'twice'],
    ['a name twice', `witness a ${one}\nwitness a ${two}\nquorum a`, 'taken'],
    ['a group with the name of a witness', `${witnessLines}group one any two\nquorum one`, 'taken'],
    ['a witness called none', `witness none ${one}\nquorum none`, 'taken'],
    ['none as a member', `${witnessLines}group g any none\nquorum g`, "none isn't defined"],
    ['a group without members', `${witnessLines}group g any\nquorum g`, 'Line 4'],
    ['a group that has itself', `${witnessLines}group g any g\nquorum g`, "g isn't defined"],
    ['a member twice', `${witnessLines}group g 2 one one\nquorum g`, 'already a member'],
    ['a member of two groups', `${witnessLines}group g any one\ngroup h any one two\nquorum h`, 'already a member'],
    ['the threshold 0', `${witnessLines}group g 0 one\nquorum g`, 'threshold'],
    ['a threshold above the members', `${witnessLines}group g 3 one two\nquorum g`, 'threshold'],
    ['a threshold with a zero before it', `${witnessLines}group g 01 one two\nquorum g`, 'threshold'],
    ['the key of a witness for a log', `log ${one}\nquorum none`, 'key of a log'],
    ['the key of a log for a witness', `witness a ${key}\nquorum a`, 'key of a witness'],
    ['a malformed key', 'log abc\nquorum none', 'Line 1'],
    ['too many items', `log ${key} https://a.example b\nquorum none`, 'Line 1'],
    ['a host of passkeys without an origin', '#passkeys a.example\nquorum none', 'at least one origin'],
    ['a host twice', '#passkeys a.b https://a.b\n#passkeys a.b https://a.b\nquorum none', 'listed twice'],
    ['an origin with a path', '#passkeys a.b https://a.b/\nquorum none', "isn't an origin"],
    ['an origin without a scheme', '#passkeys a.b a.b\nquorum none', "isn't an origin"],
    ['an origin at another host', '#passkeys a.b https://xa.b\nquorum none', "isn't an origin"],
    ['carriage returns', 'quorum none\r\n', 'control characters'],
  ])('is refused with %s', (_, text, message) => {
    expect(() => parsePolicy(text)).toThrow(MalformedPolicy)
    expect(() => parsePolicy(text)).toThrow(message)
  })
})

describe('quorum', () => {
  const lines = (rule: string) => parsePolicy(`${witnessLines}${rule}`)

  it.each([
    ['quorum none', [], true],
    ['quorum one', [], false],
    ['quorum one', ['one'], true],
    ['quorum one', [one], true],
    ['quorum one', [two, 'three'], false],
    ['group g any one two\nquorum g', [three], false],
    ['group g any one two\nquorum g', [two], true],
    ['group g all one two three\nquorum g', [one, two], false],
    ['group g all one two three\nquorum g', [one, two, three], true],
    ['group g 2 one two three\nquorum g', [one, one], false],
    ['group g 2 one two three\nquorum g', [one, 'one'], false],
    ['group g 2 one two three\nquorum g', [one, 'nobody', three], true],
    ['group inner any one two\ngroup outer all inner three\nquorum outer', [one, two], false],
    ['group inner any one two\ngroup outer all inner three\nquorum outer', [two, three], true],
  ] as const)('%j by %j: %s', (rule, cosigners, holds) => {
    expect(satisfied(lines(rule), cosigners)).toBe(holds)
  })

  it('of nested groups agrees with a direct count of the members', () => {
    const leaf = fc.constantFrom<string[]>('w0', 'w1', 'w2', 'w3', 'w4', 'w5')
    const members = fc.shuffledSubarray(['w0', 'w1', 'w2', 'w3', 'w4', 'w5'], { minLength: 6 })
    const keys = Array.from({ length: 6 }, (_, at) => signer(`w${at}.example`, 4, 20 + at).key.vkey)
    const all = keys.map((vkey, at) => `witness w${at} ${vkey}`).join('\n')
    fc.assert(
      fc.property(
        members,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 2 }),
        fc.integer({ min: 1, max: 3 }),
        fc.uniqueArray(leaf),
        ([a, b, c, d, e, f], first, second, outer, cosigners) => {
          const policy = parsePolicy(
            `${all}\ngroup x ${first} ${a} ${b} ${c}\ngroup y ${second} ${d} ${e}\ngroup z ${outer} x y ${f}\nquorum z`,
          )
          const has = (...names: (string | undefined)[]) =>
            names.filter((it) => cosigners.includes(it as string)).length
          const parts = [has(a, b, c) >= first, has(d, e) >= second, has(f) === 1].filter(Boolean).length
          expect(satisfied(policy, cosigners)).toBe(parts >= outer)
        },
      ),
    )
  })
})

describe('key of a host', () => {
  it('gives the keys of its logs, under their names', () => {
    const key = logKeyFor(host.key, 'proof.example/c/42/proof')
    expect(key).toEqual(host.as('proof.example/c/42/proof').key)
    expect(key?.keyId).not.toBe(host.key.keyId)
    expect(logKeyFor(host.key, 'proof.example')).toEqual(host.key)
  })

  it.each([
    'proof.example.evil/c/42/proof',
    'proof.examples/c/1/dpu',
    'evil/proof.example/c/42/proof',
    'proof.example/d/1',
    'proof.example/sandboxes/1000000042/proof',
    'proof.example.evil/sandbox/1000000042/proof',
    '',
  ])('is not the key of %j', (origin) => {
    expect(logKeyFor(host.key, origin)).toBeNull()
  })

  it('is not needed when the policy names the log', () => {
    const key = host.as('other.example/log').key
    expect(logKeyFor(key, 'other.example/log')).toEqual(key)
    expect(logKeyFor(key, 'other.example/log2')).toBeNull()
  })
})
