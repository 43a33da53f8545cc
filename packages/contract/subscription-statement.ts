/** What the billing system states about a center's subscription. docs/guides/billing.md defines what it signs. */
import { Type } from 'typebox'
import { DateTime } from './common.ts'

export const SubscriptionStatement = Type.Object(
  {
    centerId: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The ID of the center whose API key sends the event.',
      examples: [1],
    }),
    status: Type.Unsafe<'ACTIVE' | 'PAST_DUE' | 'SUSPENDED' | 'CANCELED'>({
      type: 'string',
      enum: ['ACTIVE', 'PAST_DUE', 'SUSPENDED', 'CANCELED'],
      description:
        "The subscription's new state: ACTIVE with `payment.completed`, any other state with `payment.failed`.",
    }),
    occurredAt: Type.String({
      ...DateTime,
      description:
        'When the new state began. This must be later than in the previous statement about this center; a statement with an earlier time changes nothing.',
    }),
    currentPeriodEnd: Type.Optional(Type.String({ ...DateTime, description: 'The end of the paid period.' })),
    planId: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9-]{1,64}$',
        description:
          'The ID of the new plan, if the plan changes. The subscription gets the latest version of the plan.',
        examples: ['center-growth'],
      }),
    ),
    invoice: Type.Optional(
      Type.Object(
        {
          number: Type.String({
            pattern: '^[\\x21-\\x7e]{1,64}$',
            description: "The invoice's number in the billing system.",
            examples: ['INV-2026-0117'],
          }),
          amount: Type.String({
            pattern: '^[0-9]{1,12}([.][0-9]{1,3})?$',
            description: 'The amount, as a decimal number.',
            examples: ['149000'],
          }),
          currency: Type.String({
            pattern: '^[A-Z]{3}$',
            description: 'The currency, as an ISO 4217 code.',
            examples: ['KRW'],
          }),
          url: Type.Optional(
            Type.String({
              pattern: '^https://[\\x21-\\x7e]{1,500}$',
              description: 'The invoice in the billing system.',
              examples: ['https://billing.example/invoices/INV-2026-0117'],
            }),
          ),
        },
        {
          title: 'StatedInvoice',
          additionalProperties: false,
          description: 'The invoice that the payment is for. Administrators see it in the console.',
        },
      ),
    ),
    signature: Type.String({
      pattern: '^[A-Za-z0-9+/]{86}==$',
      description: 'An Ed25519 signature by a key in BILLING_KEYS, in base64.',
    }),
  },
  {
    title: 'SubscriptionStatement',
    additionalProperties: false,
    description: 'What the billing system states about a subscription.',
  },
)
