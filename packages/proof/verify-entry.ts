/**
 * Checks one exported entry without other input: it rebuilds the content from the members, hashes it, and compares
 * every disclosed value with its commitment. A member that is neither hashed nor committed is a problem: otherwise
 * fields could be added to a valid proof.
 */
import { canonical, type Json } from './canonical.ts'
import { type Domain, entryHash, preimageName } from './chain.ts'
import { commitment, saltPattern } from './commitment.ts'
import { approvalMembers, bookkeeping, type Layout, layouts } from './layout.ts'
import type { Problem, ProblemCode, Report } from './problem.ts'

type Members = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const hashPattern = /^sha256:[0-9a-f]{64}$/
export const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export interface CheckedEntry {
  /** The rebuilt content, canonical. */
  readonly content: string
  readonly hash: string
  /** Committed paths whose value is not shown. */
  readonly undisclosed: readonly string[]
}

/** `at` is the path of the entry in the document; the caller checks the members named in `elsewhere`. */
export function checkEntry(
  entry: Members,
  domain: Domain,
  at: string,
  elsewhere: readonly string[],
  report: Report,
  layout: Layout = layouts[domain],
): CheckedEntry | null {
  const { hashed, optional, branches } = layout
  const inEntry = (path: string) => `${at}.${path}`
  const chain = checkBookkeeping(entry, domain, inEntry, report)
  if (chain === null) return null
  const { commitments, disclosures } = chain

  for (const path of Object.keys(commitments)) {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
    const taken = [...hashed, ...optional, ...branches, ...bookkeeping].includes(path)
    if (taken || (parent !== '' && !branches.includes(parent))) {
      report(inEntry(`commitments.${path}`), 'not-committed-here')
    }
  }

  const content: Record<string, unknown> = {}
  const shown = new Set<string>()
  const visit = (value: unknown, path: string, into: Record<string, unknown>, name: string): void => {
    if (Object.hasOwn(commitments, path)) {
      shown.add(path)
      checkDisclosure(value, path, commitments[path], disclosures, inEntry, report)
    } else if (hashed.includes(path) || optional.includes(path)) {
      into[name] = value
    } else if (branches.includes(path) && isObject(value) && Object.keys(value).length > 0) {
      const inner: Record<string, unknown> = {}
      for (const key of Object.keys(value)) visit(value[key], `${path}.${key}`, inner, key)
      if (Object.keys(inner).length > 0) into[name] = inner
    } else {
      report(inEntry(path), 'added')
    }
  }
  for (const name of Object.keys(entry)) {
    if ((bookkeeping as readonly string[]).includes(name) || elsewhere.includes(name)) continue
    visit(entry[name], name, content, name)
  }

  const required = entry.approval === undefined ? hashed : [...hashed, ...approvalMembers]
  for (const path of required) {
    if (valueAt(content, path) === undefined) report(inEntry(path), 'missing')
  }
  for (const path of Object.keys(disclosures)) {
    if (!Object.hasOwn(commitments, path)) report(inEntry(`disclosures.${path}`), 'no-commitment')
    else if (!shown.has(path)) report(inEntry(`disclosures.${path}`), 'salt-alone')
  }
  if (isObject(entry.approval) && entry.approval.approvedAt !== entry.sealedAt) {
    report(inEntry('approval.approvedAt'), 'not-sealed-at')
  }

  const whole = { ...content, v: preimageName, log: entry.log, domain, index: chain.index, commitments }
  const text = canonical(whole as Json)
  const hash = entryHash(text, chain.previousHash, entry.sealedAt as string)
  if (hash !== chain.hash) report(inEntry('chain.hash'), 'hash-differs', { hash })
  return { content: text, hash, undisclosed: Object.keys(commitments).filter((path) => !shown.has(path)) }
}

interface Chain {
  readonly hash: string
  readonly previousHash: string | null
  readonly index: number
  readonly commitments: Readonly<Record<string, string>>
  readonly disclosures: Members
}

/** Checks forms only; null when the entry is too malformed to continue. */
function checkBookkeeping(
  entry: Members,
  domain: Domain,
  inEntry: (path: string) => string,
  report: Report,
): Chain | null {
  const { chain, log, sealedAt, commitments, disclosures } = entry
  let usable = true
  const demand = (holds: boolean, path: string, code: ProblemCode, params?: Problem['params']): void => {
    if (holds) return
    usable = false
    report(inEntry(path), code, params)
  }
  if (!isObject(chain) || !isObject(commitments) || !isObject(disclosures)) {
    for (const [name, value] of Object.entries({ chain, commitments, disclosures })) {
      demand(isObject(value), name, 'not-an-object')
    }
    return null
  }
  const { hash, previousHash, index, domain: stated, ...more } = chain
  for (const name of Object.keys(more)) demand(false, `chain.${name}`, 'added')
  demand(isMatch(hash, hashPattern), 'chain.hash', 'not-a-hash')
  demand(Number.isSafeInteger(index) && (index as number) >= 0, 'chain.index', 'not-an-index')
  demand(stated === domain, 'chain.domain', 'unexpected', { expected: domain })
  if (index === 0) demand(previousHash === null, 'chain.previousHash', 'first-has-previous')
  else demand(isMatch(previousHash, hashPattern), 'chain.previousHash', 'not-a-hash')
  demand(isMatch(sealedAt, timePattern), 'sealedAt', 'not-a-time')
  demand(typeof log === 'string', 'log', 'not-a-string')
  for (const path of Object.keys(commitments)) {
    demand(isMatch(commitments[path], hashPattern), `commitments.${path}`, 'not-a-hash')
  }
  return usable ? ({ ...chain, commitments, disclosures } as unknown as Chain) : null
}

function checkDisclosure(
  value: unknown,
  path: string,
  expected: string | undefined,
  disclosures: Members,
  inEntry: (path: string) => string,
  report: Report,
): void {
  const salt = Object.hasOwn(disclosures, path) ? disclosures[path] : undefined
  if (salt === undefined) report(inEntry(path), 'no-salt')
  else if (!isMatch(salt, saltPattern)) report(inEntry(`disclosures.${path}`), 'not-a-salt')
  else if (commitment(salt, path, value as Json) !== expected) report(inEntry(path), 'commitment-differs')
}

const isMatch = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value)

function valueAt(from: unknown, path: string): unknown {
  let value = from
  for (const name of path.split('.')) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}
