/** What the first page shows, from the center's cell and the directory. */
import { type getToday, startSteps } from '@countersign/contract/console-today.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Directory } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { nowMs } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { daysAfter, instantOf, localDateOf } from '../../../lib/local-time.ts'
import { workflowUuid } from '../../automation/workflows/api.ts'
import { livePasskeys } from '../../identity/passkeys/api.ts'
import { appointmentsByDay, begun, hasPolicy, joinedSince, openDrafts, outcomesSince } from './queries.ts'

export interface TodayNeeds {
  readonly centers: CenterProfiles
  readonly directory: Directory
}

const daysInWeek = 7

/** Monday of the week before, and the two weeks from there. */
export function twoWeeks(today: string): readonly string[] {
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + daysInWeek - 1) % daysInWeek
  const first = daysAfter(today, -sinceMonday - daysInWeek)
  return Array.from({ length: 2 * daysInWeek }, (_, at) => daysAfter(first, at))
}

export async function readToday({ centers, directory }: TodayNeeds, context: Context<typeof getToday.spec>) {
  const { tx, principal } = context
  const { timezone } = await centers.profile(tx.caller.centerId)
  const today = localDateOf(timezone, nowMs())
  const startOf = (day: string) => new Date(instantOf(timezone, day, '00:00'))
  const since = startOf(daysAfter(today, -1))
  const days = twoWeeks(today)
  const isAdmin = principal.entered.roles.includes('ADMIN')
  const span = {
    timezone,
    from: startOf(days[0] as string),
    to: startOf(daysAfter(days.at(-1) as string, 1)),
    instructorId: isAdmin ? null : principal.actorId,
  }
  const counted = new Map((await appointmentsByDay(tx, span)).map((row) => [row.day, row]))
  const outcomes = await outcomesSince(tx, since)
  const drafts = await openDrafts(tx)
  const joined = await directory.asCenter(tx.caller, (inCenter) => joinedSince(inCenter, since), 'read')
  return {
    ...{ since: since.toISOString(), ...outcomes, joined },
    drafts: drafts.map((row) => ({
      executionId: typedId('execution', row.id),
      workflowId: typedId('workflow', workflowUuid(row.workflow_key)),
      completedAt: row.completed_at.toISOString(),
      sentToMe: row.sent_to === principal.actorId,
      sentTo: row.sent_to_name,
    })),
    days: days.map((day) => {
      const { attended = 0, missed = 0, open = 0 } = counted.get(day) ?? {}
      return { day, attended, missed, open }
    }),
    steps: isAdmin ? await stepsOf(directory, context) : null,
  }
}

async function stepsOf(directory: Directory, { tx, principal }: Context<typeof getToday.spec>) {
  const { caller } = tx
  const keys = await directory.identity(caller, (identity) => livePasskeys(identity, principal.actorId), 'read')
  const done = {
    ...(await directory.asCenter(caller, begun, 'read')),
    passkey: keys.length > 0,
    policy: await hasPolicy(tx),
  }
  const steps = startSteps.map((step) => ({ step, done: done[step] }))
  return steps.every((each) => each.done) ? null : steps
}
