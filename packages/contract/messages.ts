/**
 * The matrix of messages: which event tells whom, and by which channels. The server sends by it, the documentation and each
 * person's notification settings show it, and a test sends every cell.
 */

export const messageChannels = ['mail', 'push', 'text'] as const
export type MessageChannel = (typeof messageChannels)[number]

/** `person`: whom the event is about. `approvers`: those whose turn it is. `requester`: who asked for the decision. */
export const messagePersons = [
  ...(['person', 'guardians', 'instructor', 'admins', 'confirmers'] as const),
  ...(['approvers', 'requester', 'informed', 'commenters'] as const),
] as const
export type MessagePerson = (typeof messagePersons)[number]

interface Group {
  /** Channels that nobody can turn off. */
  readonly fixed: readonly MessageChannel[]
  /** Whether the emails can be collected into one a day. */
  readonly digest: boolean
  /** Whether text messages are sent to whoever hasn't chosen; null: the group has none. */
  readonly text: boolean | null
}

/** What a person turns on and off. */
export const messageGroups = {
  appointments: { fixed: [], digest: false, text: true },
  decisions: { fixed: [], digest: true, text: false },
  membership: { fixed: ['mail'], digest: false, text: null },
  center: { fixed: [], digest: true, text: null },
  subscription: { fixed: ['mail'], digest: false, text: null },
  security: { fixed: ['mail', 'push'], digest: false, text: null },
} as const satisfies Readonly<Record<string, Group>>
export type MessageGroup = keyof typeof messageGroups
export const messageGroupNames = Object.keys(messageGroups) as MessageGroup[]

interface Event {
  readonly group: MessageGroup
  readonly to: Readonly<Partial<Record<MessagePerson, readonly MessageChannel[]>>>
  /** Events with one email between them; by default an email of their own. */
  readonly mail?: string
}

const both = ['mail', 'push'] as const
const all = ['mail', 'push', 'text'] as const
const onlyMail = ['mail'] as const

/** Whoever has no account yet, or may have lost it, is reached by email only. */
export const messageMatrix = {
  appointmentMade: { group: 'appointments', to: { person: both, guardians: both, instructor: both } },
  appointmentMoved: { group: 'appointments', to: { person: all, guardians: all, instructor: both } },
  appointmentCanceled: { group: 'appointments', to: { person: all, guardians: all, instructor: both } },
  appointmentTomorrow: { group: 'appointments', to: { person: all, guardians: all } },
  placeOffered: { group: 'appointments', to: { person: all, guardians: all } },
  appointmentMissed: { group: 'appointments', to: { person: both, guardians: both } },

  decisionWaits: { group: 'decisions', to: { approvers: all }, mail: 'decisionsWait' },
  myTurn: { group: 'decisions', to: { approvers: all }, mail: 'decisionsWait' },
  escalated: { group: 'decisions', to: { approvers: all }, mail: 'decisionsWait' },
  policyChangeWaits: { group: 'decisions', to: { approvers: all }, mail: 'decisionsWait' },
  decided: { group: 'decisions', to: { requester: both } },
  informed: { group: 'decisions', to: { informed: onlyMail }, mail: 'decisionsClosed' },
  commented: { group: 'decisions', to: { requester: both, commenters: both } },
  deputyNamed: { group: 'decisions', to: { person: both } },
  draftReady: { group: 'decisions', to: { admins: both } },
  draftSent: { group: 'decisions', to: { person: both } },
  draftRefused: { group: 'decisions', to: { person: both } },

  invited: { group: 'membership', to: { person: onlyMail }, mail: 'invitation' },
  partnerInvited: { group: 'membership', to: { person: onlyMail }, mail: 'partnerInvitation' },
  guardianInvited: { group: 'membership', to: { guardians: onlyMail }, mail: 'guardianInvitation' },
  accepted: { group: 'membership', to: { admins: both } },
  childWaits: { group: 'membership', to: { admins: both } },
  approved: { group: 'membership', to: { person: both, guardians: both } },
  rejected: { group: 'membership', to: { person: onlyMail, guardians: onlyMail } },
  roleChanged: { group: 'membership', to: { person: both } },
  mayApprove: { group: 'membership', to: { person: onlyMail, admins: onlyMail } },

  keyExpiring: { group: 'center', to: { admins: both } },
  webhookFailing: { group: 'center', to: { admins: both } },
  exportReady: { group: 'center', to: { person: both } },
  domainLive: { group: 'center', to: { admins: both } },
  domainExpiring: { group: 'center', to: { admins: both } },
  domainStopped: { group: 'center', to: { admins: both } },

  trialEnding: { group: 'subscription', to: { admins: both } },
  pastDue: { group: 'subscription', to: { admins: both } },
  suspended: { group: 'subscription', to: { admins: both } },
  canceled: { group: 'subscription', to: { admins: both } },
  reactivated: { group: 'subscription', to: { admins: both } },

  openAccount: { group: 'security', to: { person: onlyMail } },
  accountExists: { group: 'security', to: { person: onlyMail } },
  newPassword: { group: 'security', to: { person: onlyMail } },
  linkAccount: { group: 'security', to: { person: onlyMail } },
  noAccountToLink: { group: 'security', to: { person: onlyMail } },
  addressCode: { group: 'security', to: { person: ['mail', 'text'] }, mail: 'emailCode' },
  addressTaken: { group: 'security', to: { person: ['mail', 'text'] }, mail: 'emailTaken' },
  newSignIn: { group: 'security', to: { person: both } },
  passkeyAdded: { group: 'security', to: { person: onlyMail } },
  passkeyWaits: { group: 'security', to: { confirmers: onlyMail } },
  passkeyConfirmed: { group: 'security', to: { person: onlyMail, admins: onlyMail } },
  passkeyRemoved: { group: 'security', to: { person: both } },
  adminPasskeysOn: { group: 'security', to: { admins: onlyMail } },
  adminPasskeysOff: { group: 'security', to: { admins: onlyMail } },
  passwordChanged: { group: 'security', to: { person: onlyMail } },
  emailChanged: { group: 'security', to: { person: onlyMail } },
  phoneChanged: { group: 'security', to: { person: ['mail', 'text'] } },
  objected: { group: 'security', to: { admins: onlyMail } },
  unconfirmed: { group: 'security', to: { admins: onlyMail } },
  frozen: { group: 'security', to: { admins: both } },
  resumed: { group: 'security', to: { admins: both } },
  chainBroken: { group: 'security', to: { admins: both }, mail: 'integrityAlarm' },
  lossDeclared: { group: 'security', to: { admins: both }, mail: 'integrityLoss' },
} as const satisfies Readonly<Record<string, Event>>
export type MessageEvent = keyof typeof messageMatrix
export const messageEvents = Object.keys(messageMatrix) as MessageEvent[]

/** The channels of each person that an event tells. */
export const channelsOf = (event: MessageEvent): Readonly<Partial<Record<MessagePerson, readonly MessageChannel[]>>> =>
  messageMatrix[event].to

/** The email that tells of an event. */
export function templateOf(event: MessageEvent): string {
  const row: Event = messageMatrix[event]
  return row.mail ?? event
}

export const groupOf = (event: MessageEvent): MessageGroup => messageMatrix[event].group

export const isFixed = (group: MessageGroup, channel: MessageChannel): boolean =>
  (messageGroups[group].fixed as readonly MessageChannel[]).includes(channel)

/** When the one email a day is sent, in the person's time. */
export const digestTime = '08:30'
