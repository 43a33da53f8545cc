/**
 * The trust policy (c2sp.org/tlog-policy): which logs and witnesses a verifier trusts, and how many of the witnesses
 * must have cosigned. It is the only input of a verifier besides the proof.
 */
import { domains } from './chain.ts'
import { familyOf } from './generations.ts'
import { keyNamed, type VerifierKey, verifierKey } from './signed-note.ts'

export class MalformedPolicy extends Error {}

export interface PolicyLog {
  readonly key: VerifierKey
  readonly url: string | null
}

export interface PolicyWitness {
  /** Local to the policy; signatures carry the name of the key. */
  readonly name: string
  readonly key: VerifierKey
  readonly url: string | null
}

export interface PolicyGroup {
  readonly name: string
  readonly threshold: number
  /** Witnesses and groups. */
  readonly members: readonly string[]
}

/** Where passkeys sign: a line `#passkeys <rpId> <origin>...`, which other programs take for a comment. */
export interface PasskeyHost {
  readonly rpId: string
  readonly origins: readonly string[]
}

/** A key that its owner reported stolen: a line `#stolen <vkey> <time>`, which other programs take for a comment. */
export interface StolenLog {
  readonly key: VerifierKey
  readonly at: string
}

export interface TrustPolicy {
  /** Without those that were stolen. */
  readonly logs: readonly PolicyLog[]
  /** Believed only for what witnesses cosigned before the theft. */
  readonly stolen?: readonly StolenLog[]
  readonly witnesses: readonly PolicyWitness[]
  readonly groups: readonly PolicyGroup[]
  /** A witness, a group, or `none`. */
  readonly quorum: string
  readonly passkeys: readonly PasskeyHost[]
}

const none = 'none'

export function parsePolicy(text: string): TrustPolicy {
  if (/[^\P{Cc}\n\t]/u.test(text))
    throw new MalformedPolicy("A trust policy can't contain control characters other than tabs and line feeds.")
  const logs: PolicyLog[] = []
  const witnesses: PolicyWitness[] = []
  const groups: PolicyGroup[] = []
  const passkeys: PasskeyHost[] = []
  const stolen: StolenLog[] = []
  const names = new Set<string>()
  const grouped = new Set<string>()
  const publicKeys = { log: new Set<string>(), witness: new Set<string>() }
  let quorum: string | null = null

  const define = (name: string): void => {
    if (name === none || names.has(name)) throw new MalformedPolicy(`the name ${name} is already taken`)
    names.add(name)
  }
  const known = (name: string): string => {
    if (!names.has(name)) throw new MalformedPolicy(`${name} isn't defined on an earlier line`)
    return name
  }
  /** A key listed twice could meet a quorum of two alone. */
  const keyFor = (role: 'log' | 'witness', vkey: string): VerifierKey => {
    const key = verifierKey(vkey)
    if (key.type !== (role === 'log' ? 1 : 4)) throw new MalformedPolicy(`this isn't the key of a ${role}`)
    const publicKey = key.publicKey.join()
    if (publicKeys[role].has(publicKey)) throw new MalformedPolicy('this public key is listed twice')
    publicKeys[role].add(publicKey)
    return key
  }

  const read = ([keyword, ...items]: readonly string[]): void => {
    const [first, second, third] = items
    if (keyword === 'log' && first !== undefined && items.length <= 2) {
      logs.push({ key: keyFor('log', first), url: second ?? null })
    } else if (keyword === 'witness' && first !== undefined && second !== undefined && items.length <= 3) {
      define(first)
      witnesses.push({ name: first, key: keyFor('witness', second), url: third ?? null })
    } else if (keyword === 'group' && first !== undefined && second !== undefined && items.length > 2) {
      const members = items.slice(2).map(known)
      for (const member of members) {
        if (grouped.has(member)) throw new MalformedPolicy(`${member} is already a member`)
        grouped.add(member)
      }
      define(first)
      groups.push({ name: first, threshold: thresholdOf(second, members.length), members })
    } else if (keyword === 'quorum' && first !== undefined && items.length === 1) {
      if (quorum !== null) throw new MalformedPolicy('the quorum is already set')
      quorum = first === none ? none : known(first)
    } else if (keyword === passkeyLine && first !== undefined && second !== undefined) {
      if (passkeys.some(({ rpId }) => rpId === first)) throw new MalformedPolicy(`the host ${first} is listed twice`)
      passkeys.push({ rpId: first, origins: items.slice(1).map((origin) => originAt(first, origin)) })
    } else if (keyword === stolenLine) {
      if (first === undefined || second === undefined || Number.isNaN(Date.parse(second)) || items.length > 2)
        throw new MalformedPolicy('#stolen is followed by the key of a log and the time of the theft')
      stolen.push({ key: verifierKey(first), at: new Date(second).toISOString() })
    } else if (keyword === passkeyLine) {
      throw new MalformedPolicy('#passkeys is followed by a host and at least one origin')
    } else {
      throw new MalformedPolicy('a line must start with log, witness, group or quorum, followed by the items it needs')
    }
  }

  for (const [at, line] of text.split('\n').entries()) {
    const items = line.split(/[ \t]+/).filter((item) => item !== '')
    if (items.length === 0 || (items[0]?.startsWith('#') && ![passkeyLine, stolenLine].includes(items[0]))) continue
    try {
      read(items)
    } catch (error) {
      throw new MalformedPolicy(`Line ${at + 1} of the trust policy: ${(error as Error).message}`)
    }
  }
  if (quorum === null) throw new MalformedPolicy('A trust policy needs the line "quorum <name>" or "quorum none".')
  const gone = new Set(stolen.map(({ key }) => key.vkey))
  return {
    logs: logs.filter(({ key }) => !gone.has(key.vkey)),
    ...(stolen.length > 0 && { stolen }),
    witnesses,
    groups,
    quorum,
    passkeys,
  }
}

