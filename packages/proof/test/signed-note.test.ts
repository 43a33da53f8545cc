import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkpointText, parseCheckpoint } from '../checkpoint.ts'
import {
  checkNote,
  cosignatureBytes,
  cosignatureMessage,
  keyIdOf,
  MalformedNote,
  parseNote,
  signatureLine,
  verifierKey,
  vkeyOf,
} from '../signed-note.ts'
import { MalformedProof, parseTlogProof, writeTlogProof } from '../tlog-proof.ts'
import { emptyFrontier, grow, leafHash, verifyInclusion } from '../tree.ts'
import { cosignedAt, host, signedCheckpoint, signer, witnesses } from './log.ts'
import { entries } from './worked-example.ts'

/** The example that comes with the reference implementation of signed notes (golang.org/x/mod/sumdb/note). */
const published = {
  vkey: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  line: '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
}

describe('published note', () => {
  const key = verifierKey(published.vkey)
  const note = parseNote(`${published.text}\n${published.line}`)

  it('is parsed, and its signature verifies', () => {
    expect(note.text).toBe(published.text)
    expect(note.signatures).toMatchObject([{ name: 'PeterNeumann', keyId: 'c74f20a3' }])
    expect(checkNote(note, [key])).toEqual({ signedBy: [key], cosignedBy: [], bad: [] })
    expect(vkeyOf(key.name, 1, key.publicKey)).toBe(published.vkey)
    const [signature] = note.signatures
    expect(signatureLine('PeterNeumann', 'c74f20a3', signature?.signature as Uint8Array)).toBe(published.line)
  })

  it('has a bad signature with another text, and an unknown one with another key', () => {
    const other = { ...note, text: published.text.replace('problem', 'Problem') }
    expect(checkNote(other, [key])).toEqual({ signedBy: [], cosignedBy: [], bad: [key] })
    expect(checkNote(note, [host.key])).toEqual({ signedBy: [], cosignedBy: [], bad: [] })
  })

  it('of the specification, with a blank line in its text, is parsed', () => {
    const text = 'Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n'
    const line =
      '— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n'
    expect(parseNote(`${text}\n${line}`)).toMatchObject({
      text,
      signatures: [{ name: 'quasimodo.example/salvatore', keyId: '367ba04b' }],
    })
  })
})

/** The example in docs/formats/transparency.md. */
const workedProof = `c2sp.org/tlog-proof@v1
index 0
ruVv9LDT4LwL6Ur3Fo7fZfigB3na9hu2r2mVNSgyWrI=

proof.example/c/42
2
aTO+q/TrTpr4Menu/260FJj9v9fvrCcQEDMfb4ymDhw=

— proof.example/c/42 GNoPoKFfncAr8ls6vUquHPXaiq0OuBWGxJ6z0oHH6WXQrYKX/tSN/eZuXsPFqHqA+Od4Km+oKEg1UAYjS3DCEQlSZgI=
— witness.example/w1 JLXZ/gAAAABpVzXdMoU11C2HciBmW7fVWO8cJWHLbEf2Cf4nJ5cJziq3isZPIUYm1RFCf5KSzMnRshlnargIbuUDv4OYFM6oiVQhDg==
`

describe('worked example', () => {
  const leaves = entries.map(({ hash }) => leafHash(hash))
  const { root, inclusion } = grow(emptyFrontier, leaves)

  it('is written to the byte', () => {
    expect(Buffer.from(root).toString('hex')).toBe('6933beabf4eb4e9af831e9eeff6eb41498fdbfd7efac271010331f6f8ca60e1c')
    const note = signedCheckpoint('proof.example/c/42', 2, root, [witnesses[0]])
    expect(writeTlogProof(0, inclusion(0), note)).toBe(workedProof)
  })

  it('is parsed and verifies', () => {
    const { index, hashes, note } = parseTlogProof(workedProof)
    const parsed = parseNote(note)
    const checkpoint = parseCheckpoint(parsed.text)
    expect(checkpoint).toEqual({ origin: 'proof.example/c/42', size: 2, root })
    expect(verifyInclusion(leaves[0] as Uint8Array, index, checkpoint.size, hashes, checkpoint.root)).toBe(true)
    const log = host.as('proof.example/c/42').key
    expect(checkNote(parsed, [log, witnesses[0].key])).toEqual({
      signedBy: [log],
      cosignedBy: [{ key: witnesses[0].key, time: cosignedAt }],
      bad: [],
    })
  })
})

