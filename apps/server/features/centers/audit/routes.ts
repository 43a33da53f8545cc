import * as contract from '@countersign/contract/audit.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { auditCsv, listPage, type Places } from './list.ts'

interface AuditNeeds {
  readonly cells: Cells
  readonly directory: Directory
}

export const auditRoutes = ({ cells, directory }: AuditNeeds): Route[] => [
  route(contract.listAuditEntries, async ({ tx, query }, reply) =>
    reply(200, await listPage({ directory, inCell: (ask) => ask(tx), caller: tx.caller }, query)),
  ),

  route(contract.exportAuditEntries, ({ tx: { cell, caller }, query }, reply) => {
    // The lines are read after this transaction has ended.
    const inCell: Places['inCell'] = (ask) => cells.of(cell).inTenant(caller, ask, 'read')
    return reply(200, auditCsv({ directory, inCell, caller }, query))
  }),
]
