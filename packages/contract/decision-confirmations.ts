/** Emergency approvals (후결): given at once, and confirmed by the approval line afterwards. Not in the specification. */
import { Type } from 'typebox'
import { member, partner } from './access.ts'
import { ActorId, CenterId, DateTime, described, named, nullable } from './common.ts'
import { Text } from './decision-events.ts'
import { decisionOperation, EventParam } from './decisions.ts'
import { ConfirmationResult } from './enums.ts'
import { ChainHash } from './evidence.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Assertion, RequestOptions } from './passkeys.ts'

const reason = described(
  Text,
  'Your comment. It is sealed with the confirmation. Required with `objected`.',
  'I would have decided the same.',
)

const Statement = named(
  'ConfirmationStatement',
  {
    type: Type.Literal('countersign-confirm-v1', { description: "The statement's format." }),
    log: Type.String({ description: "The name of the log for the center's `history` chain." }),
    eventId: TypedId('decisionEvent', "The decision event's ID."),
    chainHash: described(ChainHash, "The hash of the decision's seal."),
    result: ConfirmationResult,
    reasonDigest: nullable(
      Type.String({ description: 'The digest of the comment and its salt. Null if there is no comment.' }),
    ),
    approverId: described(ActorId, 'The member who confirms or objects.'),
    rpId: Type.String({ description: 'The host that the passkey belongs to.' }),
    nonce: Type.String({ description: 'A random value that makes the statement unique.' }),
    issuedAt: described(DateTime, 'When the server issued the statement.'),
  },
  { description: "The statement that the passkey signs. The decision's export contains it." },
)

export const challengeEmergencyConfirmation = operation({
  ...decisionOperation,
  id: 'decisions.challengeConfirmation',
  method: 'POST',
  path: '/decisions/{eventId}/confirmations/challenge',
  store: 'sequenced',
  summary: 'Create a confirmation challenge',
  description:
    'Returns the statement that your passkey signs to confirm an emergency approval or to object to it. The challenge is valid for five minutes, for one confirmation with the same `result` and `reason`. Compute the challenge from the statement yourself. `publicKey` lists your passkeys that are confirmed in this center; if you have none, the response is 409. Send the assertion to `POST /api/decisions/{eventId}/confirmations`.',
  params: EventParam,
  body: named(
    'NewConfirmationChallenge',
    { result: ConfirmationResult, reason: Type.Optional(reason) },
    { description: 'What your passkey will sign.', examples: [{ result: 'confirmed' }] },
  ),
  replies: {
    200: named(
      'ConfirmationChallenge',
      {
        statement: Statement,
        reasonSalt: nullable(
          Type.String({
            description: 'The salt that goes into `reasonDigest` with the comment. Null if there is no comment.',
          }),
        ),
        publicKey: RequestOptions,
        expiresAt: described(DateTime, 'When the challenge expires.'),
      },
      { description: 'What your passkey signs to confirm an emergency approval, or to object to it.' },
    ),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})

export const confirmDecision = operation({
  ...decisionOperation,
  id: 'decisions.confirm',
  method: 'POST',
  path: '/decisions/{eventId}/confirmations',
  store: 'sequenced',
  summary: 'Confirm an emergency approval, or object to it',
  description:
    "Confirms an emergency approval, or objects to it, as the signed-in member. The people of the approval line that the emergency approval filled confirm it in the line's order, each filling one place; whoever used it, their other accounts and their deputies can't. With the last place the emergency approval is confirmed. One objection ends it: the decision can't be consumed anymore, and whoever used it can't give another emergency approval until `POST /api/decisions/{eventId}/confirmations/close`. After `confirmBy`, the response is 409. Each confirmation and objection is sealed in the `history` chain.",
  params: EventParam,
  body: named(
    'NewConfirmation',
    { result: ConfirmationResult, reason: Type.Optional(reason), assertion: Type.Optional(Assertion) },
    {
      description: 'Your confirmation or objection.',
      examples: [{ result: 'confirmed', reason: 'I would have decided the same.' }],
    },
  ),
  replies: {
    200: named(
      'GivenConfirmation',
      {
        eventId: TypedId('decisionEvent', "The decision event's ID."),
        result: ConfirmationResult,
        complete: Type.Boolean({
          description: 'Whether the emergency approval is confirmed now, because all places of its lines are filled.',
        }),
        confirmedAt: described(DateTime, 'When the confirmation or objection was sealed.'),
        chainHash: described(ChainHash, 'The hash of its entry in the `history` chain.'),
      },
      { description: 'Your confirmation or objection, as sealed.' },
    ),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})

const Closing = named(
  'EmergencyClosing',
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'Why the matter is closed. It is sealed.',
      examples: ['We spoke about it, and the order was returned.'],
    }),
  },
  {
    description: 'Why the matter is closed.',
    examples: [{ reason: 'We spoke about it, and the order was returned.' }],
  },
)

const Closed = named(
  'ClosedEmergency',
  {
    eventId: TypedId('decisionEvent', "The decision event's ID."),
    closedAt: described(DateTime, 'When the matter was closed.'),
    chainHash: described(ChainHash, 'The hash of its entry in the `history` chain.'),
  },
  { description: 'The emergency approval that was closed.' },
)

const closing =
  "Closes an emergency approval that was objected to, or that nobody confirmed in time. Whoever used it can give emergency approvals again; the decision still can't be consumed. Another ADMIN whose role counts already closes it, never the one who used it or another account of theirs. If the center has no other ADMIN, its partner or the operator does. The closing is sealed in the `history` chain."

export const closeEmergency = operation({
  ...decisionOperation,
  id: 'decisions.closeEmergency',
  access: member('ADMIN'),
  method: 'POST',
  path: '/decisions/{eventId}/confirmations/close',
  store: 'sequenced',
  stepUp: { within: 'rules' },
  summary: "Close an emergency approval that wasn't confirmed",
  description: closing,
  params: EventParam,
  body: Closing,
  replies: { 200: Closed },
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})

export const closeEmergencyAsPartner = operation({
  id: 'partner.closeEmergency',
  surface: 'platform',
  tag: 'Partners',
  access: partner('PARTNER_ADMIN'),
  method: 'POST',
  path: '/partner/centers/{centerId}/decisions/{eventId}/confirmations/close',
  store: 'partner',
  stepUp: { within: 'rules' },
  summary: 'Close an emergency approval in one of your centers',
  description: closing,
  params: Type.Object({ centerId: CenterId, ...EventParam.properties }),
  body: Closing,
  replies: { 200: Closed },
  errors: ['CENTER_NOT_FOUND', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})
