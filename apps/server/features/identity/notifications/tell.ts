/**
 * Tells people of a cause: each person once by each channel of the matrix that they have and want. It runs in the transaction that
 * settles the cause, and the messages wait in the outboxes of email, push notifications and text messages, which send them.
 */
import {
  channelsOf,
  groupOf,
  type MessageChannel,
  type MessageEvent,
  type MessagePerson,
  messageMatrix,
  templateOf,
} from '@countersign/contract/messages.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import { neutralTerms, termValues } from '@countersign/words/terms.ts'
import type { KnownCenter } from '../../../access/center-profiles.ts'
import type { Config } from '../../../config/config.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { now, nowMs } from '../../../lib/clock.ts'
import { languageOf, ownService } from '../../../mail/compose.ts'
import { localTime } from '../../../mail/local-time.ts'
import type { Mail } from '../../../mail/mail.ts'
import { isSandboxOwner } from '../../../mail/queries.ts'
import { eventLabel } from '../../../mail/templates.ts'
import { voiceOfPerson } from '../../../mail/voice.ts'
import type { Push } from '../push/api.ts'
import { hasChoice, type Settings, untouched, wants, wantsDigest } from './choices.ts'
import { mailOf, type Told, textOf } from './letters.ts'
import { pathOf, urlOf } from './pages.ts'
import {
  adminsOf,
  type CauseRow,
  domainOf,
  guardiansOf,
  insertDigestItems,
  type Named,
  namedPeople,
  nameOf,
  type Recipient,
  takeTold,
} from './queries.ts'
import { afterQuiet, digestAt } from './times.ts'

export interface TellNeeds {
  readonly config: Pick<Config, 'authUrl' | 'mailFrom' | 'publicUrl'>
  readonly mail: Pick<Mail, 'canSend' | 'canText' | 'queue' | 'queueText'>
  readonly push: Pick<Push, 'queueMessage'>
}

/** As long as a cause can be brought again. */
const toldSeconds = 45 * 86_400
const textSeconds = 6 * 3600
const staff: readonly MessagePerson[] = ['instructor', 'admins', 'commenters']
/** Whoever is not a member yet, or not anymore, is told what became of them. */
const anyStatus = ['INVITED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED', 'ENDED']

/** Each person once, as the first that they are: a guardian who administers the center too reads about their child. */
async function recipientsOf(
  tx: IdentityTx,
  { event, center_id: centerId, facts }: CauseRow,
): Promise<readonly Recipient[]> {
  const to = channelsOf(event as MessageEvent)
  const named: Named[] = [
    ...(to.person && facts.person !== undefined ? [{ actorId: facts.person, as: 'person' as const }] : []),
    ...(facts.requester ?? []).map((actorId) => ({ actorId, as: 'requester' as const })),
    ...(facts.commenters ?? []).map((actorId) => ({ actorId, as: 'commenters' as const })),
    ...(facts.instructors ?? []).map((actorId) => ({ actorId, as: 'instructor' as const })),
  ].filter(({ as }) => as in to)
  const found = [
    ...(to.guardians && centerId !== null && facts.person !== undefined
      ? await guardiansOf(tx, centerId, facts.person)
      : []),
    ...(await namedPeople(
      tx,
      centerId,
      named,
      groupOf(event as MessageEvent) === 'membership' ? anyStatus : ['ACTIVE'],
    )),
    ...(to.admins && centerId !== null ? await adminsOf(tx, centerId) : []),
  ]
  const order: readonly MessagePerson[] = ['person', 'guardians', 'requester', 'commenters', 'instructor', 'admins']
  const sorted = found.toSorted((a, b) => order.indexOf(a.as) - order.indexOf(b.as))
  return sorted
    .filter(({ actor_id }, at) => sorted.findIndex((each) => each.actor_id === actor_id) === at)
    .filter(({ actor_id, as }) => !(staff.includes(as) && actor_id === facts.by))
}

/** `center` is read before the transaction: inside it, a second connection could be one too many. */
export async function tellCause(
  needs: TellNeeds,
  tx: IdentityTx,
  cause: CauseRow,
  center: KnownCenter | null,
): Promise<void> {
  const { center_id: centerId, facts } = cause
  const event = cause.event as MessageEvent
  if (!(event in messageMatrix)) return
  const domain = centerId === null ? null : await domainOf(tx, centerId)
  const nameFor = async (id: string | null | undefined) => (id == null ? null : nameOf(tx, centerId, id))
  const names = {
    by: await nameFor(facts.by),
    person: await nameFor(facts.person),
    instructor: await nameFor(facts.instructors?.[0]),
  }
  for (const who of await recipientsOf(tx, cause)) {
    if (center && isSandboxCenter(center.centerId) && !(await isSandboxOwner(tx, center.centerId, who.email ?? '')))
      continue
    const path = pathOf(event, { domain, as: who.as, facts })
    await tellPerson(needs, tx, { cause, event, center, who, path, names })
  }
}

