/** The command that deletes the data of a center which leaves. Repeated after a failure, it goes on where it was. */
import { audit } from '../audit/audit.ts'
import { moveCenter, requireCenter } from '../features/centers/centers/api.ts'
import { anonymizeCenter, closeLogs, forgetRows, isInactive, markLeft } from '../features/centers/leaving/api.ts'
import { type Shell, UsageError } from './shell.ts'

const perStep = 2000

export async function deleteCommand(shell: Shell, name = '', option?: string): Promise<string> {
  if (option !== undefined && option !== '--without-export') {
    throw new UsageError(`Unknown option "${option}". Use --without-export.`)
  }
  const { services, asOperator, inCell, progress, caller } = shell
  const center = await asOperator((tx) => requireCenter(tx, name))
  const { cell: cellName } = await services.centers.profile(center.id)
  const cell = services.cells.of(cellName)
  const by = caller.actorId as string
  const withoutExport = option !== undefined
  const closed = await closeLogs(cell, center.id, by, services.watching, withoutExport)
  await asOperator(async (tx) => {
    if (!(await isInactive(tx, center.id))) await moveCenter(tx, center.id, 'INACTIVE')
    await anonymizeCenter(tx, center.id)
    await audit(tx, {
      type: 'center.updated',
      action: 'delete-data',
      target: { type: 'center', id: String(center.id) },
      details: { withoutExport, ...Object.fromEntries(closed.map(({ domain, size }) => [domain, size])) },
      centerId: center.id,
    })
  })
  await inCell(cellName, (db) => markLeft(db, center.id))
  let total = 0
  for (let gone = 1; gone > 0; ) {
    gone = await inCell(cellName, (db) => forgetRows(db, center.id, perStep))
    total += gone
    progress(`${total} rows deleted`)
  }
  const logs = closed.map(({ log, size, root }) => `  ${log}: closed at ${size} entries, root hash ${root}`)
  return [
    `The center ${center.domain} (ID ${center.id}) has left this server, and its data has been deleted.`,
    ...logs,
  ].join('\n')
}
