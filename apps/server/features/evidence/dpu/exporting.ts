/** The portable proof of a stored DPU. */
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { entryHash } from '@countersign/proof/chain.ts'
import { type Anchor, type ExportDocument, exportDocument } from '@countersign/proof/export.ts'
import type { NamedPolicy } from '@countersign/proof/policy-text.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import type { Config } from '../../../config/config.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { ownLine } from '../../../governance/policies.ts'
import { readHeads } from '../../../integrity/verify-queries.ts'
import { now } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { anchorFor, type Watching } from '../transparency/api.ts'
import { policyTexts } from './queries.ts'
import { lostValue } from './redacted.ts'
import { brokenRecord, findStored, parsed, type StoredDpu } from './stored.ts'

export type ExportConfig = Pick<Config, 'publicUrl' | 'schemaUrl'>

/**
 * The portable proof, verified before it is sent: a proof that does not hold is never sent. A DPU has a content; for a
 * decision it is the hashed text, included where the caller asks for a DPU.
 */
export function exportOf(
  stored: StoredDpu,
  config: ExportConfig,
  withContent = false,
  anchor: Anchor | null = null,
  policyTexts: readonly string[] = [],
): ExportDocument {
  const { schemaUrl, publicUrl } = config
  const { record, proof, history, bindings } = stored
  if (record.predecessor !== proof.previousHash) throw brokenRecord("it doesn't follow the entry before it")
  if (entryHash(proof.content, proof.previousHash, proof.sealedAt) !== proof.hash) {
    throw brokenRecord("its hash doesn't match its content")
  }
  const kind = record.dpu.domain === 'proof' ? 'decisionEvent' : 'dpu'
  const eventId = typedId(kind, record.dpu.id)
  let document: ExportDocument
  try {
    document = exportDocument({
      record: proof,
      history,
      bindings,
      withContent,
      anchor: anchor ?? undefined,
      policyTexts,
      eventId,
      exportedAt: now().toISOString(),
      schemaUrl,
      publicUrl,
    })
  } catch (error) {
    throw brokenRecord(`its entry can't be read (${(error as Error).message})`)
  }
  const {
    problems: [problem],
    undisclosed,
  } = verifyExport(document)
  if (problem) throw brokenRecord(`${problem.path} ${problem.message}`)
  const lost = lostValue(document, undisclosed)
  if (lost !== undefined) throw brokenRecord(`${lost} is gone, and no redaction explains it`)
  return document
}

/** A stored unit that holds: the record as its export shows it, and its chain as far as verification has looked at it. */
export async function findWhole(
  tx: TenantTx,
  uuid: string | null,
  config: ExportConfig,
): Promise<StoredDpu | undefined> {
  const stored = await findStored(tx, uuid)
  if (!stored) return undefined
  exportOf(stored, config)
  const { domain, chain_index } = stored.record.dpu
  const head = (await readHeads(tx)).find((each) => each.domain === domain)
  if (!head || (head.broken_at !== null && head.broken_at <= chain_index)) {
    throw brokenRecord('its chain was found to be broken, and no operator has cleared the alarm')
  }
  return stored
}

export interface ExportNeeds {
  readonly config: ExportConfig
  readonly watching: Watching
}

/** Adds the inclusion proofs of the record and of each change. `withTexts`: the policies, for staff of the center alone. */
export async function anchoredExport(
  tx: TenantTx,
  { config, watching }: ExportNeeds,
  stored: StoredDpu,
  withContent = false,
  withTexts = false,
): Promise<ExportDocument> {
  const { domain, chain_index: index, policies } = stored.record.dpu
  const [changes, bindings] = [stored.history, stored.bindings].map((each) => each.map((entry) => parsed(entry).index))
  const anchor = await anchorFor(tx, watching, domain, index, changes, bindings)
  const named = withTexts && domain === 'proof' ? (policies as readonly NamedPolicy[] | null) : null
  return exportOf(stored, config, withContent, anchor, named ? await textsOf(tx, named) : [])
}

/** Each once, exactly as it was digested. The line of the service itself is in no table. */
async function textsOf(tx: TenantTx, named: readonly NamedPolicy[]): Promise<readonly string[]> {
  const own = named.some(({ id }) => id === ownLine.id) ? [canonical(ownLine.body as unknown as Json)] : []
  return [...new Set([...own, ...(await policyTexts(tx, named)).map(({ policy }) => policy)])]
}
