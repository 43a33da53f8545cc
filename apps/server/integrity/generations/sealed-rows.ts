import type { RowKind } from '../../sealing/sealed-rows.ts'

interface GenerationRow {
  readonly center_id: number
  readonly domain: string
  readonly generation: number
  readonly restored_size: number
  /** In hex, as the others. */
  readonly restored_root: string
  readonly lost_size: number
  /** Null where only a witness has seen this size. */
  readonly lost_root: string | null
  readonly reason: string
  readonly declared_by: string
  readonly declared_at: string
}

/** Written with the entry that it refers to. */
export const generationRows: RowKind<GenerationRow> = {
  name: 'generations',
  order: 85,
  write: 'write_generations',
  namesOf: ({ domain, generation }) => [`${domain} ${generation}`],
}
