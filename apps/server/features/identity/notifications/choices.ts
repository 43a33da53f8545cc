/** What a person gets: what they chose, and the defaults for the rest. Pure. */
import {
  groupOf,
  isFixed,
  type MessageChannel,
  type MessageEvent,
  type MessageGroup,
  messageChannels,
  messageEvents,
  messageGroupNames,
  messageGroups,
} from '@countersign/contract/messages.ts'
import type { NotificationSettings, putNotifications } from '@countersign/contract/notifications.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import { isTimezone } from '../../../lib/local-time.ts'
import { refusedField } from '../../../lib/problem.ts'

type Choices = BodyOf<typeof putNotifications.spec>
type Choice = Choices['groups'][number]

export interface QuietHours {
  readonly from: string
  readonly until: string
}

/** As stored: what the person chose, and no defaults, so that a default can change. */
export interface Settings {
  readonly groups: readonly Choice[]
  readonly quietHours: QuietHours | null
  readonly timeZone: string | null
}

export const untouched: Settings = { groups: [], quietHours: null, timeZone: null }

const defaultOf = (group: MessageGroup): Choice => ({
  ...{ group, mail: true, push: true, text: messageGroups[group].text ?? false, digest: false },
})

const has = (group: MessageGroup, channel: MessageChannel | 'digest'): boolean =>
  channel === 'digest' ? messageGroups[group].digest : channel !== 'text' || messageGroups[group].text !== null

const choiceOf = ({ groups }: Settings, group: MessageGroup): Choice =>
  groups.find((each) => each.group === group) ?? defaultOf(group)

/** What is fixed now is sent, whatever was stored before. */
export function wants(settings: Settings, event: MessageEvent, channel: MessageChannel): boolean {
  const group = groupOf(event)
  return isFixed(group, channel) || (has(group, channel) && choiceOf(settings, group)[channel])
}

/** Whether there is anything that the person can turn off. */
export const hasChoice = (event: MessageEvent): boolean =>
  messageChannels.some((channel) => has(groupOf(event), channel) && !isFixed(groupOf(event), channel))

export const wantsDigest = (settings: Settings, event: MessageEvent): boolean =>
  has(groupOf(event), 'digest') && choiceOf(settings, groupOf(event)).digest

export const shownSettings = (settings: Settings): NotificationSettings => ({
  groups: messageGroupNames.map((group) => ({
    ...choiceOf(settings, group),
    fixed: [...messageGroups[group].fixed],
    offers: [...messageChannels, 'digest' as const].filter((each) => has(group, each)),
    events: messageEvents.filter((event) => groupOf(event) === group),
  })),
  quietHours: settings.quietHours,
  timeZone: settings.timeZone,
})

export function checkedSettings({ groups, quietHours, timeZone }: Choices): Settings {
  groups.forEach((choice, at) => {
    const { group } = choice
    if (groups.findIndex((each) => each.group === group) !== at)
      throw refusedField(`groups[${at}].group`, 'names a group twice. Send each group at most once')
    for (const channel of messageChannels) {
      if (isFixed(group, channel) && !choice[channel])
        throw refusedField(`groups[${at}].${channel}`, "can't be turned off for this group. Send true")
    }
    for (const each of ['text', 'digest'] as const) {
      if (choice[each] && !has(group, each))
        throw refusedField(`groups[${at}].${each}`, "can't be turned on for this group. Send false")
    }
  })
  if (timeZone !== null && !isTimezone(timeZone))
    throw refusedField('timeZone', "isn't a time zone. Send a name such as Asia/Seoul", undefined, 'timezone')
  if (quietHours && quietHours.from === quietHours.until)
    throw refusedField(
      'quietHours.until',
      'is the same time as "quietHours.from". Send another time',
      undefined,
      'sameTime',
    )
  return { groups, quietHours, timeZone }
}
