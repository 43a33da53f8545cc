/**
 * Every mail of the service, by the name under which it waits to be sent, with the facts that it needs. Its words are in
 * the catalog under the same name.
 */
import type { PartnerRole } from '@countersign/contract/enums.ts'
import type { MessageEvent } from '@countersign/contract/messages.ts'
import en from '@countersign/words/en/messages.json' with { type: 'json' }
import ko from '@countersign/words/ko/messages.json' with { type: 'json' }
import { type Language, say, type Values } from '@countersign/words/say.ts'
import { neutralTerms, type Terms, termValues } from '@countersign/words/terms.ts'

/** A type and no interface, so that its values can be written without naming them. */
type Link = { readonly url: string }

type FromCenter = Link & { readonly centerName: string }

/** A mail has no amounts and no names of clients: nothing is approved by mail, and others read it too. */
type Decisions = {
  readonly centerName: string
  /** Where to read them, at most ten. */
  readonly shown: readonly Link[]
  readonly total: number
}

/** Where the person chooses what they get; absent where there is no choice. */
type Chosen = { readonly settingsUrl?: string }
type OfCenter = FromCenter & Chosen

/** The client is named to guardians only: an instructor's mail has no clients' names. */
type Appointment = OfCenter & {
  readonly who: string | null
  readonly startsAt: string
  readonly before?: string | null
  /** Null to the instructor. */
  readonly instructor: string | null
  /** Empty for whoever comes, or brings a child; null for the instructor. */
  readonly comes: '' | null
}

/** Facts are stored as JSON until the mail is sent. */
interface Facts {
  readonly openAccount: Link
  readonly accountExists: { readonly signInUrl: string; readonly passwordUrl: string }
  readonly newPassword: Link
  /** To an address that becomes that of an account with this code. */
  readonly emailCode: { readonly code: string }
  /** In place of the code, where somebody else signs in with the address. */
  readonly emailTaken: { readonly signInUrl: string }
  /** To the address before, without the new one: it may have been taken from its person. */
  readonly emailChanged: { readonly at: string }
  readonly phoneChanged: Link & { readonly at: string }
  readonly passwordChanged: Link & { readonly at: string }
  readonly accountErased: { readonly at: string }
  readonly passkeyAdded: { readonly name: string | null; readonly at: string }
  /** To those who can confirm it. Without the number: the member tells it in person. */
  readonly passkeyWaits: FromCenter & { readonly name: string }
  /** To the member and all administrators; null: the operator confirmed it. */
  readonly passkeyConfirmed: FromCenter & { readonly name: string; readonly confirmer: string | null }
  /** `name`: who changed it. */
  readonly adminPasskeysOn: FromCenter & { readonly name: string }
  readonly adminPasskeysOff: FromCenter & { readonly name: string }
  readonly linkAccount: Link & { readonly provider: string }
  readonly noAccountToLink: { readonly provider: string }
  /** Roles by their names in the API, separated by commas. */
  readonly invitation: FromCenter & { readonly inviter: string; readonly role: string }
  /** The child is not named: the address may be wrong. */
  readonly guardianInvitation: FromCenter & { readonly inviter: string }
  readonly decisionsWait: Decisions
  /** To those whom a policy informs: sealed or refused. */
  readonly decisionsClosed: Decisions
  /** Entries are counted from one, as on every page. */
  readonly integrityAlarm: FromCenter & { readonly domain: string; readonly entry: number }
  /** The first and the last lost entry, counted from one. */
  readonly integrityLoss: FromCenter & { readonly domain: string; readonly from: number; readonly to: number }
  /** Without names of agents or action types, which callers choose. */
  readonly objected: FromCenter & { readonly at: string }
  readonly unconfirmed: FromCenter & { readonly at: string }
  readonly frozen: FromCenter & { readonly at: string }
  readonly resumed: FromCenter & { readonly at: string }
  /** To all administrators, and to the member: one text, so that nobody is told less than another. */
  readonly mayApprove: FromCenter & {
    /** The member who may approve from now on, or from a time on. */
    readonly name: string
    /** Roles by their names in the API, separated by commas. */
    readonly role: string
    /** Whoever made them that; null for the service or a partner. */
    readonly maker: string | null
    /** Null: at once. */
    readonly countsFrom: string | null
  }
  readonly appointmentMade: Appointment
  readonly appointmentMoved: Appointment
  readonly appointmentCanceled: Appointment
  readonly appointmentTomorrow: Appointment
  readonly appointmentMissed: Appointment
  /** `until`: as long as the place is kept. */
  readonly placeOffered: Appointment & { readonly until: string }
  readonly decided: OfCenter
  readonly commented: OfCenter & { readonly name: string }
  readonly deputyNamed: OfCenter & { readonly name: string; readonly startsAt: string; readonly until: string }
  readonly draftReady: OfCenter
  readonly draftSent: OfCenter & { readonly name: string }
  readonly draftRefused: OfCenter & { readonly name: string }
  /** `waits`: empty where an administrator has to approve the member, else null. */
  readonly accepted: OfCenter & { readonly name: string; readonly role: string; readonly waits: '' | null }
  /** `name`: the guardian who added the child. An administrator's mail has no names of clients. */
  readonly childWaits: OfCenter & { readonly name: string }
  /** `who`: the child, named to guardians only. */
  readonly approved: OfCenter & { readonly who: string | null; readonly role: string }
  readonly rejected: Chosen & { readonly who: string | null; readonly centerName: string }
  readonly roleChanged: OfCenter & { readonly role: string }
  readonly keyExpiring: OfCenter & { readonly at: string }
  readonly webhookFailing: OfCenter
  readonly exportReady: OfCenter
  readonly domainLive: OfCenter & { readonly site: string }
  readonly domainExpiring: OfCenter & { readonly site: string; readonly at: string }
  readonly domainStopped: OfCenter & { readonly site: string }
  readonly trialEnding: OfCenter & { readonly at: string }
  readonly pastDue: OfCenter
  readonly suspended: OfCenter
  readonly canceled: OfCenter
  readonly reactivated: OfCenter
  readonly newSignIn: Link &
    Chosen & { readonly device: string | null; readonly at: string; readonly timeZone: string | null }
  readonly passkeyRemoved: Link & Chosen & { readonly at: string; readonly timeZone: string | null }
  readonly digest: Chosen & {
    readonly items: readonly { readonly event: MessageEvent; readonly center: string | null; readonly url: string }[]
    readonly total: number
  }
  readonly partnerInvitation: Link & {
    readonly partnerName: string
    readonly inviter: string
    readonly role: PartnerRole
  }
}

