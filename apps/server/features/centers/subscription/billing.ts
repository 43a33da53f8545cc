/**
 * Statements of the billing system about a subscription, in events of payments. The holder of a center's API key may send
 * such an event; only the billing system can sign the statement in it.
 */
import { createPublicKey, verify } from 'node:crypto'
import type { SubscriptionStatement } from '@countersign/contract/subscription-statement.ts'
import { eventTypes } from '@countersign/contract/webhook-events.ts'
import type { Static } from 'typebox'
import type { Authenticator } from '../../../access/authenticate.ts'
import type { Config } from '../../../config/config.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { Problem, refusedField } from '../../../lib/problem.ts'
import { noSubscription, putSubscription } from './change.ts'
import { putInvoice } from './invoice-queries.ts'
import { lockSubscription } from './queries.ts'

export interface BillingNeeds {
  readonly authenticate: Authenticator
  readonly directory: Directory
  readonly config: Pick<Config, 'billingKeys'>
}

type Statement = Static<typeof SubscriptionStatement>

interface PaymentEvent {
  readonly id: string
  readonly type: string
  /** Valid for the schema of its type. */
  readonly data: object
}

/** The signed text: every value as it was sent, one per line. Version 2 has four more lines, for the invoice. */
export const signedText = (event: Pick<PaymentEvent, 'id' | 'type'>, statement: Omit<Statement, 'signature'>): string =>
  [
    `countersign-subscription-v${statement.invoice === undefined ? 1 : 2}`,
    event.id,
    event.type,
    statement.centerId,
    statement.status,
    statement.occurredAt,
    statement.currentPeriodEnd ?? '',
    statement.planId ?? '',
    ...(statement.invoice === undefined
      ? []
      : [statement.invoice.number, statement.invoice.amount, statement.invoice.currency, statement.invoice.url ?? '']),
  ].join('\n')

/** Follows the statement in the event, if there is one; returns the subscription as it stands then. */
export async function followBilling(
  { authenticate, directory, config }: BillingNeeds,
  caller: Caller,
  event: PaymentEvent,
) {
  const { centerSubscription: statement } = event.data as { readonly centerSubscription?: Statement }
  if (statement === undefined || !('centerSubscription' in propertiesOf(event.type))) return null
  requireSignature(config.billingKeys, event, statement)
  if (statement.centerId !== caller.centerId) {
    throw new Problem('FORBIDDEN', "This statement is about another center. Send it with one of that center's keys.", {
      details: { reason: 'otherCenter' },
    })
  }
  const { status, planId, currentPeriodEnd } = statement
  if ((status === 'ACTIVE') !== (event.type === 'payment.completed')) {
    const message =
      '"data.centerSubscription.status" doesn\'t match the event: it must be ACTIVE for a completed payment and any other status for a failed one. Send the matching status.'
    throw refusedField('data.centerSubscription.status', message, message)
  }
  const occurredAt = new Date(statement.occurredAt)
  return directory.asCenter(caller, async (tx) => {
    const row = await lockSubscription(tx, caller.centerId)
    if (!row) throw noSubscription()
    if (statement.invoice) await putInvoice(tx, statement.invoice, status === 'ACTIVE', occurredAt)
    if (row.billed_at !== null && row.billed_at >= occurredAt) return { status: row.status }
    await putSubscription(tx, row, {
      centerId: caller.centerId,
      status,
      planId,
      currentPeriodEnd: currentPeriodEnd === undefined ? undefined : new Date(currentPeriodEnd),
      billedAt: occurredAt,
    })
    tx.afterCommit(() => authenticate.forget(`center:${caller.centerId}`))
    return { status }
  })
}

const propertiesOf = (type: string): object =>
  (eventTypes as Record<string, { readonly schema: { readonly properties: object } }>)[type]?.schema.properties ?? {}

function requireSignature(keys: readonly string[], event: PaymentEvent, { signature, ...statement }: Statement): void {
  const text = Buffer.from(signedText(event, statement))
  const isSigned = keys.some((key) =>
    verify(
      null,
      text,
      createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }),
      Buffer.from(signature, 'base64'),
    ),
  )
  if (!isSigned) {
    throw new Problem(
      'FORBIDDEN',
      '"data.centerSubscription" isn\'t signed with one of this server\'s billing keys. Leave it out of your own payment events.',
      { details: { reason: 'billingKey' } },
    )
  }
}
