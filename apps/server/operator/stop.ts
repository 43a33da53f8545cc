/** Commands by which the operator stops something in a center or in all of them, and lifts it. */

import { audit } from '../audit/audit.ts'
import { requireCenter } from '../features/centers/centers/api.ts'
import { coversOf, liftAsOperator, liftInAll, stopAsOperator, stopInAll } from '../features/evidence/freezes/api.ts'
import { Problem } from '../lib/problem.ts'
import { readSigners } from '../sealing/key-queries.ts'
import { type Command, type Shell, UsageError } from './shell.ts'

const longestReason = 500
const allCenters = '--all'

export function requireReason(reason: string): string {
  if (reason.trim() === '' || reason.length > longestReason) {
    throw new UsageError(`REASON must have 1 to ${longestReason} characters. Put it in quotes.`)
  }
  return reason
}

function coversIn(what: string) {
  if (what === 'everything') return coversOf({ center: true })
  const [, kind, name = ''] = /^(agent|key|actions):(.+)$/s.exec(what) ?? []
  if (kind === 'agent') return coversOf({ actorId: name })
  if (kind === 'key') return coversOf({ keyId: name })
  if (kind === 'actions') return coversOf({ actionTypes: name.split(',') })
  throw new UsageError(`WHAT must be agent:ID, key:ID, actions:TYPE,TYPE or everything, not "${what}".`)
}

const inCells = (names: readonly string[]) => `cell${names.length === 1 ? '' : 's'} ${names.join(', ')}`

/** A cell that was not reached is an error: the operator has to know, and repeats the command. */
function requireAllCells(failed: readonly string[], again: string): void {
  if (failed.length === 0) return
  throw new Problem('SERVICE_UNAVAILABLE', `Not done in ${inCells(failed)}. When you can reach it again, run: ${again}`)
}

/** Entries name the host of their log: under another host, the first entry of a center would begin another log. */
export async function requireSameHost({ services: { config }, asOperator }: Shell): Promise<void> {
  const hosts = new Set((await asOperator(readSigners)).map(({ vkey }) => vkey.split('+')[0] as string))
  if (hosts.size === 0 || hosts.has(config.logHost)) return
  throw new Problem(
    'CONFLICT',
    `The servers' logs are on the host ${[...hosts].join(', ')}, but this command would write entries for ${config.logHost}. Nothing was changed. Run it with the servers' PUBLIC_URL and TLOG_HOST.`,
  )
}

const audited = ({ asOperator }: Shell, action: 'frozen' | 'lifted', id: string) =>
  asOperator((tx) => audit(tx, { type: 'policy.changed', action, target: { type: 'freeze', id } }))

async function stopAll(shell: Shell, what: string, reason: string, again?: string): Promise<string> {
  const { id, failed } = await stopInAll(shell.services.cells, coversIn(what), reason, again)
  await audited(shell, 'frozen', id)
  requireAllCells(failed, `stop ${allCenters} ${what} REASON ${id}`)
  return `Stopped in all centers: ${what}. To lift the stop, run: lift-stop ${allCenters} ${id} REASON`
}

async function liftAll(shell: Shell, id: string, reason: string): Promise<string> {
  const { changed, failed } = await liftInAll(shell.services.cells, id, reason)
  if (changed.length > 0) await audited(shell, 'lifted', id)
  requireAllCells(failed, `lift-stop ${allCenters} ${id} REASON`)
  if (changed.length === 0) throw new Problem('NOT_FOUND', `No stop ${id} of all centers is in force.`)
  return `The stop ${id} has been lifted in all centers.`
}

export const stopCommand: Command = {
  takes: 'CENTER WHAT REASON [STOP]',
  does: 'stop agent:ID, key:ID, actions:TYPE,TYPE or everything in a center, or in all with --all as CENTER',
  async run(shell: Shell, name = '', what = '', reason = '', again?: string) {
    const covers = coversIn(what)
    requireReason(reason)
    if (name === allCenters) return stopAll(shell, what, reason, again)
    if (again !== undefined) throw new UsageError('STOP is only for repeating a stop of all centers.')
    await requireSameHost(shell)
    const { services, caller, asOperator } = shell
    const center = await asOperator((tx) => requireCenter(tx, name))
    const id = await stopAsOperator(services, { ...caller, centerId: center.id }, covers, reason)
    return `Stopped in ${center.name} (${center.domain}, ID ${center.id}): ${what}. To lift the stop, run: lift-stop ${center.domain} ${id} REASON`
  },
}

export const liftCommand: Command = {
  takes: 'CENTER STOP REASON',
  does: 'lift a stop in a center, whoever made it, or in all with --all as CENTER',
  async run(shell: Shell, name = '', id = '', reason = '') {
    requireReason(reason)
    if (name === allCenters) return liftAll(shell, id, reason)
    await requireSameHost(shell)
    const { services, caller, asOperator } = shell
    const center = await asOperator((tx) => requireCenter(tx, name))
    await liftAsOperator(services, { ...caller, centerId: center.id }, id, reason)
    return `The stop ${id} in ${center.name} (${center.domain}, ID ${center.id}) has been lifted.`
  },
}