describe('a note', () => {
  const good = signedCheckpoint('proof.example/c/42/proof', 7, new Uint8Array(32))
  const [text = '', lines = ''] = good.split('\n\n')

  it.each([
    ['no blank line', `${text}\n${lines}`],
    ['no signature', `${text}\n\n`],
    ['carriage returns', good.replaceAll('\n', '\r\n')],
    ['no line feed at the end', good.slice(0, -1)],
    ['a second blank line at the end', `${good}\n`],
    ['a hyphen for the dash', good.replaceAll('—', '-')],
    ['a space at the end of a line', `${good.slice(0, -1)} \n`],
    ['two spaces', good.replace('— ', '—  ')],
    ['a plus in a name', good.replace('— witness', '— wit+ness')],
    ['base64 without padding', `${text}\n\n— a.example AAAAAAA\n`],
    ['base64 with trailing bits', `${text}\n\n— a.example AAAAAAB=\n`],
    ['a signature that is only an id', `${text}\n\n— a.example AAAAAA==\n`],
    ['half a surrogate pair', `\ud800${good}`],
    ['a tab', `\t${good}`],
    ['more than the maximum of signatures', good + lines.split('\n')[0]?.concat('\n').repeat(100)],
    ['nothing', ''],
  ])('is refused with %s', (_, note) => {
    expect(() => parseNote(note)).toThrow(MalformedNote)
  })

  it('counts a key once, and counts it as bad when one of its signatures is bad', () => {
    const [one, two] = good.split('\n').filter((line) => line.startsWith('— witness')) as [string, string]
    const keys = witnesses.map(({ key }) => key)
    expect(checkNote(parseNote(`${good}${one}\n`), keys).cosignedBy).toHaveLength(2)
    const liar = `${one.split(' ').slice(0, 2).join(' ')} ${two.split(' ')[2]}`
    expect(checkNote(parseNote(`${good}${liar}\n`), keys).bad).toEqual([])
    const changed = parseNote(good.replace('\n7\n', '\n8\n'))
    expect(checkNote(changed, keys)).toEqual({ signedBy: [], cosignedBy: [], bad: keys.slice(0, 2) })
  })

  it('does not accept a cosignature as a signature, nor a signature as a cosignature', () => {
    const [log, witness] = [host.as('a.example'), signer('a.example', 4, 7)]
    const text = checkpointText('a.example', 1, new Uint8Array(32))
    const plain = witness.sign(Buffer.from(text))
    const asCosignature = signatureLine('a.example', witness.key.keyId, cosignatureBytes(5, plain))
    expect(checkNote(parseNote(`${text}\n${asCosignature}`), [log.key, witness.key]).bad).toEqual([witness.key])
    const cosigned = cosignatureBytes(5, witness.sign(cosignatureMessage(5, text)))
    const asSignature = signatureLine('a.example', log.key.keyId, cosigned)
    expect(checkNote(parseNote(`${text}\n${asSignature}`), [log.key, witness.key]).bad).toEqual([log.key])
  })

  it('refuses times that are not dates', () => {
    const [witness] = witnesses
    const text = checkpointText('a.example', 1, new Uint8Array(32))
    const line = (time: number) => {
      const signed = witness.sign(cosignatureMessage(time, text))
      return signatureLine(witness.key.name, witness.key.keyId, cosignatureBytes(time, signed))
    }
    const check = (time: number) => checkNote(parseNote(`${text}\n${line(time)}`), [witness.key])
    expect(check(253_402_300_799).cosignedBy).toHaveLength(1)
    expect(check(253_402_300_800).bad).toHaveLength(1)
    expect(check(2 ** 52).bad).toHaveLength(1)
  })
})