export type MailName = keyof Facts

/** One mail with the facts that it needs. */
export type Written = { [Name in MailName]: { readonly mail: Name; readonly facts: Facts[Name] } }[MailName]

/** An event as its line in the settings calls it, in the words of a center where it is about one. */
export const eventLabel = (event: MessageEvent, language: Language, terms: Terms = neutralTerms): string =>
  say({ ko, en }, language, `event.${event}`, termValues(terms, language))

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ').trim()

/** Values of the sentences that are made from the facts. */
export function derived(written: Written, language: Language): Values {
  if (written.mail === 'digest') {
    const { items, total } = written.facts
    const labelOf = ({ center, event }: (typeof items)[number]) =>
      [...(center === null ? [] : [oneLine(center)]), eventLabel(event, language)].join(' · ')
    const lines = items.map((item) => `${labelOf(item)}\n${item.url}`).join('\n\n')
    return { count: total, lines, more: Math.max(0, total - items.length) }
  }
  if ('startsAt' in written.facts) return { when: written.facts.startsAt }
  if (written.mail === 'decisionsWait' || written.mail === 'decisionsClosed') {
    const { shown, total } = written.facts
    return { count: total, urls: shown.map(({ url }) => url).join('\n'), more: Math.max(0, total - shown.length) }
  }
  if (written.mail === 'integrityLoss') return { count: written.facts.to - written.facts.from + 1 }
  return {}
}

const url = (path: string): string => `https://sample.example${path}`
const centerName = '하늘재활센터'
const inviter = '김하늘'

const appointment = {
  centerName,
  who: '이서윤',
  startsAt: '2026-11-18T06:00:00.000Z',
  instructor: '김민준',
  comes: '',
} as const

