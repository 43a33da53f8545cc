/** Seals what nobody confirmed in time, notes who is to confirm the rest, and mails administrators what was not confirmed. */
import type { KnownCenter } from '../../../access/center-profiles.ts'
import type { Cell, TenantTx } from '../../../data/cells.ts'
import { appliedOf } from '../../../governance/policies.ts'
import { now } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { approvalAddress, lapseItem } from '../decision-events/api.ts'
import { policyTexts } from '../dpu/api.ts'
import { adminAddresses } from '../verification/api.ts'
import {
  lapsedEmergencies,
  noteMailedEmergency,
  noteToldConfirmations,
  type ShownEmergency,
  toBeConfirmed,
  unmailedEmergencies,
  untoldConfirmations,
} from './confirmation-queries.ts'
import { confirmersNow, confirmingNow, textsByName } from './emergencies.ts'
import { type Staff, staffNow } from './people.ts'
import type { TellNeeds } from './tell-needs.ts'
import { oweNotice } from './waiting-queries.ts'

const job = 'waiting-decisions'
const step = 200

/** What cannot be sealed now stays over: nobody confirms or consumes it, and the next run tries again. */
export async function sealLapsed(
  { sequencer, log }: TellNeeds & { readonly sequencer: Sequencer },
  cell: Cell,
  center: KnownCenter,
): Promise<void> {
  const { centerId } = center
  const caller = { requestId: job, actorId: 'countersign', centerId }
  for (const id of await cell.inTenantJob(centerId, job, (tx) => lapsedEmergencies(tx, now(), step))) {
    try {
      await sequencer.seal({ ...lapseItem(id, caller), center, caller })
    } catch (error) {
      log.error({ err: error, centerId }, 'an emergency approval that nobody confirmed could not be sealed as such')
    }
  }
}

/** For each, the ids of those whose turn it is to confirm it. */
async function confirmersOf(tx: TenantTx, rows: readonly ShownEmergency[], staff: Staff) {
  const named = rows.flatMap(({ sealed_policies }) => sealed_policies ?? [])
  const known = textsByName((await policyTexts(tx, named)).filter(({ policy }) => policy).map(appliedOf))
  return rows.map((row) => ({
    eventId: row.event_id,
    members: confirmersNow(confirmingNow(row, known), staff, now().getTime()).confirm,
  }))
}

/** After each confirmation it may be the turn of others. */
export async function noteConfirmers({ directory }: TellNeeds, cell: Cell, { centerId }: KnownCenter): Promise<void> {
  for (;;) {
    const rows = await cell.inTenantJob(centerId, job, (tx) => untoldConfirmations(tx, now(), step))
    if (rows.length === 0) return
    const staff = await cell.inTenantJob(centerId, job, (tx) => staffNow(directory, tx))
    await cell.inTenantJob(centerId, job, async (tx) => {
      const asked = new Set((await confirmersOf(tx, rows, staff)).flatMap(({ members }) => [...members]))
      if (asked.size > 0) await oweNotice(tx, [...asked])
      const told = rows.map(({ event_id, confirmations }) => ({ event_id, told: confirmations.length }))
      await noteToldConfirmations(tx, told)
    })
    if (rows.length < step) return
  }
}

/** What waits to be confirmed now, and by whom. */
export const waitingConfirmations = async (tx: TenantTx, staff: Staff) =>
  confirmersOf(tx, await toBeConfirmed(tx, now(), step), staff)

/** Noted after the mails are queued: a crash between the two mails twice rather than never. */
export async function tellAdmins(
  { config, directory, mail, log }: TellNeeds,
  cell: Cell,
  { centerId, name: centerName }: KnownCenter,
): Promise<void> {
  const rows = await cell.inTenantJob(centerId, job, (tx) => unmailedEmergencies(tx, step))
  if (rows.length === 0) return
  if (!mail.canSend) {
    return log.warn({ centerId }, 'administrators cannot be told of emergency approvals: this server has no SMTP_URL')
  }
  const caller = { requestId: job, actorId: null, centerId }
  const addresses = await directory.asCenter(caller, adminAddresses, 'read')
  const urlOf = approvalAddress(config)
  for (const { event_id, state, state_at } of rows) {
    const facts = { centerName, at: state_at.toISOString(), url: urlOf(typedId('decisionEvent', event_id)) }
    await directory.identity({ ...caller, centerId: 0 }, async (tx) => {
      for (const { email: to } of addresses) await mail.queue(tx, { to, centerId, mail: state, facts })
    })
    await cell.inTenantJob(centerId, job, (tx) => noteMailedEmergency(tx, event_id))
  }
}
