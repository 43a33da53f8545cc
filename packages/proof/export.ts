/**
 * The portable proof: a JSON-LD document from which a third party can recompute the hash. It is made from the hashed
 * content itself, so what it shows and what was sealed cannot differ.
 */
import type { Json } from './canonical.ts'
import { type ChainContent, preimageName } from './chain.ts'
import { contextAddress } from './context.ts'
import { changeable } from './layout.ts'

type Members = Record<string, Json>

/** An entry as stored, with the values and salts that have not been redacted. */
export interface StoredEntry {
  /** Canonical text, exactly as hashed. */
  readonly content: string
  readonly hash: string
  readonly previousHash: string | null
  readonly sealedAt: string
  readonly values: Readonly<Record<string, Json>>
  readonly salts: Readonly<Record<string, string>>
}

/** What attests the checkpoint: the log's signature, witnesses, a time-stamping authority. */
export const anchorings = ['logged', 'witnessed', 'timestamped'] as const
export type Anchoring = (typeof anchorings)[number]

/** The log's proof for the record at the time of the export. */
export interface Anchor {
  /** The output of `writeTlogProof`. */
  readonly tlogProof: string
  readonly anchoring: Anchoring
  /** Base64 of an RFC 3161 token over the signed text of the checkpoint in `tlogProof`; with `timestamped` only. */
  readonly timestamp?: string | undefined
  /** One for each history entry, in the same order. */
  readonly historyProofs?: readonly string[] | undefined
  /** One for each binding, in the same order. */
  readonly bindingProofs?: readonly string[] | undefined
  /** The declared losses of the logs that the export names, oldest first. */
  readonly successions?: readonly Declaration[] | undefined
}

/** A statement that begins a generation of a log, with the log's proof. */
export interface Declaration {
  readonly '@type': 'LogSuccession'
  readonly entry: Readonly<Members>
  readonly tlogProof: string
}

/** A statement has nothing that could be redacted. */
export const declaration = (entry: Omit<StoredEntry, 'values' | 'salts'>, tlogProof: string): Declaration => ({
  '@type': 'LogSuccession',
  entry: exportedEntry({ ...entry, values: {}, salts: {} }),
  tlogProof,
})

export interface ExportInput {
  readonly record: StoredEntry
  /** The history entries about this record, oldest first. */
  readonly history?: readonly StoredEntry[] | undefined
  /** The history entries about the passkeys that signed the approvals, and about those that confirmed them. */
  readonly bindings?: readonly StoredEntry[] | undefined
  /** Adds the hashed text of a decision as `evidence.content`. A DPU has its own `content`. */
  readonly withContent?: boolean | undefined
  readonly anchor?: Anchor | undefined
  /** The canonical texts of policies that the seal names, for readers who may know them. */
  readonly policyTexts?: readonly string[] | undefined
  readonly eventId: string
  readonly exportedAt: string
  readonly schemaUrl: string
  readonly publicUrl: string
}

export interface ExportDocument {
  readonly '@context': string
  readonly '@type': 'DecisionProof'
  readonly version: '2.0'
  readonly exportedAt: string
  readonly evidence: Readonly<Members>
  readonly verification: Readonly<Members>
  readonly policyTexts?: string[]
}

export function exportDocument({
  record,
  history = [],
  bindings = [],
  withContent = false,
  anchor,
  policyTexts = [],
  eventId,
  exportedAt,
  schemaUrl,
  publicUrl,
}: ExportInput): ExportDocument {
  const { domain, index } = JSON.parse(record.content) as ChainContent
  const entry = exportedEntry(record)
  const changes = history.map(exportedEntry)
  const { id, decisionId, evidenceLevel, ...rest } = stateAfter(domain, entry, changes)
  return {
    '@context': contextAddress(schemaUrl),
    '@type': 'DecisionProof',
    version: '2.0',
    exportedAt,
    evidence: {
      id: id as Json,
      // A DPU is its own decision.
      decisionId: (decisionId ?? id) as Json,
      status: statusOf(domain, evidenceLevel),
      ...(evidenceLevel !== undefined && { evidenceLevel }),
      ...(withContent && domain === 'proof' && { content: record.content }),
      ...rest,
      ...(changes.length > 0 && { history: changes }),
      ...(bindings.length > 0 && { bindings: bindings.map(exportedEntry) }),
    },
    verification: {
      hashAlgorithm: 'SHA-256',
      preimage: preimageName,
      chainDomain: domain,
      chainIndex: index,
      chainHash: record.hash,
      previousHash: record.previousHash,
      verifyUrl: `${publicUrl}/verify/${eventId}`,
      ...(anchor && {
        anchoring: anchor.anchoring,
        tlogProof: anchor.tlogProof,
        ...(anchor.timestamp !== undefined && { timestamp: anchor.timestamp }),
        ...(changes.length > 0 && anchor.historyProofs !== undefined && { historyProofs: anchor.historyProofs }),
        ...(bindings.length > 0 && anchor.bindingProofs !== undefined && { bindingProofs: anchor.bindingProofs }),
        ...(anchor.successions?.length && { successions: anchor.successions as unknown as Json }),
      }),
    },
    ...(policyTexts.length > 0 && { policyTexts: [...policyTexts] }),
  }
}

/** Evidence of a decision is always sealed; any other unit counts as sealed at the level AUDIT_READY. */
export const statusOf = (domain: string, evidenceLevel: unknown): 'sealed' | 'pending' =>
  domain === 'proof' || evidenceLevel === 'AUDIT_READY' ? 'sealed' : 'pending'

/** Hashed members, and every committed value that is still stored together with its salt. */
function exportedEntry({ content, hash, previousHash, sealedAt, values, salts }: StoredEntry): Members {
  const { v: _, log, domain, index, commitments, ...members } = JSON.parse(content) as ChainContent
  const entry: Members = members
  const disclosures: Record<string, string> = {}
  for (const path of Object.keys(commitments)) {
    const salt = salts[path]
    const value = values[path]
    if (salt === undefined || value === undefined) continue
    disclosures[path] = salt
    place(entry, path.split('.'), value)
  }
  return { ...entry, chain: { hash, previousHash, index, domain }, log, sealedAt, commitments, disclosures }
}

function place(into: Members, path: readonly string[], value: Json): void {
  let inner = into
  for (const name of path.slice(0, -1)) {
    inner[name] ??= {}
    inner = inner[name] as Members
  }
  inner[path.at(-1) as string] = value
}

/**
 * The current level and metadata of a unit; they replace the initial ones in the export. A decision hashes its level in
 * clear, so the export keeps the sealed one as `sealedLevel`.
 */
function stateAfter(domain: string, entry: Members, changes: readonly Members[]): Members {
  const raised = domain === 'proof' && changes.some((change) => change.type === changeable.evidenceLevel)
  const present: Members = { ...entry, ...(raised && { sealedLevel: entry.evidenceLevel as Json }) }
  const disclosures = { ...(entry.disclosures as Record<string, string>) }
  for (const [member, type] of Object.entries(changeable)) {
    const last = changes.findLast((change) => change.type === type)
    if (last === undefined) continue
    delete disclosures[member]
    const now = last[member]
    if (now === undefined) delete present[member]
    else present[member] = now
  }
  return { ...present, disclosures }
}
