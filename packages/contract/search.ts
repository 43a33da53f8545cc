/** One search over what a center has: decisions with filters, and decisions, people, appointments and policies at once. */
import { Type } from 'typebox'
import { ActorId, CursorQuery, closed, DateTime, described, named, nullable } from './common.ts'
import { DecisionEventSummary, Tag } from './decision-events.ts'
import {
  ActorRoleSchema,
  ApprovalResult,
  BookingStatusSchema,
  DecisionEventStatus,
  DecisionEventType,
  IdentityLevelSchema,
  MembershipStatusSchema,
  YesNo,
} from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const staff = { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] } as const

export const Question = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'Up to eight words: names, amounts (`1200000`, `1,200,000` or `120만`), words of the description, the reason or the values, the name of the action type, or an ID. Every word must match. Korean words are also found inside compounds, and with or without the endings that Korean attaches to them.',
  examples: ['이하늘 환불 1,200,000'],
})

const FoundDecision = named(
  'FoundDecision',
  {
    eventId: TypedId('decisionEvent', "The decision event's ID."),
    decisionId: Type.String({ description: "The decision's own ID." }),
    headline: named(
      'FoundHeadline',
      {
        ko: Type.String({ description: 'The headline in Korean.' }),
        en: Type.String({ description: 'The headline in English.' }),
      },
      { description: "The headline, built from the action's type and values, never from its description." },
    ),
    type: DecisionEventSummary.properties.type,
    actor: DecisionEventSummary.properties.actor,
    actionType: Type.String({ description: 'What kind of action it is, as the requester named it.' }),
    status: DecisionEventStatus,
    waiting: Type.Boolean({ description: 'Whether the decision is waiting for an approval.' }),
    amount: nullable(
      Type.Number({ description: 'The largest amount that the decision names. Null if it names none.' }),
    ),
    chainHash: nullable(
      Type.String({ description: 'The hash of its chain entry. Null until the decision is sealed.' }),
    ),
    approvals: Type.Array(
      named(
        'FoundApproval',
        {
          approverId: nullable(Type.String({ description: "The approver's ID. Null once it has been redacted." })),
          name: nullable(
            Type.String({
              description: "The approver's name when they decided. Null if there is none or it has been redacted.",
            }),
          ),
          result: ApprovalResult,
          level: IdentityLevelSchema,
        },
        { description: 'Who approved or refused the decision.' },
      ),
      { description: "The approvals and refusals that weren't taken back, in the order they were given." },
    ),
    tags: DecisionEventSummary.properties.tags,
    createdAt: described(DateTime, 'When the decision was recorded.'),
    updatedAt: described(DateTime, 'When its status last changed.'),
  },
  { description: 'A decision that matches the search.' },
)

export const Amount = Type.Integer({ minimum: -1e15, maximum: 1e15 })

