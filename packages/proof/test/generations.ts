/** A log of five entries that lost two, and its next generation; for tests and for the vectors in docs/formats. */
import { toBase64 } from '../base64.ts'
import { entryContent, entryHash, logName } from '../chain.ts'
import { declaration, type ExportDocument, type StoredEntry } from '../export.ts'
import { generationName, prepareSuccession, type Succession } from '../generations.ts'
import { writeTlogProof } from '../tlog-proof.ts'
import { emptyFrontier, grow, leafHash, rootOf } from '../tree.ts'
import { type BuiltEntry, exported, saltSequence, sealDpu } from './arbitraries.ts'
import { policyText, signedCheckpoint } from './log.ts'

export const firstLog = logName('proof.example', 42, 'dpu')
export const secondLog = generationName(firstLog, 2)

type Prepared = Parameters<typeof entryContent>[0]
interface Draft {
  readonly id: string
  readonly prepared: Prepared
  readonly values: StoredEntry['values']
}

const unit = (at: number, salts: () => string): Draft => {
  const id = `dpu_${at}`
  const values = { content: `Unit ${at}`, evidenceLevel: 'DRAFT' }
  return { ...sealDpu({ id, referenceType: 'note', vertical: 'shop', values }, salts), id, values }
}

/** Entries after those of `before`. */
function continued(before: readonly BuiltEntry[], log: string, drafts: readonly Draft[]): BuiltEntry[] {
  const entries = [...before]
  for (const { id, prepared, values } of drafts) {
    const index = entries.length
    const previousHash = entries.at(-1)?.hash ?? null
    const sealedAt = new Date(Date.UTC(2040, 0, 1, 0, 0, index)).toISOString()
    const content = entryContent(prepared, { log, index, sealedAt })
    const hash = entryHash(content, previousHash, sealedAt)
    entries.push({ index, id, hash, previousHash, sealedAt, content, values, salts: prepared.salts } as BuiltEntry)
  }
  return entries
}

const treeOf = (entries: readonly BuiltEntry[]) =>
  grow(
    emptyFrontier,
    entries.map(({ hash }) => leafHash(hash)),
  )
const rootAt = (entries: readonly BuiltEntry[]): string => toBase64(rootOf(treeOf(entries).frontier))

const proofAt = (entries: readonly BuiltEntry[], log: string, index: number): string => {
  const { frontier, inclusion } = treeOf(entries)
  return writeTlogProof(index, inclusion(index), signedCheckpoint(log, entries.length, rootOf(frontier)))
}

export function lossOfTwo(change: (said: Succession) => Succession = (said) => said) {
  const salts = saltSequence()
  const closed = continued(
    [],
    firstLog,
    [0, 1, 2, 3, 4].map((at) => unit(at, salts)),
  )
  const restored = closed.slice(0, 3)
  const said = change({
    restored: { size: 3, root: rootAt(restored), signed: 2 },
    lost: [{ log: firstLog, size: 5, root: rootAt(closed), kept: 3 }],
    reason: 'The disk of the primary failed.',
    declaredBy: 'Operations of proof.example',
  })
  const statement = { id: 'dpu_statement', prepared: prepareSuccession('dpu', 'dpu_statement', said), values: {} }
  const opened = continued(restored, secondLog, [statement, unit(5, salts)])
  const declared = declaration(opened[3] as BuiltEntry, proofAt(opened, secondLog, 3))
  const fileOf = (entries: readonly BuiltEntry[], log: string, index: number, successions = false): ExportDocument =>
    exported(entries[index] as BuiltEntry, {
      anchor: {
        ...{ tlogProof: proofAt(entries, log, index), anchoring: 'witnessed' },
        ...(successions && { successions: [declared] }),
      },
    })
  return {
    closed,
    opened,
    declared,
    receiptOf: (index: number) => ({
      ...{ log: firstLog, index, size: closed.length },
      inclusionProof: treeOf(closed).inclusion(index).map(toBase64),
      checkpoint: signedCheckpoint(firstLog, closed.length, rootOf(treeOf(closed).frontier)),
    }),
    /** A file of each kind. */
    files: {
      lost: fileOf(closed, firstLog, 4),
      early: fileOf(closed, firstLog, 1),
      carried: fileOf(opened, secondLog, 1, true),
      carriedAlone: fileOf(opened, secondLog, 1),
      later: fileOf(opened, secondLog, 4, true),
      /** The lost entry in the tree of the next generation, where another entry is. */
      smuggled: fileOf([...opened.slice(0, 4), closed[4] as BuiltEntry], secondLog, 4, true),
    },
  }
}

/** The content of docs/formats/generations.json. */
export function generationVectors() {
  const { declared, files } = lossOfTwo()
  const found = (name: keyof typeof files, declarations: boolean, standing: string) => ({
    ...{ name, declarations, standing, document: files[name] },
  })
  return {
    policy: policyText,
    declaration: declared,
    files: [
      found('lost', false, 'holds'),
      found('lost', true, 'lost'),
      found('early', true, 'holds'),
      found('carried', false, 'holds'),
      found('carriedAlone', false, 'unvouched'),
      found('carriedAlone', true, 'holds'),
      found('later', false, 'holds'),
      found('smuggled', false, 'altered'),
    ],
  }
}
