/** Stops: nothing that a stop covers can be requested, approved or run until it's lifted. Not in the specification. */
import { type Static, Type } from 'typebox'
import { CenterId, DateTime, described, named, nullable } from './common.ts'
import { oneOf } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

export const freezeRanks = ['center', 'partner', 'operator'] as const

const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description: 'The reason. It is sealed, and every administrator can read it.',
  examples: ['The agent requested the same refund three times.'],
})

const covers = {
  actorId: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Covers everything that this agent or person requests. What a person approves is not covered.',
    examples: ['agent-care'],
  }),
  keyId: TypedId('apiKey', 'Covers everything that this API key requests, approves or runs.'),
  actionTypes: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    minItems: 1,
    maxItems: 50,
    description: 'Covers every action of these types. As in a policy, `*` matches any characters.',
    examples: [['refund', 'message.*']],
  }),
  center: Type.Literal(true, { description: 'Covers everything in the center, including changes to its policies.' }),
}

const optional = {
  actorId: Type.Optional(covers.actorId),
  keyId: Type.Optional(covers.keyId),
  actionTypes: Type.Optional(covers.actionTypes),
  center: Type.Optional(covers.center),
}

const Running = named(
  'RunningDecision',
  {
    eventId: TypedId('decisionEvent', "The decision's event ID."),
    actionType: Type.String({ description: 'The type of the action that is running.', examples: ['refund'] }),
    executor: Type.String({ description: 'The executor that consumed the decision.', examples: ['worker-1'] }),
    consumedAt: described(DateTime, 'When the decision was consumed.'),
  },
  { description: 'A decision that was consumed and has no reported outcome yet.' },
)

const Coverage = Type.Object(optional)
export type FreezeCovers = Static<typeof Coverage>

const fields = {
  id: TypedId('freeze', "The stop's ID."),
  ...optional,
  reason: Reason,
  rank: oneOf(
    'FreezeRank',
    freezeRanks,
    'Who made the stop. Only the same rank or a higher one can lift it: center, then partner, then operator.',
  ),
  madeBy: Type.String({ description: 'The actor ID of the person who made the stop, or `operator`.' }),
  madeAt: described(DateTime, 'When the stop took effect.'),
  historyIndex: nullable(
    Type.Integer({
      minimum: 0,
      description:
        "The index of the stop's entry in the `history` chain. Null if the operator stopped all centers and this center hasn't had an entry since.",
    }),
  ),
  liftedBy: nullable(
    Type.String({
      description: 'The actor ID of the person who lifted the stop, or `operator`. Null while it is in force.',
    }),
  ),
  liftedAt: nullable(described(DateTime, 'When the stop was lifted. Null while it is in force.')),
  liftReason: nullable(Type.String({ description: 'The reason for lifting it. Null while it is in force.' })),
}
const Freeze = named('Freeze', fields, { description: 'A stop, in force or lifted.' })
const NewFreeze = named(
  'NewFreeze',
  { ...optional, reason: Reason },
  {
    description: 'What to stop, and why. Send exactly one of `actorId`, `keyId`, `actionTypes` and `center`.',
    minProperties: 2,
    maxProperties: 2,
    examples: [{ actorId: 'agent-care', reason: 'The agent requested the same refund three times.' }],
  },
)
const FreezeMade = named(
  'FreezeMade',
  {
    ...fields,
    running: Type.Array(Running, {
      description:
        "The decisions that were consumed before and have no outcome yet, newest first, at most 100. They can't be stopped.",
    }),
  },
  { description: 'The new stop, and what is already running.' },
)
const CoverageQuery = Type.Object({
  actorId: optional.actorId,
  keyId: optional.keyId,
  actionTypes: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'Action types, separated by commas. As in a policy, `*` matches any characters.',
      examples: ['refund,message.*'],
    }),
  ),
  index: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "The `historyIndex` of a stop: what was consumed before and after the stop's entry is counted too.",
      examples: [1249],
    }),
  ),
})
const FreezeRuns = named(
  'FreezeRuns',
  {
    minutes: Type.Array(Type.Integer({ minimum: 0 }), {
      minItems: 15,
      maxItems: 15,
      description:
        "How many decisions were consumed in each of the 15 minutes before the stop's entry, the earliest first. Counted in the 3,000 entries before it.",
      examples: [[0, 3, 3, 1, 3, 0, 1, 2, 2, 3, 4, 2, 0, 0, 1]],
    }),
    later: nullable(
      Type.Integer({
        minimum: 0,
        description:
          "How many were consumed after the stop's entry. Null if more than 3,000 entries have come since, which are not all counted.",
        examples: [0],
      }),
    ),
  },
  { description: 'The decisions covered that were consumed around a stop.' },
)
const FreezeCoverage = named(
  'FreezeCoverage',
  {
    waiting: Type.Integer({
      minimum: 0,
      description: 'How many requests are waiting for approval, of the newest 1,000.',
    }),
    waitingIds: Type.Array(TypedId('decisionEvent', "The request's decision event ID."), {
      maxItems: 1000,
      description: 'These requests, the newest first.',
    }),
    running: Type.Array(Running, {
      description:
        "The decisions that were consumed and have no outcome yet, newest first, at most 100. They can't be stopped.",
    }),
    runs: nullable(described(FreezeRuns, 'What was consumed around the stop. Null without `index`.')),
  },
  { description: 'What a stop would cover now, or covers.' },
)
const Lifting = named(
  'FreezeLifting',
  { reason: Reason },
  { description: 'Why the stop is lifted.', examples: [{ reason: 'We found the cause and fixed it.' }] },
)

