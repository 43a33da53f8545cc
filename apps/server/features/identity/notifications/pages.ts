/** The page that a message leads to. A test opens each. */
import type { MessageEvent, MessagePerson } from '@countersign/contract/messages.ts'
import type { Config } from '../../../config/config.ts'
import { typedId } from '../../../lib/ids.ts'
import type { CauseFacts } from '../../../mail/causes.ts'

interface About {
  readonly domain: string | null
  /** What the person is in it: a guardian who is an instructor too reads about their child on the guardians' page. */
  readonly as: MessagePerson
  readonly facts: CauseFacts
}

type Path = (center: string, about: About) => string

const bookings: Path = (center, { as }) =>
  `${center}${as === 'guardians' ? '/family' : as === 'person' ? '/appointments' : '/bookings'}`
const membership: Path = (center, { as }) => (as === 'guardians' ? `${center}/family` : center)
const decision: Path = (_, { facts }) => `/approve/${facts.id ?? typedId('decisionEvent', String(facts.of?.event))}`
/** Of an execution that is redacted, the page of all workflows. */
const draft: Path = (center, { facts: { of } }) =>
  `${center}/workflows${of?.workflow && of.run ? `?${new URLSearchParams({ workflow: String(of.workflow), run: String(of.run) })}` : ''}`
const under =
  (path: string): Path =>
  (center) =>
    `${center}${path}`

const paths: Readonly<Partial<Record<MessageEvent, Path>>> = {
  appointmentMade: bookings,
  appointmentMoved: bookings,
  appointmentCanceled: bookings,
  appointmentTomorrow: bookings,
  appointmentMissed: bookings,
  placeOffered: bookings,
  decided: decision,
  commented: decision,
  deputyNamed: under('/inbox'),
  draftReady: under('/workflows'),
  draftSent: draft,
  draftRefused: draft,
  accepted: under('/members'),
  childWaits: under('/members'),
  approved: membership,
  roleChanged: under(''),
  keyExpiring: under('/developers/keys'),
  webhookFailing: under('/developers/webhooks'),
  exportReady: under('/data'),
  domainLive: under('/domain'),
  domainExpiring: under('/domain'),
  domainStopped: under('/domain'),
  trialEnding: under('/subscription'),
  pastDue: under('/subscription'),
  suspended: under('/subscription'),
  canceled: under('/subscription'),
  reactivated: under('/subscription'),
  frozen: under('/stop'),
  resumed: under('/stop'),
  chainBroken: under('/chain'),
  lossDeclared: under('/chain'),
  newSignIn: () => '/me#sessions',
  passkeyRemoved: () => '/me#passkeys',
}

/** Without the host. */
export const pathOf = (event: MessageEvent, about: About): string =>
  paths[event]?.(about.domain === null ? '' : `/c/${about.domain}`, about) ?? '/me'

/** Decisions are approved at the host of sign-in, whatever the domain of the center. */
export const urlOf = ({ publicUrl, authUrl }: Pick<Config, 'authUrl' | 'publicUrl'>, path: string): string =>
  `${path.startsWith('/approve/') ? authUrl : publicUrl}${path}`
