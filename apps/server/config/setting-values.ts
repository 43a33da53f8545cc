/** The forms of setting values, and the readers of keys and files. */
import { createECDH, hkdfSync } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { inspect } from 'node:util'
import { type KeyFileError, key32, readKeyFile } from './key-file.ts'

/** Throws a message that names the setting and never repeats its value, which may hold a password. */
export type Fail<Name extends string> = (name: Name, hint: string) => never

export const isUrl =
  (...schemes: string[]) =>
  (text: string): boolean =>
    schemes.some((scheme) => text.startsWith(`${scheme}://`)) && URL.canParse(text)
export const isDatabase = isUrl('postgres', 'postgresql')
export const isOrigin = (text: string): boolean => isUrl('http', 'https')(text) && new URL(text).origin === text
/** As a URL spells it: lower case, an IPv6 address in brackets. */
export const isHostOfUrl = (text: string): boolean =>
  URL.canParse(`http://${text}`) && new URL(`http://${text}`).hostname === text
export const isCellName = (text: string): boolean => /^[a-z0-9-]+$/.test(text)
export const isCell = (text: string): boolean =>
  /^[a-z0-9-]+=/.test(text) && isDatabase(text.slice(text.indexOf('=') + 1))

/** An address, or one with a port: 10.0.0.2:53, [fd00::2]:53. */
export function isDnsServer(text: string): boolean {
  const [, ipv4, ipv6, port] = /^(?:([\d.]+)|\[([\da-f:]+)\]):(\d{1,5})$/i.exec(text) ?? []
  return isIP(text) !== 0 || (isIP(ipv4 ?? ipv6 ?? '') === (ipv4 ? 4 : 6) && Number(port) > 0 && Number(port) <= 65_535)
}

export const isEd25519Key = (text: string): boolean => /^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$/.test(text)

/** 32 bytes in base64url that are a private key of the curve. */
export function isP256Key(text: string): boolean {
  if (!/^[\w-]{43}$/.test(text)) return false
  try {
    createECDH('prime256v1').setPrivateKey(text, 'base64url')
    return true
  } catch {
    return false
  }
}

/** A name or an address, without a port. */
export const isHostName = (text: string): boolean => /^[\w.-]{1,253}$/.test(text)

export function isNetwork(text: string): boolean {
  const [network = '', bits = ''] = text.split('/')
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(network) === 4 ? 32 : isIP(network) === 6 ? 128 : -1)
}

/** Addresses from all parts of the public space; networks that hold them all leave nobody out. */
const everywhere = [
  ['1.1.1.1', '100.0.0.1', '150.0.0.1', '203.0.114.1'],
  ['2001:4860::1', '2600::1', '2a00::1', '2c0f::1'],
] as const

function holdEverybody(networks: readonly string[]): boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return everywhere.some((samples) => samples.every((each) => list.check(each, isIP(each) === 6 ? 'ipv6' : 'ipv4')))
}

