/** What one person is told of a cause, as the facts of an email and of a text message. */

import type { MessageEvent, MessagePerson } from '@countersign/contract/messages.ts'
import type { TermValues } from '@countersign/words/terms.ts'
import type { CauseFacts } from '../../../mail/causes.ts'
import type { Written } from '../../../mail/templates.ts'
import type { TextWritten } from '../../../mail/texts.ts'

export interface Told {
  readonly event: MessageEvent
  readonly facts: CauseFacts
  readonly notedAt: Date
  readonly centerName: string
  readonly url: string
  /** Absent where the person has no choice. */
  readonly settingsUrl?: string
  /** Who did it, and whom it is about, as the center calls them. */
  readonly by: string | null
  readonly person: string | null
  readonly instructor: string | null
  readonly as: MessagePerson
  readonly timeZone: string | null
}

type Facts = Readonly<Record<string, unknown>>

/** The child, named to guardians only. */
const child = ({ person, as }: Told): Facts => ({ who: as === 'guardians' ? person : null })
/** An instructor isn't told that the appointment is with them, nor what a client can do. */
const appointment = (told: Told): Facts => ({
  ...{ ...child(told), startsAt: told.facts.startsAt, before: told.facts.before ?? null },
  ...(told.as === 'instructor' ? { instructor: null, comes: null } : { instructor: told.instructor, comes: '' }),
})
const named = ({ by, person }: Told): Facts => ({ name: by ?? person ?? '' })
const at = ({ facts, notedAt, timeZone }: Told): Facts => ({ at: facts.at ?? notedAt.toISOString(), timeZone })

const site = ({ facts }: Told): Facts => ({ site: facts.of?.domain ?? '' })

/** Facts beside the center and the page. */
const more: Readonly<Partial<Record<MessageEvent, (told: Told) => Facts>>> = {
  appointmentMade: appointment,
  appointmentMoved: appointment,
  appointmentCanceled: appointment,
  appointmentTomorrow: appointment,
  appointmentMissed: appointment,
  placeOffered: (told) => ({ ...appointment(told), until: told.facts.at }),
  commented: named,
  draftSent: named,
  draftRefused: named,
  deputyNamed: (told) => ({ ...named(told), startsAt: told.facts.startsAt, until: told.facts.of?.until }),
  accepted: (told) => ({
    ...{ name: told.person ?? '', role: told.facts.role, waits: told.facts.status === 'PENDING' ? '' : null },
  }),
  childWaits: named,
  approved: (told) => ({ ...child(told), role: told.facts.role }),
  rejected: child,
  roleChanged: ({ facts }) => ({ role: facts.role }),
  keyExpiring: at,
  domainLive: site,
  domainExpiring: (told) => ({ ...at(told), ...site(told) }),
  domainStopped: site,
  trialEnding: at,
  newSignIn: (told) => ({ ...at(told), device: told.facts.of?.device ?? null }),
  passkeyRemoved: at,
  frozen: at,
  resumed: at,
  chainBroken: ({ facts }) => ({ ...facts.of }),
  lossDeclared: ({ facts }) => ({ ...facts.of }),
}

export function mailOf(told: Told, mail: string): Written {
  const { centerName, url, settingsUrl } = told
  const facts = { centerName, url, ...(settingsUrl !== undefined && { settingsUrl }), ...more[told.event]?.(told) }
  return { mail, facts } as Written
}

export const textOf = (
  event: MessageEvent,
  facts: Extract<TextWritten, { readonly facts: TermValues }>['facts'],
): TextWritten => ({ text: event, facts }) as TextWritten
