/**
 * Tells those whom a policy informs that decisions were sealed or refused: each person in one mail about all of them. What was told is
 * noted after the mail waits to be sent, so that a crash between the two repeats a mail and loses none.
 */

import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { KnownCenter } from '../../../access/center-profiles.ts'
import type { Cell } from '../../../data/cells.ts'
import type { Candidate } from '../../../governance/line.ts'
import { typedId } from '../../../lib/ids.ts'
import { tellInformedOf } from '../../identity/notifications/api.ts'
import { approvalAddress } from '../decision-events/api.ts'
import { staffNow } from './people.ts'
import type { TellNeeds } from './tell-needs.ts'
import { type ClosedDecision, type Informing, noteInformed, uninformed } from './waiting-queries.ts'

const step = 200
const maxListed = 10
const job = 'waiting-decisions'

/** Whether they name this member. */
export const isInformed = ({ roles = [], actorIds = [], groupIds = [] }: Informing, who: Candidate): boolean =>
  roles.some((role) => who.roles?.includes(role)) ||
  actorIds.some((id) => comparableId(id) === comparableId(who.actorId)) ||
  groupIds.some((id) => who.groupIds?.includes(id))

export async function tellInformed(needs: TellNeeds, cell: Cell, center: KnownCenter): Promise<void> {
  const { centerId } = center
  for (;;) {
    const closed = await cell.inTenantJob(centerId, job, (tx) => uninformed(tx, step))
    if (closed.length === 0) return
    const { members, candidates } = await cell.inTenantJob(centerId, job, (tx) => staffNow(needs.directory, tx))
    for (const who of candidates) {
      const own = closed.filter(({ informing }) => isInformed(informing, who))
      const email = members.find(({ actor_id }) => actor_id === who.actorId)?.email
      if (email && own.length > 0) await tellOf(needs, center, { actorId: who.actorId, email }, own)
    }
    const ids = closed.map(({ event_id }) => event_id)
    await cell.inTenantJob(centerId, job, (tx) => noteInformed(tx, ids))
    if (closed.length < step) return
  }
}

async function tellOf(
  { config, directory, log, mail }: TellNeeds,
  center: KnownCenter,
  { actorId, email }: { readonly actorId: string; readonly email: string },
  closed: readonly ClosedDecision[],
): Promise<void> {
  const { name: centerName, centerId } = center
  if (!(await mail.reaches(centerId, email))) return
  if (!mail.canSend) return log.warn({ centerId }, 'members cannot be informed by mail: this server has no SMTP_URL')
  const urlOf = approvalAddress(config)
  const decisions = closed.map(({ event_id: id }) => ({ id, url: urlOf(typedId('decisionEvent', id)) }))
  const shown = decisions.slice(0, maxListed).map(({ url }) => ({ url }))
  const letter = { mail: 'decisionsClosed', facts: { centerName, shown, total: closed.length } } as const
  await directory.identity({ requestId: job, actorId: null, centerId: 0 }, (tx) =>
    tellInformedOf({ mail }, tx, { actorId, email, center, decisions, letter }),
  )
}
