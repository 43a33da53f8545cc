/** Tells one member that decisions of a center wait or were made, by the channels that the member wants. */
import type { KnownCenter } from '../../../access/center-profiles.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { nowMs } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { languageOf } from '../../../mail/compose.ts'
import type { Mail } from '../../../mail/mail.ts'
import type { Written } from '../../../mail/templates.ts'
import type { Push } from '../push/api.ts'
import { type Settings, untouched, wants, wantsDigest } from './choices.ts'
import { insertDigestItems, phoneOf, storedSettings } from './queries.ts'
import { afterQuiet, digestAt } from './times.ts'

interface WaitingNeeds {
  readonly mail: Pick<Mail, 'canSend' | 'canText' | 'queue' | 'queueText'>
  readonly push: Pick<Push, 'queue'>
}

/** A decision, and its page. */
export interface Listed {
  readonly id: string
  readonly url: string
}

interface Told {
  readonly actorId: string
  readonly center: KnownCenter
  /** The newest first where they wait. */
  readonly decisions: readonly Listed[]
  readonly letter: Written
}

interface Waiting extends Told {
  readonly email: string | null
}

const textSeconds = 6 * 3600

export async function tellWaiting({ mail, push }: WaitingNeeds, tx: IdentityTx, waiting: Waiting): Promise<void> {
  const { actorId, email, center, decisions } = waiting
  const [newest] = decisions
  if (!newest) return
  const { centerId, name } = center
  const settings = (await storedSettings(tx, actorId)) ?? untouched
  const zone = settings.timeZone ?? center.timezone
  const at = new Date(afterQuiet(settings.quietHours, zone, nowMs()))
  if (wants(settings, 'decisionWaits', 'push')) await push.queue(tx, { actorId, centerId, eventId: newest.id, at })
  if (wants(settings, 'decisionWaits', 'text') && mail.canText) {
    const { phone, language } = await phoneOf(tx, actorId)
    const text = { text: 'decisionsWait', facts: { center: name, url: newest.url } } as const
    const spoken = language ?? languageOf(center.locale)
    if (phone !== null) await mail.queueText(tx, { ...text, to: phone, language: spoken, from: at }, textSeconds)
  }
  if (email !== null) await writeTo({ mail }, tx, { ...waiting, email }, { event: 'decisionWaits', settings })
}

/** Tells one member by email that decisions were made of which a policy informs them. */
export async function tellInformedOf(
  { mail }: Pick<WaitingNeeds, 'mail'>,
  tx: IdentityTx,
  told: Told & { readonly email: string },
): Promise<void> {
  const settings = (await storedSettings(tx, told.actorId)) ?? untouched
  await writeTo({ mail }, tx, told, { event: 'informed', settings })
}

/** One email about all of them, or an item for each in the one of the day. */
async function writeTo(
  { mail }: Pick<WaitingNeeds, 'mail'>,
  tx: IdentityTx,
  { actorId, email, center, decisions, letter }: Told & { readonly email: string },
  { event, settings }: { readonly event: 'decisionWaits' | 'informed'; readonly settings: Settings },
): Promise<void> {
  const { centerId } = center
  if (!mail.canSend || !wants(settings, event, 'mail')) return
  if (!wantsDigest(settings, event)) return mail.queue(tx, { ...letter, to: email, centerId })
  const dueAt = new Date(digestAt(settings.timeZone ?? center.timezone, nowMs()))
  const items = decisions.map(({ id, url }) => ({
    ...{ actorId, centerId, event, url, dueAt },
    cause: `${centerId} ${event} ${typedId('decisionEvent', id)}`,
  }))
  await insertDigestItems(tx, items)
}
