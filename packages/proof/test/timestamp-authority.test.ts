/** Tokens of a real authority made with openssl, and forged ones. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseToken } from '../timestamp.ts'
import { checkAuthority } from '../timestamp-authority.node.ts'
import { checkAuthority as inBrowsers } from '../timestamp-authority.web.ts'

let folder: string
const at = (name: string) => join(folder, name)
const openssl = (line: string) => execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'pipe' })
const read = (name: string): Buffer => readFileSync(at(name))
const pem = (name: string): string => read(`${name}.pem`).toString()

const settings = `oid_section=o
[o]
x=1.2.3.4
[ca]
basicConstraints=critical,CA:true
keyUsage=critical,keyCertSign
[short]
basicConstraints=critical,CA:true,pathlen:0
[stamps]
extendedKeyUsage=critical,timeStamping
[leaf]
extendedKeyUsage=serverAuth
[odd]
extendedKeyUsage=critical,timeStamping
nameConstraints=critical,permitted;DNS:example.org
[tsa]
default_tsa=t
[t]
serial=serial
crypto_device=builtin
signer_digest=sha256
default_policy=x
digests=sha256
ess_cert_id_alg=sha256
`

/** A certificate with a key of its own; without an issuer it is self-signed. */
function certificate(name: string, kind: string, issuer: string | null, subject = name): void {
  openssl(`ecparam -name prime256v1 -genkey -noout -out ${name}.key`)
  openssl(`req -new -key ${name}.key -subj /CN=${subject} -out ${name}.csr`)
  const by = issuer === null ? `-signkey ${name}.key` : `-CA ${issuer}.pem -CAkey ${issuer}.key -CAcreateserial`
  openssl(`x509 -req -in ${name}.csr ${by} -days 30 -extfile ts.cnf -extensions ${kind} -out ${name}.pem`)
}

/** A token of an authority, as it would answer over HTTP. */
function stamped(signer: string, chain: readonly string[] = []): Buffer {
  writeFileSync(at('chain.pem'), chain.map(pem).join(''))
  const more = chain.length > 0 ? ' -chain chain.pem' : ''
  openssl(
    `ts -reply -config ts.cnf -queryfile query -inkey ${signer}.key -signer ${signer}.pem${more} -token_out -out token`,
  )
  return read('token')
}

/** A token with any content, signed by any certificate: what somebody with a key of their own can make. */
function handmade(content: Uint8Array, signer: string, chain: readonly string[] = []): Buffer {
  writeFileSync(at('content'), content)
  writeFileSync(at('chain.pem'), chain.map(pem).join(''))
  const more = chain.length > 0 ? ' -certfile chain.pem' : ''
  openssl(
    `cms -sign -binary -nodetach -nosmimecap -cades -md sha256 -econtent_type 1.2.840.113549.1.9.16.1.4 -in content -signer ${signer}.pem -inkey ${signer}.key${more} -outform DER -out token`,
  )
  return read('token')
}

function replaced(token: Buffer, before: Uint8Array, after: Uint8Array): Buffer {
  const place = token.indexOf(before)
  if (place < 0) throw new Error('not in the token')
  return Buffer.concat([token.subarray(0, place), after, token.subarray(place + before.length)])
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'authority-'))
  writeFileSync(at('ts.cnf'), settings)
  writeFileSync(at('serial'), '01\n')
  writeFileSync(at('data'), 'a checkpoint')
  openssl('ts -query -data data -sha256 -cert -out query')
  certificate('root', 'ca', null)
  certificate('middle', 'short', 'root')
  certificate('tsa', 'stamps', 'middle')
  certificate('leaf', 'leaf', 'middle')
  certificate('odd', 'odd', 'root')
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a genuine token', () => {
  it('is verified under its root, its issuer and its own certificate, as openssl does', () => {
    const token = stamped('tsa', ['middle'])
    const day = new Date().toISOString().slice(0, 10)
    for (const name of ['root', 'middle', 'tsa']) {
      const stamp = checkAuthority(token, ['no certificate', pem(name)])
      expect(stamp).toEqual({
        status: 'verified',
        at: expect.stringMatching(new RegExp(`^${day}T`)),
        authority: 'CN=tsa',
      })
    }
    const said = openssl('ts -verify -token_in -in token -data data -CAfile root.pem -untrusted middle.pem')
    expect(said.toString()).not.toContain('FAILED')
  })

  it('has no date without an authority, under another one, in browsers, and without its chain', () => {
    certificate('stranger', 'ca', null, 'root')
    const token = stamped('tsa', ['middle'])
    expect(checkAuthority(token, [])).toEqual({ status: 'unverified', why: 'no-authority' })
    expect(checkAuthority(token, [pem('stranger')])).toEqual({ status: 'unverified', why: 'other-authority' })
    expect(checkAuthority(stamped('tsa'), [pem('root')])).toEqual({ status: 'unverified', why: 'other-authority' })
    expect(inBrowsers(token, [pem('root')])).toEqual({ status: 'unverified', why: 'not-checked-here' })
    expect(inBrowsers(token, [])).toEqual({ status: 'unverified', why: 'no-authority' })
  })
})