describe('a verifier key', () => {
  it('is parsed to the name and bytes that it was written from', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((it) => !/[\s+\p{Cc}]/u.test(it))
    const publicKey = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(name, fc.constantFrom(1, 4), publicKey, (name, type, publicKey) => {
        const vkey = vkeyOf(name, type, publicKey)
        expect(verifierKey(vkey)).toEqual({ name, type, publicKey, vkey, keyId: keyIdOf(name, type, publicKey) })
      }),
    )
  })

  it.each([
    '',
    'a',
    'a+b',
    host.key.vkey.slice(0, -1),
    host.key.vkey.replace('proof.example', 'proof example'),
    host.key.vkey.replace('proof.example', 'proof.exampl'),
    host.key.vkey.replace('proof.example', ''),
    host.key.vkey.replace('+A', '+B'),
    `${host.key.vkey} `,
    `${host.key.vkey}\n`,
  ])('is refused as %j', (vkey) => {
    expect(() => verifierKey(vkey)).toThrow(MalformedNote)
  })
})

describe('a checkpoint', () => {
  it('is what it was written from', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (size, root) => {
        const text = checkpointText('proof.example/c/42/proof', size, root)
        expect(parseCheckpoint(text)).toEqual({ origin: 'proof.example/c/42/proof', size, root })
      }),
    )
  })

  const root = Buffer.alloc(32, 1).toString('base64')
  it.each([
    `a\n01\n${root}\n`,
    `a\n-1\n${root}\n`,
    `a\n+1\n${root}\n`,
    `a\n1.0\n${root}\n`,
    `a\n9007199254740992\n${root}\n`,
    `a\n1\n${root}`,
    `a\n1\n${root}\nmore\n`,
    `a\n1\n${root} \n`,
    `a\n1\n${root.slice(0, -1)}\n`,
    `a b\n1\n${root}\n`,
    `\n1\n${root}\n`,
    'a\n1\n\n',
  ])('is refused as %j', (text) => {
    expect(() => parseCheckpoint(text)).toThrow(MalformedNote)
  })

  it.each([
    ['a b', 1, 32],
    ['a\nb', 1, 32],
    ['a+b', 1, 32],
    ['', 1, 32],
    ['a', -1, 32],
    ['a', 2 ** 53, 32],
    ['a', 0.5, 32],
    ['a', 1, 31],
  ])('is not written for %j, %d and %d bytes', (origin, size, length) => {
    expect(() => checkpointText(origin, size, new Uint8Array(length))).toThrow(MalformedNote)
  })
})

describe('a portable proof', () => {
  it('is what it was written from', () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const note = signedCheckpoint('a.example', 3, new Uint8Array(32))
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.array(hash, { maxLength: 60 }), (index, hashes) => {
        expect(parseTlogProof(writeTlogProof(index, hashes, note))).toEqual({ index, hashes, note })
      }),
    )
  })

  it.each([
    ['another format', workedProof.replace('@v1', '@v2')],
    ['extra data that nothing protects', workedProof.replace('index', 'extra AAAA\nindex')],
    ['an index with a zero before it', workedProof.replace('index 0', 'index 00')],
    ['no index', workedProof.replace('index 0\n', '')],
    ['an index that is too large', workedProof.replace('index 0', 'index 9007199254740992')],
    ['a hash that is too short', workedProof.replace('ruVv', '')],
    ['a hash spelled otherwise', workedProof.replace('WrI=', 'WrJ=')],
    ['no blank line', 'c2sp.org/tlog-proof@v1\nindex 0\n'],
  ])('is refused with %s', (_, text) => {
    expect(() => parseTlogProof(text)).toThrow(MalformedProof)
  })
})
