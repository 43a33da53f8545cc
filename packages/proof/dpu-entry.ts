/** Domain `dpu`: a record that is chained when it is created, before any review. */
import type { Json } from './canonical.ts'
import { type Prepared, prepare } from './chain.ts'
import { commit } from './commitment.ts'

export interface DpuInput {
  readonly id: string
  readonly referenceType: string
  readonly vertical: string
  readonly country?: string | undefined
  readonly region?: string | undefined
  /**
   * Committed values by their names in the export: `content`, `referenceId`, `tags`, `createdBy`, the initial
   * `evidenceLevel` and `metadata`, `responsibility`. Later levels and metadata are history entries.
   */
  readonly values: Readonly<Record<string, Json>>
}

export const dpuStatic = (
  { id, referenceType, vertical, country, region, values }: DpuInput,
  newSalt: () => string,
): Prepared =>
  prepare(
    'dpu',
    {
      id,
      referenceType,
      vertical,
      ...(country !== undefined && { country }),
      ...(region !== undefined && { region }),
    },
    commit(values, newSalt),
  )