const CenterParam = Type.Object({ centerId: CenterId })
const FreezeParams = Type.Object({ ...CenterParam.properties, ...IdParam('freeze').properties })
const shared = { surface: 'platform', tag: 'Decisions' } as const
const admins = { kind: 'actor', center: 'required', roles: ['ADMIN'] } as const
const staff = { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] } as const
const ofPartner = { surface: 'platform', tag: 'Partners', store: 'partner' } as const
const partners = { kind: 'partner', roles: ['PARTNER_ADMIN'] } as const
const readers = { kind: 'partner', roles: ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] } as const
const effect =
  'The stop takes effect on every server at the moment it is committed. For everything it covers, `decide`, approvals and `consume` return 409 with `details.reason` set to `frozen`. You can still refuse requests, record decisions that were already made and report outcomes, and deadlines keep running. The stop is sealed in the `history` chain, and all administrators are notified. You need neither a passkey nor to sign in again.'
const lifting =
  "You need the rank of whoever made the stop or a higher one, and you can't lift a stop of your own requests. Decisions that were approved before can be consumed again until `usableUntil`. The lifting is sealed with your actor ID and your reason."

export const createFreeze = operation({
  ...shared,
  id: 'freezes.create',
  evenWithoutPasskey: true,
  method: 'POST',
  path: '/freezes',
  access: admins,
  store: 'sequenced',
  summary: 'Stop an agent, an API key, action types or the whole center',
  description: effect,
  body: NewFreeze,
  replies: { 201: FreezeMade },
  errors: ['CONFLICT', 'CHAIN_BROKEN'],
})

export const listFreezes = operation({
  ...shared,
  id: 'freezes.list',
  evenWithoutPasskey: true,
  method: 'GET',
  path: '/freezes',
  access: staff,
  store: 'cell',
  summary: 'List stops',
  description: 'Returns all stops in force, then the 50 that were lifted last.',
  replies: { 200: Type.Array(Freeze) },
})

export const getFreezeCoverage = operation({
  ...shared,
  id: 'freezes.getCoverage',
  evenWithoutPasskey: true,
  method: 'GET',
  path: '/freezes/coverage',
  access: admins,
  store: 'cell',
  summary: 'Preview what a stop covers',
  description:
    'Returns what is waiting and what is running for one agent or person, one API key or some action types. Without a parameter, it covers the whole center.',
  query: CoverageQuery,
  replies: { 200: FreezeCoverage },
})

export const liftFreeze = operation({
  ...shared,
  id: 'freezes.lift',
  method: 'POST',
  path: '/freezes/{id}/lift',
  access: admins,
  store: 'sequenced',
  stepUp: { within: 'rules' },
  summary: 'Lift a stop',
  description: lifting,
  params: IdParam('freeze'),
  body: Lifting,
  replies: { 200: Freeze },
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})

const PartnerFreeze = named(
  'PartnerFreeze',
  {
    ...fields,
    centerId: nullable(
      described(CenterId, 'The center that the stop is in. Null if the operator stopped all centers at once.'),
    ),
    centerName: nullable(Type.String({ description: "The center's name. Null if the operator stopped all centers." })),
    madeByName: nullable(
      Type.String({ description: 'The name of the person who made the stop. Null for the operator.' }),
    ),
    liftedByName: nullable(
      Type.String({
        description: 'The name of the person who lifted it. Null for the operator, and while it is in force.',
      }),
    ),
  },
  { description: "A stop in one of a partner's centers." },
)
const PartnerFreezes = named(
  'PartnerFreezes',
  {
    inForce: Type.Array(PartnerFreeze, {
      maxItems: 500,
      description: 'The stops in force, newest first, at most 500.',
    }),
    lifted: Type.Array(PartnerFreeze, { maxItems: 50, description: 'The 50 stops that were lifted last.' }),
    unreachable: Type.Array(CenterId, {
      description: "Centers whose records can't be read now. Their stops are missing here and remain in force.",
      examples: [[]],
    }),
  },
  { description: "The stops in a partner's centers." },
)

export const listFreezesAsPartner = operation({
  ...ofPartner,
  id: 'partner.listFreezes',
  method: 'GET',
  path: '/partner/freezes',
  access: readers,
  summary: 'List the stops in your centers',
  description:
    'Returns all stops in force in your centers, whoever made them, then the 50 that were lifted last. Covers up to 1,000 centers. A stop of the operator for all centers is listed once.',
  replies: { 200: PartnerFreezes },
})

export const createFreezeAsPartner = operation({
  ...ofPartner,
  id: 'partner.createFreeze',
  method: 'POST',
  path: '/partner/centers/{centerId}/freezes',
  access: partners,
  summary: 'Create a stop in one of your centers',
  description: `${effect} Only a partner administrator or the operator can lift it.`,
  params: CenterParam,
  body: NewFreeze,
  replies: { 201: FreezeMade },
  errors: ['CENTER_NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})

export const liftFreezeAsPartner = operation({
  ...ofPartner,
  id: 'partner.liftFreeze',
  method: 'POST',
  path: '/partner/centers/{centerId}/freezes/{id}/lift',
  access: partners,
  stepUp: { within: 'rules' },
  summary: 'Lift a stop in one of your centers',
  description: lifting,
  params: FreezeParams,
  body: Lifting,
  replies: { 200: Freeze },
  errors: ['CENTER_NOT_FOUND', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})
