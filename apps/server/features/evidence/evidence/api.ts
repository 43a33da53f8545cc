/** The API of this feature: the entries of a chain as lines, for the export of a center. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { entriesAfter } from '../../../integrity/verify-queries.ts'
import { entryLine } from './lines.ts'

/** As many as fit into a page, below a size of the log. */
export async function entryLines(
  tx: TenantTx,
  domain: Domain,
  after: number,
  below: number,
): Promise<{ readonly lines: readonly string[]; readonly last: number }> {
  const page = await entriesAfter(tx, domain, after, below, pageSize)
  return { lines: page.map((row) => entryLine(domain, row)), last: page.at(-1)?.idx ?? after }
}

const pageSize = 1000