describe('a forged token', () => {
  const forge = () => {
    const token = stamped('tsa', ['middle'])
    const { content, signature } = parseToken(token)
    const year = Buffer.from(new Date().toISOString().slice(0, 4))
    const other = Buffer.from('2001')
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
    const earlier = replaced(Buffer.from(content), year, other)
    return { token, content, signature, earlier, hash }
  }

  it('with another time and a digest to match is refused', () => {
    const { token, content, earlier, hash } = forge()
    const moved = replaced(replaced(token, content, earlier), hash(content), hash(earlier))
    expect(parseToken(moved).claimedAt).toMatch(/^2001-/)
    expect(checkAuthority(moved, [pem('root')])).toBe('forged')
  })

  it('with a changed signature is refused', () => {
    const { token, signature } = forge()
    const changed = Buffer.from(signature)
    changed[changed.length - 1] = (changed[changed.length - 1] as number) ^ 1
    expect(checkAuthority(replaced(token, signature, changed), [pem('root')])).toBe('forged')
  })

  it.each([
    [
      'a certificate of their own, with the name of the authority',
      () => certificate('own', 'stamps', null, 'tsa'),
      'own',
    ],
    [
      'a certificate of a CA of their own, with its name',
      () => {
        certificate('false', 'ca', null, 'middle')
        certificate('own', 'stamps', 'false', 'tsa')
      },
      'own',
    ],
    ['a certificate of the same CA that is for something else', () => undefined, 'leaf'],
    ['a certificate that one which is no CA has issued', () => certificate('own', 'stamps', 'leaf'), 'own'],
    [
      'a certificate below a CA that may issue no further CA',
      () => {
        certificate('deeper', 'ca', 'middle')
        certificate('own', 'stamps', 'deeper')
      },
      'own',
    ],
    ['a certificate with a critical extension that nobody here knows', () => undefined, 'odd'],
  ])('by %s has no date', (_, prepare, signer) => {
    prepare()
    const { content } = forge()
    const chain = ['middle', 'leaf', 'false', 'deeper'].filter((name) => {
      try {
        return name !== signer && pem(name) !== ''
      } catch {
        return false
      }
    })
    const token = handmade(content, signer, chain)
    expect(checkAuthority(token, [pem('root')])).toEqual({ status: 'unverified', why: 'other-authority' })
  })

  it('for a time before the certificate has no date, though the authority has signed it', () => {
    const { earlier, content } = forge()
    expect(checkAuthority(handmade(content, 'tsa', ['middle']), [pem('root')])).toMatchObject({ status: 'verified' })
    const token = handmade(earlier, 'tsa', ['middle'])
    expect(checkAuthority(token, [pem('root')])).toEqual({ status: 'unverified', why: 'other-authority' })
  })

  it('is verified with the genuine time, refused or without a date after a change of any byte', () => {
    const { token } = forge()
    const genuine = checkAuthority(token, [pem('root')])
    const counts = { same: 0, forged: 0, unverified: 0, unreadable: 0 }
    for (const [place, byte] of token.entries()) {
      try {
        const stamp = checkAuthority(token.with(place, byte ^ 1) as Buffer, [pem('root')])
        if (stamp === 'forged') counts.forged++
        else if (stamp.status === 'unverified') counts.unverified++
        else {
          expect(stamp).toEqual(genuine)
          counts.same++
        }
      } catch {
        counts.unreadable++
      }
    }
    expect(counts.forged).toBeGreaterThan(100)
    // Versions, the accepted algorithms once more, unsigned certificates.
    expect(counts.same).toBeLessThan(token.length / 5)
  })
})
