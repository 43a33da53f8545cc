/** The command by which the operator closes an emergency approval that was not confirmed, where no other ADMIN can. */
import { audit } from '../audit/audit.ts'
import { requireCenter } from '../features/centers/centers/api.ts'
import { closeAsOperator } from '../features/evidence/decisions/api.ts'
import type { Command, Shell } from './shell.ts'
import { requireReason, requireSameHost } from './stop.ts'

export const closeEmergencyCommand: Command = {
  takes: 'CENTER DECISION REASON',
  does: 'close an emergency approval that was objected to or not confirmed, if no other ADMIN of the center can',
  async run(shell: Shell, name = '', decision = '', reason = '') {
    requireReason(reason)
    await requireSameHost(shell)
    const { services, caller, asOperator } = shell
    const center = await asOperator((tx) => requireCenter(tx, name))
    await closeAsOperator(services, { ...caller, centerId: center.id }, decision, reason)
    const target = { type: 'decision_event', id: decision }
    await asOperator((tx) => audit(tx, { type: 'policy.changed', action: 'closed', target }))
    return `Closed in ${center.name} (${center.domain}, ID ${center.id}): ${decision}. Whoever used it can approve in an emergency again.`
  },
}
