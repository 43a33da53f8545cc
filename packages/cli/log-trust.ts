/** The trusted keys: those of a policy, or those that the server published at the first audit. */
import { checkNote, fromBase64, type Note, type TrustPolicy, type VerifierKey, verifierKey } from '@countersign/proof'
import type { Memory, PinnedKey } from './memory.ts'
import type { LogDocument } from './service.ts'

export interface LogTrust {
  readonly kind: 'policy' | 'pinned' | 'first'
  readonly policy: TrustPolicy
  /** Keys to store for later audits; empty with a policy. */
  readonly keys: readonly PinnedKey[]
  /** The host of the keys. */
  readonly host: string
  /** New since the last audit, endorsed by a known key. */
  readonly rotated: readonly string[]
  /** New since the last audit, without an endorsement by a known key. */
  readonly unendorsed: readonly string[]
}

export const byPolicy = (policy: TrustPolicy): LogTrust => ({
  kind: 'policy',
  policy,
  keys: [],
  host: policy.logs[0]?.key.name ?? '',
  rotated: [],
  unendorsed: [],
})

/** Throws when the document has no readable keys. */
export function byPublishedKeys(published: LogDocument, memory: Memory, baseUrl: string, now: string): LogTrust {
  // A host that changes its name at this address needs an endorsement like any new key.
  const host = memory.addresses[baseUrl] ?? published.logHost
  const known = memory.hosts[host]
  const listed = published.keys.map((key) => ({ ...key, verifier: verifierKey(key.vkey) }))
  if (!known || known.keys.length === 0) {
    const keys = listed.map(({ vkey }) => ({ vkey, since: now }))
    return trust('first', host, keys, [], [])
  }
  const keys = [...known.keys]
  const trusted = new Set(keys.map(({ vkey }) => vkey))
  const rotated: string[] = []
  const unendorsed: string[] = []
  // The document lists the newest first and each is endorsed by the next, so the oldest is checked first.
  for (const [at, key] of [...listed.entries()].reverse()) {
    if (trusted.has(key.vkey)) continue
    const before = listed[at + 1]
    if (before && trusted.has(before.vkey) && isEndorsed(key, before.verifier)) {
      trusted.add(key.vkey)
      keys.push({ vkey: key.vkey, since: now })
      rotated.push(key.vkey)
    } else unendorsed.push(key.vkey)
  }
  return trust('pinned', host, keys, rotated, unendorsed)
}

const trust = (
  kind: LogTrust['kind'],
  host: string,
  keys: readonly PinnedKey[],
  rotated: readonly string[],
  unendorsed: readonly string[],
): LogTrust => ({
  kind,
  host,
  keys,
  rotated,
  unendorsed,
  policy: {
    logs: keys.map(({ vkey }) => ({ key: verifierKey(vkey), url: null })),
    witnesses: [],
    groups: [],
    passkeys: [],
    quorum: 'none',
  },
})

/** Computed here and not taken from the server: the endorsement must be for exactly this key. */
const endorsedText = (vkey: string, from: string): string => `countersign.log-key-rotation/v1\n${vkey}\n${from}\n`

function isEndorsed({ vkey, from, endorsement }: LogDocument['keys'][number], before: VerifierKey): boolean {
  const signature = endorsement === null ? null : fromBase64(endorsement)
  if (signature === null) return false
  const { name, keyId } = before
  const note: Note = { text: endorsedText(vkey, from), signatures: [{ name, keyId, signature }] }
  return checkNote(note, [before]).signedBy.length > 0
}