interface Telling {
  readonly cause: CauseRow
  readonly event: MessageEvent
  readonly center: KnownCenter | null
  readonly who: Recipient
  readonly path: string
  readonly names: Pick<Told, 'by' | 'person' | 'instructor'>
}

async function tellPerson(needs: TellNeeds, tx: IdentityTx, telling: Telling): Promise<void> {
  const { cause, event, who } = telling
  const settings = who.settings ?? untouched
  for (const channel of channelsOf(event)[who.as] ?? []) {
    if (!wants(settings, event, channel) || !canReach(needs, who, channel)) continue
    if (!(await takeTold(tx, { cause: cause.id, actorId: who.actor_id, channel }, toldSeconds))) continue
    await senders[channel](needs, tx, telling, settings)
  }
}

const canReach = ({ mail }: TellNeeds, { email, phone }: Recipient, channel: MessageChannel): boolean =>
  channel === 'mail' ? email !== null && mail.canSend : channel === 'text' ? phone !== null && mail.canText : true

const zoneOf = ({ timeZone }: Settings, center: KnownCenter | null): string => timeZone ?? center?.timezone ?? 'UTC'
const languageFor = ({ language }: Recipient, center: KnownCenter | null) =>
  language ?? (center ? languageOf(center.locale) : 'en')

/** Push notifications and text messages disturb; email waits to be read. */
function notBefore({ event, cause, center }: Telling, settings: Settings): Date {
  if (groupOf(event) === 'security') return now()
  const { startsAt } = cause.facts
  const begins = groupOf(event) === 'appointments' && startsAt !== undefined ? Date.parse(startsAt) : null
  return new Date(afterQuiet(settings.quietHours, zoneOf(settings, center), nowMs(), begins))
}

/** Who tells it: the center, or who speaks for the person's account. */
const nameFor = async (config: TellNeeds['config'], tx: IdentityTx, { center, who }: Telling): Promise<string> =>
  center?.name ?? (await voiceOfPerson(tx, { actorId: who.actor_id }, config))?.service ?? ownService

type Sender = (needs: TellNeeds, tx: IdentityTx, telling: Telling, settings: Settings) => Promise<unknown>

const senders: Readonly<Record<MessageChannel, Sender>> = {
  mail({ config, mail }, tx, { cause, event, center, who, path, names }, settings) {
    const url = urlOf(config, path)
    if (wantsDigest(settings, event)) {
      const dueAt = new Date(digestAt(zoneOf(settings, center), nowMs()))
      const item = { actorId: who.actor_id, cause: cause.id, centerId: center?.centerId ?? null, event, url, dueAt }
      return insertDigestItems(tx, [item])
    }
    const told: Told = {
      ...{ event, facts: cause.facts, notedAt: cause.noted_at, ...names, url, centerName: center?.name ?? '' },
      ...(hasChoice(event) && { settingsUrl: urlOf(config, '/me#messages') }),
      as: who.as,
      timeZone: settings.timeZone ?? center?.timezone ?? (cause.facts.of?.timeZone as string | undefined) ?? null,
    }
    const written = mailOf(told, templateOf(event))
    const language = who.language ?? undefined
    const centerId = center?.centerId ?? 0
    return mail.queue(tx, { ...written, to: who.email as string, centerId, ...(language && { language }) })
  },
  async push({ config, push }, tx, telling, settings) {
    const { cause, event, center, who, path } = telling
    const language = languageFor(who, center)
    const name = [...(await nameFor(config, tx, telling))].slice(0, 100).join('')
    const message = { kind: event, center: name, language, text: eventLabel(event, language, center?.terms), url: path }
    const centerId = center?.centerId ?? null
    return push.queueMessage(tx, {
      ...{ actorId: who.actor_id, centerId, cause: cause.id, message, at: notBefore(telling, settings) },
    })
  },
  async text({ config, mail }, tx, telling, settings) {
    const { cause, event, center, who, path } = telling
    const language = languageFor(who, center)
    const { startsAt } = cause.facts
    const when = startsAt === undefined ? '' : localTime(startsAt, center?.timezone ?? 'UTC', language)
    const words = termValues(center?.terms ?? neutralTerms, language)
    const written = textOf(event, {
      center: await nameFor(config, tx, telling),
      when,
      url: urlOf(config, path),
      ...words,
    })
    const from = notBefore(telling, settings)
    return mail.queueText(tx, { ...written, to: who.phone as string, language, from }, textSeconds)
  },
}
