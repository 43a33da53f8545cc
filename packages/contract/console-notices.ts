/** What every page of a center says at its top, in one answer. */
import { Type } from 'typebox'
import { DateTime, described, named, nullable } from './common.ts'
import { consoleOperation } from './console-inbox.ts'
import { ChainDomain, oneOf } from './enums.ts'
import { operation } from './operation.ts'
import { PasskeyConfirmers } from './passkey-standing.ts'
import { SubscriptionNotice } from './provisioning.ts'
import { WebhookId } from './webhook-schemas.ts'

const Count = Type.Integer({ minimum: 0 })

const LostRecords = named(
  'LostRecords',
  { domain: ChainDomain, log: Type.String({ description: "The name of the chain's current log." }) },
  { description: 'A chain of which records were declared lost.' },
)

const ChainNotice = named(
  'ChainNotice',
  {
    broken: nullable(described(ChainDomain, 'A chain that was found to be broken. Null if none was.')),
    lost: Type.Array(LostRecords, { description: 'The chains of which records were declared lost.' }),
  },
  { description: "The state of the center's chains." },
)

const WebhookNotice = named(
  'WebhookNotice',
  {
    id: WebhookId,
    state: oneOf(
      'WebhookTrouble',
      ['failing', 'disabled'],
      'Whether deliveries have been failing for 15 minutes or longer (`failing`), or the server turned the webhook off (`disabled`).',
    ),
    since: nullable(described(DateTime, 'When the first of these deliveries failed. Null if it was turned off.')),
  },
  { description: "A webhook that doesn't reach its endpoint." },
)

const PasskeyNotice = named(
  'PasskeyNotice',
  {
    waiting: described(Count, "How many of your passkeys don't count in this center yet, if none counts."),
    confirmers: nullable(described(PasskeyConfirmers, 'Who can confirm yours. Null if none is waiting.')),
    toConfirm: described(Count, "How many of other members' passkeys you can confirm, at most 100."),
  },
  { description: 'The passkeys that are waiting for confirmation.' },
)

export const getNotices = operation({
  ...consoleOperation,
  id: 'console.getNotices',
  evenWithoutPasskey: true,
  method: 'GET',
  path: '/console/notices',
  access: { kind: 'actor', center: 'required' },
  store: 'cell',
  summary: "Retrieve the center's notices",
  description:
    'Returns what the console shows at the top of every page: the state of the subscription and the chains, webhooks that fail, and passkeys that wait. Members see only what concerns their role.',
  replies: {
    200: named(
      'Notices',
      {
        subscription: SubscriptionNotice,
        chain: nullable(described(ChainNotice, 'Null for a PARENT or a CHILD.')),
        webhooks: Type.Array(WebhookNotice, {
          description: 'At most 20, oldest first. Empty unless you are an ADMIN.',
        }),
        passkeys: nullable(described(PasskeyNotice, 'Null for a PARENT or a CHILD.')),
      },
      { description: "A center's notices." },
    ),
  },
})
