/** A third party with the trust policy, who requests proofs and checks them with `packages/proof/` alone. */
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { checkNote, parseNote } from '@countersign/proof/signed-note.ts'
import { leafHash, verifyConsistency, verifyInclusion } from '@countersign/proof/tree.ts'
import { logKeyFor, parsePolicy } from '@countersign/proof/trust-policy.ts'
import type { ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'

const bytes = (hash: string) => Buffer.from(hash, 'base64')

export interface Said {
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

export interface LogReader {
  /** The content of a note with a valid signature. */
  said(note: string): Said
  /** The hashes of a chain in order, as an auditor downloads them. */
  hashes(domain?: string): Promise<readonly string[]>
  /** Requests a proof, and returns whether it leads from this hash to a signed root. */
  proves(hash: string, index: number, size?: number): Promise<boolean>
  /** Requests a proof, and returns whether it leads from one root to the other. */
  continues(older: Said, newer: Said): Promise<boolean>
}

export async function openReader(fixture: ProofFixture): Promise<LogReader> {
  const document = await fixture.server.call('GET', '/.well-known/countersign-log.json')
  const { logs } = parsePolicy(document.body.policy)
  const get = async (path: string) => {
    const { status, body, text } = await fixture.v1('GET', `/api/v1/chains/${path}`)
    if (status !== 200) throw new Error(text)
    return body
  }
  function said(text: string): Said {
    const note = parseNote(text)
    const checkpoint = parseCheckpoint(note.text)
    const { signedBy, bad } = checkNote(
      note,
      logs.flatMap(({ key }) => logKeyFor(key, checkpoint.origin) ?? []),
    )
    if (signedBy.length !== 1 || bad.length > 0) throw new Error('not signed by the log')
    return checkpoint
  }
  return {
    said,
    hashes: async (domain = 'proof') =>
      ((await get(`${domain}/entries`)) as { hash: string }[]).map(({ hash }) => hash),
    async proves(hash, index, size) {
      const { data } = await get(`proof/proofs/${index}${size === undefined ? '' : `?size=${size}`}`)
      const checkpoint = said(data.checkpoint)
      const agree = data.index === index && data.size === (size ?? data.size) && checkpoint.size === data.size
      const proof = data.inclusionProof.map(bytes)
      return agree && verifyInclusion(leafHash(hash), index, data.size, proof, checkpoint.root)
    },
    async continues(older, newer) {
      const { data } = await get(`proof/consistency?from=${older.size}&to=${newer.size}`)
      const proof = data.consistencyProof.map(bytes)
      return verifyConsistency(data.from, older.root, data.to, newer.root, proof)
    },
  }
}

/** Concurrent decisions: each batch of the sequencer carries some of them. */
export async function decideMany(fixture: ProofFixture, count: number, atOnce = 50): Promise<void> {
  for (let left = count; left > 0; left -= atOnce) {
    const answers = await Promise.all(Array.from({ length: Math.min(left, atOnce) }, () => fixture.decide()))
    const failed = answers.find(({ status }) => status !== 201)
    if (failed) throw new Error(failed.text)
  }
}
