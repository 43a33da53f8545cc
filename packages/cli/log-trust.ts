/** Whose signatures count: those of a policy, or the keys that the server published when it was first audited. */
import { checkNote, fromBase64, type Note, type TrustPolicy, type VerifierKey, verifierKey } from '@countersign/proof'
import type { Memory, PinnedKey } from './memory.ts'
import type { LogDocument } from './service.ts'

export interface LogTrust {
  readonly kind: 'policy' | 'pinned' | 'first'
  readonly policy: TrustPolicy
  /** To be remembered; empty where a policy says it all. */
  readonly keys: readonly PinnedKey[]
  /** Whose keys they are. */
  readonly host: string
  /** New since the last audit, endorsed by a key that was known. */
  readonly rotated: readonly string[]
  /** New since the last audit, and nobody we know says that it is genuine. */
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

/** Throws where the document holds no keys that can be read. */
export function byPublishedKeys(published: LogDocument, memory: Memory, baseUrl: string, now: string): LogTrust {
  // Whoever answers at this address under another name than before has to be endorsed like any new key.
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
  // Newest first in the document: each is endorsed by the one behind it, so the oldest is looked at first.
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
    quorum: 'none',
  },
})

/** Made here and not taken from the server: what was signed must be about this very key. */
const endorsedText = (vkey: string, from: string): string => `countersign.log-key-rotation/v1\n${vkey}\n${from}\n`

function isEndorsed({ vkey, from, endorsement }: LogDocument['keys'][number], before: VerifierKey): boolean {
  const signature = endorsement === null ? null : fromBase64(endorsement)
  if (signature === null) return false
  const { name, keyId } = before
  const note: Note = { text: endorsedText(vkey, from), signatures: [{ name, keyId, signature }] }
  return checkNote(note, [before]).signedBy.length > 0
}
