/** Tells one member that decisions wait in a center, by the channels that the member wants. */
import type { KnownCenter } from '../../../access/center-profiles.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { nowMs } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { languageOf } from '../../../mail/compose.ts'
import type { Mail } from '../../../mail/mail.ts'
import type { Written } from '../../../mail/templates.ts'
import type { Push } from '../push/api.ts'
import { untouched, wants, wantsDigest } from './choices.ts'
import { insertDigestItem, phoneOf, storedSettings } from './queries.ts'
import { afterQuiet, digestAt } from './times.ts'

interface WaitingNeeds {
  readonly mail: Pick<Mail, 'canSend' | 'canText' | 'queue' | 'queueText'>
  readonly push: Pick<Push, 'queue'>
}

interface Waiting {
  readonly actorId: string
  readonly email: string | null
  readonly center: KnownCenter
  /** The newest of them, and its page. */
  readonly newest: string
  readonly url: string
  readonly letter: Written
}

const textSeconds = 6 * 3600

export async function tellWaiting({ mail, push }: WaitingNeeds, tx: IdentityTx, waiting: Waiting): Promise<void> {
  const { actorId, email, center, newest, url, letter } = waiting
  const { centerId, name } = center
  const settings = (await storedSettings(tx, actorId)) ?? untouched
  const zone = settings.timeZone ?? center.timezone
  const at = new Date(afterQuiet(settings.quietHours, zone, nowMs()))
  if (wants(settings, 'decisionWaits', 'push')) await push.queue(tx, { actorId, centerId, eventId: newest, at })
  if (wants(settings, 'decisionWaits', 'text') && mail.canText) {
    const { phone, language } = await phoneOf(tx, actorId)
    const text = { text: 'decisionsWait', facts: { center: name, when: '', url } } as const
    const spoken = language ?? languageOf(center.locale)
    if (phone !== null) await mail.queueText(tx, { ...text, to: phone, language: spoken, from: at }, textSeconds)
  }
  if (email === null || !mail.canSend || !wants(settings, 'decisionWaits', 'mail')) return
  if (!wantsDigest(settings, 'decisionWaits')) return mail.queue(tx, { ...letter, to: email, centerId })
  const dueAt = new Date(digestAt(zone, nowMs()))
  const cause = `${centerId} waits ${typedId('decisionEvent', newest)}`
  await insertDigestItem(tx, { actorId, cause, centerId, event: 'decisionWaits', url, dueAt })
}
