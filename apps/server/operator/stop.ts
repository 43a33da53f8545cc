/** Commands by which the operator stops something in a center, and lifts it. */
import { requireCenter } from '../features/centers/centers/api.ts'
import { coversOf, liftAsOperator, stopAsOperator } from '../features/evidence/freezes/api.ts'
import { type Command, type Shell, UsageError } from './shell.ts'

const longestReason = 500

function requireReason(reason: string): string {
  if (reason.trim() === '' || reason.length > longestReason) {
    throw new UsageError(`REASON has 1 to ${longestReason} characters; put it in quotes.`)
  }
  return reason
}

function coversIn(what: string) {
  if (what === 'everything') return coversOf({ center: true })
  const [, kind, name = ''] = /^(agent|key|actions):(.+)$/s.exec(what) ?? []
  if (kind === 'agent') return coversOf({ actorId: name })
  if (kind === 'key') return coversOf({ keyId: name })
  if (kind === 'actions') return coversOf({ actionTypes: name.split(',') })
  throw new UsageError(`WHAT is agent:ID, key:ID, actions:TYPE,TYPE or everything, not "${what}".`)
}

export const stopCommand: Command = {
  takes: 'CENTER WHAT REASON',
  does: 'stop agent:ID, key:ID, actions:TYPE,TYPE or everything in a center; only the operator lifts it',
  async run({ services, caller, asOperator }: Shell, name = '', what = '', reason = '') {
    const covers = coversIn(what)
    requireReason(reason)
    const center = await asOperator((tx) => requireCenter(tx, name))
    const id = await stopAsOperator(services, { ...caller, centerId: center.id }, covers, reason)
    return `Stopped in ${center.name} (${center.domain}, id ${center.id}), in every process: ${what}. To lift it: lift-stop ${center.domain} ${id} REASON`
  },
}

export const liftCommand: Command = {
  takes: 'CENTER STOP REASON',
  does: 'lift a stop in a center, whoever made it',
  async run({ services, caller, asOperator }: Shell, name = '', id = '', reason = '') {
    requireReason(reason)
    const center = await asOperator((tx) => requireCenter(tx, name))
    await liftAsOperator(services, { ...caller, centerId: center.id }, id, reason)
    return `The stop ${id} in ${center.name} (${center.domain}, id ${center.id}) is lifted.`
  },
}