/** For the preview in development. */
export const samples: Facts = {
  openAccount: { url: url('/signup/csu_sample') },
  accountExists: { signInUrl: url('/account'), passwordUrl: url('/password') },
  newPassword: { url: url('/password/csp_sample') },
  emailCode: { code: '482913' },
  emailTaken: { signInUrl: url('/account') },
  emailChanged: { at: '2026-11-16T09:00:00.000Z' },
  phoneChanged: { at: '2026-11-16T09:00:00.000Z', url: url('/account') },
  passwordChanged: { at: '2026-11-16T09:00:00.000Z', url: url('/password') },
  accountErased: { at: '2026-11-16T09:00:00.000Z' },
  passkeyAdded: { name: '사무실 노트북', at: '2026-11-16T09:00:00.000Z' },
  passkeyWaits: { centerName, name: '이서준', url: url('/c/haneul/members?show=passkeys') },
  passkeyConfirmed: { centerName, name: '이서준', confirmer: inviter, url: url('/c/haneul/members') },
  adminPasskeysOn: { centerName, name: inviter, url: url('/c/haneul/settings') },
  adminPasskeysOff: { centerName, name: inviter, url: url('/c/haneul/settings') },
  linkAccount: { provider: centerName, url: url('/signin/link/csm_sample') },
  noAccountToLink: { provider: centerName },
  invitation: { centerName, inviter, role: 'INSTRUCTOR', url: url('/invitations/csi_sample') },
  guardianInvitation: { centerName, inviter, url: url('/invitations/csi_sample') },
  decisionsWait: { centerName, shown: [{ url: url('/approve/evt_1') }, { url: url('/approve/evt_2') }], total: 3 },
  decisionsClosed: { centerName, shown: [{ url: url('/approve/evt_1') }], total: 1 },
  integrityAlarm: { centerName, domain: 'proof', entry: 42, url: url('/c/haneul/chain') },
  integrityLoss: { centerName, domain: 'proof', from: 431, to: 663, url: url('/c/haneul/chain') },
  objected: { centerName, at: '2026-11-16T00:42:10.000Z', url: url('/approve/evt_01kz9x4q8hfx5r3v7t2b6n0m1c') },
  unconfirmed: { centerName, at: '2026-11-16T09:30:20.000Z', url: url('/approve/evt_01kz9x4q8hfx5r3v7t2b6n0m1c') },
  frozen: { centerName, at: '2026-11-16T04:12:08.000Z', url: url('/c/haneul/stop') },
  resumed: { centerName, at: '2026-11-16T04:54:30.000Z', url: url('/c/haneul/stop') },
  mayApprove: {
    ...{ centerName, name: '이서준', role: 'INSTRUCTOR', maker: inviter },
    ...{ countsFrom: '2026-11-17T09:00:00.000Z', url: url('/c/haneul/members') },
  },
  appointmentMade: { ...appointment, url: url('/c/haneul/family') },
  appointmentMoved: { ...appointment, before: '2026-11-17T06:00:00.000Z', url: url('/c/haneul/family') },
  appointmentCanceled: { ...appointment, url: url('/c/haneul/family') },
  appointmentTomorrow: { ...appointment, who: null, url: url('/c/haneul') },
  appointmentMissed: { ...appointment, url: url('/c/haneul/family') },
  placeOffered: { ...appointment, until: '2026-11-17T02:00:00.000Z', url: url('/c/haneul/family') },
  decided: { centerName, url: url('/approve/evt_1'), settingsUrl: url('/me#messages') },
  commented: { centerName, name: '이서준', url: url('/approve/evt_1') },
  deputyNamed: {
    ...{ centerName, name: inviter, startsAt: '2026-11-20T00:00:00.000Z', until: '2026-11-27T00:00:00.000Z' },
    url: url('/c/haneul/inbox'),
  },
  draftReady: { centerName, url: url('/c/haneul/workflows') },
  draftSent: { centerName, name: '이서준', url: url('/c/haneul/workflows') },
  draftRefused: { centerName, name: '이서준', url: url('/c/haneul/workflows') },
  accepted: { centerName, name: '이서준', role: 'INSTRUCTOR', waits: '', url: url('/c/haneul/members') },
  childWaits: { centerName, name: '이서윤', url: url('/c/haneul/members') },
  approved: { centerName, who: null, role: 'PARENT', url: url('/c/haneul') },
  rejected: { centerName, who: '이서윤' },
  roleChanged: { centerName, role: 'PARENT', url: url('/c/haneul') },
  keyExpiring: { centerName, at: '2026-11-30T15:00:00.000Z', url: url('/c/haneul/developers/keys') },
  webhookFailing: { centerName, url: url('/c/haneul/developers/webhooks') },
  exportReady: { centerName, url: url('/c/haneul/data') },
  domainLive: { centerName, site: 'my.haneul.example', url: url('/c/haneul/domain') },
  domainExpiring: {
    ...{ centerName, site: 'my.haneul.example', at: '2026-11-30T15:00:00.000Z' },
    url: url('/c/haneul/domain'),
  },
  domainStopped: { centerName, site: 'my.haneul.example', url: url('/c/haneul/domain') },
  trialEnding: { centerName, at: '2026-11-23T00:00:00.000Z', url: url('/c/haneul/subscription') },
  pastDue: { centerName, url: url('/c/haneul/subscription') },
  suspended: { centerName, url: url('/c/haneul/subscription') },
  canceled: { centerName, url: url('/c/haneul/subscription') },
  reactivated: { centerName, url: url('/c/haneul/subscription') },
  newSignIn: {
    device: 'Chrome, Windows',
    at: '2026-11-16T09:00:00.000Z',
    timeZone: 'Asia/Seoul',
    url: url('/me#sessions'),
  },
  passkeyRemoved: { at: '2026-11-16T09:00:00.000Z', timeZone: 'Asia/Seoul', url: url('/me#passkeys') },
  digest: {
    items: [
      { event: 'decided', center: centerName, url: url('/approve/evt_1') },
      { event: 'draftReady', center: centerName, url: url('/c/haneul/workflows') },
    ],
    total: 3,
  },
  partnerInvitation: {
    ...{ partnerName: '바다로 프랜차이즈', inviter: '김서연', role: 'PARTNER_OPERATOR' },
    url: url('/invitations/csi_sample'),
  },
}

export const mailNames = Object.keys(samples) as MailName[]

export const sampleOf = (mail: MailName): Written => ({ mail, facts: samples[mail] }) as Written
