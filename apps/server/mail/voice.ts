/**
 * In whose name a message is sent, with the words, the sender and the host of its links. A white-label center speaks for itself:
 * nothing in its messages names the service. An address of its own counts while its domain is proven and lets us send.
 */
import { visible } from '@countersign/design/drawing.ts'
import { neutralTerms } from '@countersign/words/terms.ts'
import type { Config } from '../config/config.ts'
import type { IdentityTx } from '../data/directory.ts'
import { completeSettings } from '../verticals/defaults.ts'
import { type CenterVoice, ownService } from './compose.ts'
import type { Brand } from './html.ts'
import { belongingOf, findSpeaker, type SpeakerRow } from './voice-queries.ts'

export interface Sender {
  readonly name: string
  readonly address: string
}

export interface Voice extends Brand, CenterVoice {
  readonly isAlone: boolean
  /** Null where the centers of a partner have several. */
  readonly locale: string | null
  /** Whom a message without a center is from. */
  readonly service: string
  readonly sender: Sender
  readonly replyTo: string | null
  /** The host of links; null for that of the service. */
  readonly site: string | null
}

interface SenderSettings {
  readonly name: string | null
  readonly address: string | null
  readonly replyTo: string | null
}

const none: SenderSettings = { name: null, address: null, replyTo: null }
const addressOf = (mailFrom: string): string => /<([^>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom
const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Of the center's settings, then of its partner's; an address counts for whoever has proven its domain. */
function senderOf(row: SpeakerRow, own: SenderSettings, mailFrom: string) {
  const partners = { ...none, ...(row.partner_sender as Partial<SenderSettings> | null) }
  const isProven = (email: string, isPartners: boolean, mustSend: boolean): boolean =>
    row.domains.some(
      (each) => each.domain === domainOf(email) && (!isPartners || each.isPartners) && (!mustSend || each.sends),
    )
  const sends = (email: string | null, isPartners: boolean) =>
    email !== null && isProven(email, isPartners, true) ? email : null
  const address = sends(own.address, false) ?? sends(partners.address, true)
  const isAdmins = (email: string) => row.admins.includes(email.toLowerCase())
  const answers = (email: string | null, isPartners: boolean) =>
    email !== null && (isProven(email, isPartners, false) || (!isPartners && isAdmins(email))) ? email : null
  const replyTo = answers(own.replyTo, false) ?? answers(partners.replyTo, true)
  return {
    ...{ name: own.name ?? partners.name ?? row.name, address: address ?? addressOf(mailFrom), replyTo },
    isOwn: address !== null,
  }
}

export async function voiceOfCenter(
  tx: IdentityTx,
  centerId: number,
  { mailFrom }: Pick<Config, 'mailFrom'>,
): Promise<Voice | null> {
  const row = await findSpeaker(tx, centerId)
  if (!row) return null
  const { branding, locale, timezone: timeZone, terms, sender: own } = completeSettings(row.vertical, row.settings)
  const { name, address, replyTo, isOwn } = senderOf(row, own, mailFrom)
  const isAlone = row.tenant_type === 'WHITE_LABEL' || row.partner_kind === 'white_label' || isOwn
  return {
    ...{ name: row.name, color: branding.primaryColor, locale, timeZone, terms, isAlone, replyTo, site: row.site },
    service: isAlone ? row.name : ownService,
    // A name alone proves nothing: without an address of its own, only a white-label center leaves ours out.
    sender: { name: isAlone ? visible(name) : `${visible(row.name)} (${ownService})`, address },
  }
}

/**
 * Of a message about an account: that of the one white-label center that the person belongs to, or of the one partner. Whoever is
 * more than that gets it from the service, as the account is good elsewhere too.
 */
export async function voiceOfPerson(
  tx: IdentityTx,
  who: Parameters<typeof belongingOf>[1],
  config: Pick<Config, 'mailFrom'>,
): Promise<Voice | null> {
  const all = await belongingOf(tx, who)
  const [first] = all
  if (!first || !all.every(({ isWhiteLabel }) => isWhiteLabel)) return null
  const voice = await voiceOfCenter(tx, first.center_id, config)
  if (!voice || all.length === 1) return voice
  const row = await findSpeaker(tx, first.center_id)
  const isOnePartner = first.partner_id !== null && all.every(({ partner_id }) => partner_id === first.partner_id)
  if (!isOnePartner || !row?.partner_name) return null
  const own = senderOf({ ...row, name: row.partner_name }, none, config.mailFrom)
  const name = row.partner_name
  return {
    ...{ name, color: voice.color, isAlone: true, locale: null, timeZone: null, terms: neutralTerms, service: name },
    ...{ sender: { name: visible(own.name), address: own.address }, replyTo: own.replyTo, site: null },
  }
}

/** The white-label center in whose name a person is written to after they left it; 0 where that is the service. */
export async function homeOf(tx: IdentityTx, actorId: string): Promise<number> {
  const all = await belongingOf(tx, { actorId })
  const [first] = all
  return first?.isWhiteLabel && all.length === 1 ? first.center_id : 0
}

/** Facts whose links lead to the domain of the center. What a provider of sign-in sends back arrives at the service only. */
export function withLinksOf<T>(facts: T, site: string | null, origins: readonly string[]): T {
  if (site === null) return facts
  const atSite = (text: string): string => {
    const origin = origins.find((each) => text.startsWith(`${each}/`))
    if (origin === undefined || text.startsWith(`${origin}/signin/`)) return text
    return `https://${site}${text.slice(origin.length)}`
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return atSite(value)
    if (Array.isArray(value)) return value.map(walk)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]))
  }
  return walk(facts) as T
}