const passkeyLine = '#passkeys'
const stolenLine = '#stolen'

/** A browser lets a page ask for a passkey only of its own host or of a parent domain of it. */
function originAt(rpId: string, origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : null
  const isOrigin = url?.origin === origin && ['http:', 'https:'].includes(url.protocol)
  if (!isOrigin || !(url.hostname === rpId || url.hostname.endsWith(`.${rpId}`))) {
    throw new MalformedPolicy(`${origin} isn't an origin of the host ${rpId}`)
  }
  return origin
}

function thresholdOf(written: string, members: number): number {
  if (written === 'any') return 1
  if (written === 'all') return members
  const threshold = /^[1-9]\d{0,8}$/.test(written) ? Number(written) : 0
  if (threshold < 1 || threshold > members) {
    throw new MalformedPolicy(`the threshold must be "any", "all" or a number from 1 to ${members}`)
  }
  return threshold
}

/** `cosigners` are verifier keys, or names that the policy gives to witnesses. */
export function satisfied(policy: TrustPolicy, cosigners: readonly string[]): boolean {
  const holds = (name: string): boolean => {
    const group = policy.groups.find((candidate) => candidate.name === name)
    if (group !== undefined) return group.members.filter(holds).length >= group.threshold
    const witness = policy.witnesses.find((candidate) => candidate.name === name)
    return witness !== undefined && (cosigners.includes(witness.name) || cosigners.includes(witness.key.vkey))
  }
  return policy.quorum === none || holds(policy.quorum)
}

/**
 * The keys that sign the checkpoints of the log `origin`. One key signs all logs of a host: a policy names it once, by
 * the name of the host, and each log uses it under its own name. A key with the full name of a log is only for that
 * log and its later generations.
 */
export function logKeyFor(policyKey: VerifierKey, origin: string): VerifierKey | null {
  if (policyKey.name === origin) return policyKey
  const { name } = policyKey
  const isBelow = origin.startsWith(`${name}/c/`) || origin.startsWith(`${name}/sandbox/`)
  if (!isBelow && familyOf(origin).first !== name) return null
  return keyNamed(origin, policyKey.type, policyKey.publicKey)
}

/**
 * The policy for the logs of one center only: a key of a host signs the logs of all its centers, and a verifier that
 * waits for one of them accepts no other. `log` is `<host>/c/<center>` or `<host>/sandbox/<center>`, with
 * or without the name of a domain.
 */
export function narrowedTo(policy: TrustPolicy, log: string): TrustPolicy {
  const { first } = familyOf(log)
  const center = first.replace(/\/(?:proof|dpu|history)$/, '')
  const wanted = center === first ? domains.map((domain) => `${center}/${domain}`) : [first, `${center}/history`]
  const logs = policy.logs.flatMap(({ key, url }) =>
    [...new Set(wanted)].flatMap((origin) => {
      const own = logKeyFor(key, origin)
      return own === null ? [] : [{ key: own, url }]
    }),
  )
  const stolen = (policy.stolen ?? []).flatMap(({ key, at }) =>
    [...new Set(wanted)].flatMap((origin) => {
      const own = logKeyFor(key, origin)
      return own === null ? [] : [{ key: own, at }]
    }),
  )
  if (logs.length + stolen.length === 0) throw new MalformedPolicy(`The trust policy has no key for the log ${log}.`)
  return { ...policy, logs, ...(stolen.length > 0 && { stolen }) }
}