const isLoopback = (url: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** Production: what people send is encrypted on the way, and no setting trusts or opens the whole internet. */
export function requireClosed<Name extends string>(
  urls: Readonly<Record<string, string>>,
  networks: Readonly<Record<string, readonly string[]>>,
  fail: Fail<Name>,
): void {
  for (const [name, url] of Object.entries(urls)) {
    if (!url.startsWith('https:') && !isLoopback(url))
      fail(name as Name, 'must begin with https:// in production; http:// is for localhost only')
  }
  for (const [name, list] of Object.entries(networks)) {
    if (holdEverybody(list))
      fail(
        name as Name,
        "includes every public address, which isn't allowed in production; list only the networks you need",
      )
  }
}

export function readCells(
  entries: readonly string[],
  databaseUrl: string,
  fail: Fail<'CELLS'>,
): ReadonlyMap<string, string> {
  if (entries.length === 0) return new Map([['main', databaseUrl]])
  const cells = new Map(
    entries.map((entry): [string, string] => {
      const at = entry.indexOf('=')
      return [entry.slice(0, at), entry.slice(at + 1)]
    }),
  )
  return cells.size === entries.length ? cells : fail('CELLS', 'must have each name only once')
}

/** All cells unless some are named. */
export function readWorkerCells(
  names: readonly string[],
  cells: ReadonlyMap<string, string>,
  fail: Fail<'WORKER_CELLS'>,
): ReadonlySet<string> {
  const unknown = names.find((name) => !cells.has(name))
  if (unknown !== undefined) fail('WORKER_CELLS', `must contain only names from ${[...cells.keys()].join(', ')}`)
  return new Set(names.length === 0 ? cells.keys() : names)
}

/** Base64 keys of 32 bytes, newest first, separated by commas or lines. */
export function readSecretKeys(
  inline: string | undefined,
  file: string | undefined,
  fail: Fail<'SECRET_KEY' | 'SECRET_KEY_FILE'>,
): readonly Buffer[] {
  const name = inline === undefined && file !== undefined ? 'SECRET_KEY_FILE' : 'SECRET_KEY'
  const words = (inline ?? readSecretFile('SECRET_KEY_FILE', file, fail)).split(/[\s,]+/).filter(Boolean)
  if (words.length === 0)
    fail(name, 'is required: 32 random bytes in base64 (openssl rand -base64 32), or set SECRET_KEY_FILE')
  return words.map((word) => {
    const key = key32(word) ?? fail(name, 'must contain only keys of 32 random bytes in base64')
    // A key that is printed or logged by accident shows nothing.
    for (const way of ['toJSON', inspect.custom]) Object.defineProperty(key, way, { value: () => '[secret]' })
    return key
  })
}

/** A random key of 32 bytes has about 30 different ones; a word that was repeated or typed has few. */
const isWeak = (key: Buffer): boolean => new Set(key).size < 16

/** Production: every key is random, and none is used for two purposes, so that the loss of one does not expose another. */
export function requireStrongKeys(
  secretKeys: readonly Buffer[],
  logKeys: string,
  fail: Fail<'SECRET_KEY' | 'TLOG_KEY'>,
): void {
  const forLogs = logKeys.split(/[\s,]+/).flatMap((word) => key32(word) ?? [])
  const remedy = 'use 32 random bytes in base64 (openssl rand -base64 32)'
  if (secretKeys.some(isWeak)) fail('SECRET_KEY', `has a key that isn't random: ${remedy}`)
  if (forLogs.some(isWeak)) fail('TLOG_KEY', `has a key that isn't random: ${remedy}`)
  if (forLogs.some((key) => secretKeys.some((other) => other.equals(key))))
    fail('TLOG_KEY', `must differ from SECRET_KEY: ${remedy}`)
}

/**
 * Development derives the key from SECRET_KEY. Production requires a separate key, so that the two can be stored apart.
 */
export function readLogKeys(
  inline: string | undefined,
  file: string | undefined,
  development: readonly Buffer[] | null,
  fail: Fail<'TLOG_KEY' | 'TLOG_KEY_FILE'>,
): () => string {
  const text = inline ?? readSecretFile('TLOG_KEY_FILE', file, fail)
  // A file is read at each call, because keys are rotated while processes run.
  if (text.trim() !== '') return inline === undefined && file !== undefined ? () => readKeyFile(file) : () => text
  const secret = development?.at(-1)
  if (!secret)
    fail('TLOG_KEY', 'is required: 32 random bytes in base64 (openssl rand -base64 32), or set TLOG_KEY_FILE')
  const seed = Buffer.from(hkdfSync('sha256', secret as Buffer, '', 'countersign log key', 32))
  return () => seed.toString('base64')
}

export function readSecretFile<Name extends string>(name: Name, file: string | undefined, fail: Fail<Name>): string {
  try {
    return file === undefined ? '' : readKeyFile(file)
  } catch (error) {
    return fail(name, (error as KeyFileError).message)
  }
}
