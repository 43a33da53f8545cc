/**
 * The chain `dpu-chain-v1`: what is hashed, to the byte. docs/formats/dpu-chain-v1.md specifies it.
 * A change here breaks every proof issued before; a new format gets a new name.
 */
import { sha256Hex } from '#sha256'
import { canonical, type Json } from './canonical.ts'
import { type Committed, quotedPath } from './commitment.ts'

export const preimageName = 'dpu-chain-v1'

export const domains = ['proof', 'dpu', 'history'] as const
export type Domain = (typeof domains)[number]

/** Centers with this id and above are sandboxes; a constraint of the directory keeps other centers below it. */
export const firstSandboxId = 1_000_000_000
export const isSandboxCenter = (centerId: number): boolean => centerId >= firstSandboxId

/** The kind of the center is part of the name, and the name is part of every hash: neither can be changed afterwards. */
export const logName = (host: string, centerId: number, domain: Domain): string =>
  `${host}/${isSandboxCenter(centerId) ? 'sandbox' : 'c'}/${centerId}/${domain}`

/** A host has no slash, so the second part of the name is the kind of the center. */
export const isSandboxLog = (log: unknown): boolean => typeof log === 'string' && log.split('/')[1] === 'sandbox'

/** Members that the content has in every domain. */
export interface ChainContent {
  readonly v: typeof preimageName
  readonly log: string
  readonly domain: Domain
  readonly index: number
  readonly id: string
  readonly commitments: Readonly<Record<string, string>>
  readonly [member: string]: Json
}

/** No separators: the end of a JSON object is unambiguous, and its `index` says whether a previous hash follows. */
export const entryHash = (canonicalContent: string, previousHash: string | null, sealedAt: string): string =>
  `sha256:${sha256Hex(`${canonicalContent}${previousHash ?? ''}${sealedAt}`)}`

/** The form in webhooks and in the API of the platform: 64 digits without the prefix. */
export const bareHash = (hash: string): string => hash.replace(/^sha256:/, '')

/** Known only when the entry is appended to the chain. `sealedAt` is YYYY-MM-DDTHH:MM:SS.mmmZ and never decreases. */
export interface Place {
  readonly log: string
  readonly index: number
  readonly sealedAt: string
}

/**
 * An entry before its index is known. Everything slow or fallible is done already, so that the sequencer only
 * concatenates strings while it holds the lock of the chain.
 */
export interface Prepared extends Committed {
  /** The members before `approval`, with a comma after each. */
  readonly opening: string
  /** Members of `approval` after `approvedAt`; null without an approval. */
  readonly approval: string | null
  readonly before: string
  readonly after: string
}

/**
 * `approval`, `index` and `log` are not among the members: `entryContent` inserts them in alphabetical order. The members
 * of an approval follow `approvedAt` in that order.
 */
export function prepare(
  domain: Domain,
  members: Readonly<Record<string, Json>>,
  { commitments, salts }: Committed,
  approval: Readonly<Record<string, Json>> | null = null,
): Prepared {
  const written: [key: string, text: string][] = [
    ['commitments', writtenCommitments(commitments)],
    ['domain', `"${domain}"`],
    ['v', `"${preimageName}"`],
  ]
  for (const key of Object.keys(members)) written.push([key, canonical(members[key] as Json)])
  const joined = (belongs: (key: string) => boolean, end = ''): string =>
    written
      .filter(([key]) => belongs(key))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, text]) => `"${key}":${text}${end}`)
      .join(end === '' ? ',' : '')
  return {
    commitments,
    salts,
    opening: joined((key) => key < 'approval', ','),
    approval: approval && canonical(approval).slice(1, -1),
    before: joined((key) => key > 'approval' && key < 'index'),
    after: joined((key) => key > 'log'),
  }
}

/** Equal to `canonical`, but faster: hashes need no escaping, and every entry has a dozen of them. */
const writtenCommitments = (commitments: Readonly<Record<string, string>>): string =>
  `{${Object.keys(commitments)
    .sort()
    .map((path) => `${quotedPath(path)}:"${commitments[path]}"`)
    .join(',')}}`

/** The canonical text of the content; a property test compares it with `canonical` of the whole object. */
export function entryContent({ opening, approval, before, after }: Prepared, { log, index, sealedAt }: Place): string {
  const approved = approval === null ? '' : `"approval":{"approvedAt":"${sealedAt}",${approval}},`
  return `{${opening}${approved}${before},"index":${index},"log":${canonical(log)},${after}}`
}
