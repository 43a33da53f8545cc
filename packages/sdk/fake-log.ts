/** The logs of a fake center: entries as the service makes them, with proofs that verify under a key made here. */
import {
  actionDigest,
  checkpointText,
  emptyFrontier,
  entryHash,
  grow,
  type Json,
  keyIdOf,
  leafHash,
  logName,
  rootOf,
  rulesDigest,
  signatureLine,
  vkeyOf,
} from '@countersign/proof'
import {
  entryContent,
  exportDocument,
  historyStatic,
  type Prepared,
  type ProofApproval,
  proofStatic,
  proofValues,
  type StoredEntry,
  unitState,
  writeTlogProof,
} from '@countersign/proof/making'
import type { NewAgentDecision } from './api.generated.ts'

const host = 'fake.countersign.test'
/** In the range of sandboxes: what a fake makes is never taken for more than test data. */
export const fakeCenter = 1_000_000_001

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const newSalt = (): string => hex(crypto.getRandomValues(new Uint8Array(16)))

type Subtle = typeof crypto.subtle
interface KeyPair {
  readonly privateKey: Parameters<Subtle['sign']>[1]
  readonly publicKey: Parameters<Subtle['exportKey']>[1]
}

interface Log {
  readonly name: string
  readonly hashes: string[]
}

export interface SealedRecord {
  readonly entry: StoredEntry
  readonly index: number
  readonly history: StoredEntry[]
  readonly historyIndexes: number[]
}

interface NewSeal {
  /** The part that the IDs of one record share. */
  readonly suffix: string
  readonly decisionId: string
  readonly body: NewAgentDecision
  readonly occurredAt: string
  readonly sealedAt: string
  readonly actionSalt: string
  readonly recordedBy: string
  readonly approval?: ProofApproval
  readonly usableUntil: string | null
}

/** What `actionDigest` covers: the request as it was sent. */
export function digestOf(salt: string, { agent, ...said }: NewAgentDecision): string {
  return actionDigest(salt, { ...said, type: 'agent_execution', actor: { ...agent, type: 'ai_agent' } })
}

export async function fakeLog() {
  const { privateKey, publicKey } = (await crypto.subtle.generateKey('Ed25519', true, ['sign'])) as KeyPair
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
  const [proof, history] = (['proof', 'history'] as const).map(
    (domain): Log => ({ name: logName(host, fakeCenter, domain), hashes: [] }),
  ) as [Log, Log]

  function append(log: Log, prepared: Prepared, values: Readonly<Record<string, Json>>, sealedAt: string): StoredEntry {
    const previousHash = log.hashes.at(-1) ?? null
    const content = entryContent(prepared, { log: log.name, index: log.hashes.length, sealedAt })
    const hash = entryHash(content, previousHash, sealedAt)
    log.hashes.push(hash)
    return { content, hash, previousHash, sealedAt, values, salts: prepared.salts }
  }

  async function provenIn({ name, hashes }: Log): Promise<(index: number) => string> {
    const { frontier, inclusion } = grow(emptyFrontier, hashes.map(leafHash))
    const text = checkpointText(name, hashes.length, rootOf(frontier))
    const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, new TextEncoder().encode(text)))
    const note = `${text}\n${signatureLine(name, keyIdOf(name, 1, raw), signature)}`
    return (index) => writeTlogProof(index, inclusion(index), note)
  }

  return {
    trustText: `log ${vkeyOf(host, 1, raw)}\nquorum none\n`,

    seal(record: NewSeal): SealedRecord {
      const { suffix, decisionId, body, occurredAt, sealedAt, actionSalt, recordedBy, approval, usableUntil } = record
      const { agent, ...said } = body
      const input = {
        ...{ id: `evd_${suffix}`, decisionId, evidenceLevel: 'AUDIT_READY', actionSalt },
        event: { ...said, type: 'agent_execution', occurredAt, actor: { ...agent, type: 'ai_agent' }, recordedBy },
        ...(approval && { approval }),
        control: { rules: { index: null, digest: rulesDigest([]) }, ...(usableUntil !== null && { usableUntil }) },
        actionDigest: digestOf(actionSalt, body),
      } as unknown as Parameters<typeof proofStatic>[0]
      const index = proof.hashes.length
      const entry = append(proof, proofStatic(input, newSalt), proofValues(input), sealedAt)
      return { entry, index, history: [], historyIndexes: [] }
    },

    /** A step of an execution: `consumed`, or an outcome. */
    step(record: SealedRecord, id: string, values: Readonly<Record<string, Json>>, sealedAt: string): StoredEntry {
      const { entry } = record
      const { id: target, evidenceLevel } = JSON.parse(entry.content) as { id: string; evidenceLevel: string }
      const previous = (record.history.at(-1) ?? entry).hash
      const prepared = historyStatic(
        { id, type: 'execution', target, previous, values },
        () => unitState({ evidenceLevel, metadata: null }),
        newSalt,
      )
      record.historyIndexes.push(history.hashes.length)
      const made = append(history, prepared, values, sealedAt)
      record.history.push(made)
      return made
    },

    async exported({ entry, index, history: changes, historyIndexes }: SealedRecord, exportedAt: string) {
      const [inProof, inHistory] = [await provenIn(proof), await provenIn(history)]
      const { id } = JSON.parse(entry.content) as { id: string }
      return exportDocument({
        ...{ record: entry, history: changes, eventId: id.replace('evd_', 'evt_'), exportedAt },
        ...{ schemaUrl: `https://${host}/schemas`, publicUrl: `https://${host}` },
        anchor: {
          ...{ tlogProof: inProof(index), anchoring: 'logged' },
          ...(changes.length > 0 && { historyProofs: historyIndexes.map(inHistory) }),
        },
      })
    },
  }
}