export const searchDecisions = operation({
  surface: 'platform',
  tag: 'Decisions',
  id: 'search.decisions',
  method: 'GET',
  path: '/search/decisions',
  access: staff,
  store: 'cell',
  summary: 'Search decisions',
  description:
    "Returns the decisions that match every word and every filter, newest first, each with its headline, its state and who approved it. A new decision and new approvals can be found a few seconds later; redacted values can't be found from the moment they're redacted. Without `q` and without `personId`, `policyId`, `minAmount` and `maxAmount`, new decisions are returned at once. If no decision has all the words, those that no decision has are left out and returned in `leftOut`. To read on, send `nextCursor` as `cursor` until it's null; a page can be shorter than `limit` before that.",
  query: Type.Object(
    {
      q: Type.Optional(Question),
      personId: Type.Optional(described(ActorId, 'Only decisions that this member asked for, approved or refused.')),
      agentId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'Only decisions by the actor with this ID, such as an agent.',
          examples: ['agent-7'],
        }),
      ),
      policyId: Type.Optional(TypedId('policy', 'Only decisions that this policy applied to.')),
      type: Type.Optional(DecisionEventType),
      tag: Type.Optional(described(Tag, 'Only decisions with this tag.', 'refunds')),
      status: Type.Optional(DecisionEventStatus),
      waiting: Type.Optional(YesNo('`true` for decisions that are waiting for approval, `false` for all others.')),
      minAmount: Type.Optional(described(Amount, 'Only decisions whose amount is at least this.', 1_000_000)),
      maxAmount: Type.Optional(described(Amount, 'Only decisions whose amount is at most this.', 2_000_000)),
      from: Type.Optional(Type.String({ ...DateTime, description: 'Only decisions recorded at this time or later.' })),
      to: Type.Optional(Type.String({ ...DateTime, description: 'Only decisions recorded before this time.' })),
      ...CursorQuery,
      limit: Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 20,
        description: 'The largest number of decisions to return.',
      }),
    },
    closed,
  ),
  replies: {
    200: named(
      'FoundDecisions',
      {
        decisions: Type.Array(FoundDecision, { description: 'The decisions, newest first.' }),
        nextCursor: nullable(
          Type.String({ description: 'Send it as `cursor` to read on. Null if there are no further decisions.' }),
        ),
        leftOut: Type.Array(Type.String(), {
          description: 'Words of the search that no decision has, and that were therefore left out.',
        }),
      },
      { description: 'The decisions that match.' },
    ),
  },
})

export const searchAll = operation({
  surface: 'platform',
  tag: 'Centers',
  id: 'search.all',
  method: 'GET',
  path: '/search',
  access: staff,
  store: 'cell',
  summary: 'Search a center',
  description:
    'Returns the first few decisions, people, appointments and policies of the center that match. You find only what you can also list: people and policies are null unless you have the ADMIN role. People are found by the beginning of a name or address, appointments by the name of the person they are for or of who gives them, next ones first.',
  query: Type.Object(
    {
      q: Question,
      limit: Type.Integer({
        minimum: 1,
        maximum: 10,
        default: 5,
        description: 'The largest number of results of each kind.',
      }),
    },
    closed,
  ),
  replies: {
    200: named(
      'Found',
      {
        decisions: Type.Array(FoundDecision, { description: 'Decisions, newest first.' }),
        people: nullable(
          Type.Array(
            named(
              'FoundPerson',
              {
                membershipId: TypedId('membership', 'Identifies the person in the list of members.'),
                actorId: described(ActorId, "The person's actor ID."),
                name: Type.String({ description: "The person's name in this center." }),
                email: nullable(Type.String({ description: "The person's email address. Null if there is none." })),
                roles: Type.Array(ActorRoleSchema, { description: "The member's roles." }),
                status: MembershipStatusSchema,
              },
              { description: 'A member of the center.' },
            ),
            { description: 'Members. Null if you may not list them.' },
          ),
        ),
        bookings: Type.Array(
          named(
            'FoundBooking',
            {
              id: TypedId('booking', "The appointment's ID."),
              clientName: nullable(Type.String({ description: 'Whom the appointment is for. Null if they left.' })),
              instructorName: nullable(Type.String({ description: 'Who gives the appointment. Null if they left.' })),
              startsAt: described(DateTime, 'When the appointment starts.'),
              status: BookingStatusSchema,
            },
            { description: 'An appointment.' },
          ),
          { description: 'Appointments: the next ones first, then the last ones.' },
        ),
        policies: nullable(
          Type.Array(
            named(
              'FoundPolicy',
              {
                id: TypedId('policy', "The policy's ID."),
                name: Type.String({ description: "The policy's name." }),
                active: Type.Boolean({ description: 'Whether the policy applies now.' }),
              },
              { description: 'A policy.' },
            ),
            { description: 'Policies in force. Null if you may not list them.' },
          ),
        ),
      },
      { description: 'What matches, by kind.' },
    ),
  },
  errors: ['MISSING_REQUIRED_FIELD'],
})
