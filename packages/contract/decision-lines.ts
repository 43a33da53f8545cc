/** A decision's approval lines, as the box of seals shows them. */
import { Type } from 'typebox'
import { ActorId, DateTime, described, named, nullable } from './common.ts'
import { ConfirmationResult, emergencyStates, oneOf, RequiredIdentity } from './enums.ts'
import { TypedId } from './ids.ts'

const AdmittedBy = oneOf(
  'AdmittedBy',
  ['role', 'group', 'person', 'escalation', 'emergency'],
  'What let the person approve at this step: their role, a group, being named in the policy, an escalation, or the right to approve in an emergency.',
)

const LinePlace = named(
  'LinePlace',
  {
    approval: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'The approval that fills the place, as its position in `approvals`. Null while the place is empty, and if a confirmation fills it.',
        examples: [0],
      }),
    ),
    confirmation: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'In a line that an emergency approval filled: the confirmation that fills the place, as its position in `emergency.confirmations`. Null while the place is empty, and in any other line.',
        examples: [0],
      }),
    ),
    by: nullable(described(AdmittedBy, 'What let the person approve at this step. Null while the place is empty.')),
  },
  { description: 'A place for one person in an approval line.' },
)

export const LinePerson = named(
  'LinePerson',
  {
    actorId: described(ActorId, "The member's actor ID."),
    name: Type.String({ description: "The member's current name.", examples: ['Kim Seo-yeon'] }),
  },
  { description: 'A member who could fill a place.' },
)

const LineStep = named(
  'LineStep',
  {
    title: nullable(
      Type.String({ description: "The step's title. Null if the policy gives it none.", examples: ['Director'] }),
    ),
    delegated: Type.Boolean({ description: 'Whether the step decides with delegated authority (전결).' }),
    identity: RequiredIdentity,
    current: Type.Boolean({ description: 'Whether this is the step that the line is waiting for.' }),
    places: Type.Array(LinePlace, { description: "The step's places, filled ones first." }),
    struck: Type.Array(Type.Integer({ minimum: 0 }), {
      description:
        'Approvals that filled a place of this step when they were given and that no longer count, as their positions in `approvals`.',
      examples: [[0]],
    }),
    people: Type.Array(LinePerson, {
      maxItems: 10,
      description:
        'For a step that is still open, up to ten members who could fill a place in it. Empty once the step is full, and when you retrieve the decision with an API key.',
    }),
    peopleCount: Type.Integer({
      minimum: 0,
      description:
        'How many members could fill a place in this step. 0 once the step is full, and when you retrieve the decision with an API key.',
    }),
  },
  { description: 'A step of an approval line.' },
)

export const DecisionLine = named(
  'DecisionLine',
  {
    policyId: Type.String({
      description: "The ID of the policy that the line belongs to. `countersign` for the service's own line.",
      examples: ['pol_01kz9x4q8hfx5r3v7t2b6n0m1c'],
    }),
    version: Type.Integer({ minimum: 1, description: "The policy's version." }),
    name: nullable(
      Type.String({ description: "The policy's name. Null if the text of this version is no longer available." }),
    ),
    full: Type.Boolean({ description: 'Whether every place is filled.' }),
    emergency: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'The emergency approval that stands for the open places of this line, as its position in `approvals`. Its places stay open until they are confirmed. Null if there is none.',
        examples: [0],
      }),
    ),
    steps: Type.Array(LineStep, { description: 'The steps, in order.' }),
  },
  {
    description:
      'An approval line: the steps of one policy that requires an approval. If several policies require one, their lines run side by side.',
  },
)

const Confirmation = named(
  'DecisionConfirmation',
  {
    result: ConfirmationResult,
    by: Type.String({ description: 'The actor ID of the member who confirmed or objected. Empty if it was redacted.' }),
    name: nullable(
      Type.String({
        description: "The member's current name. Null when you retrieve the decision with an API key.",
        examples: ['Kim Seo-yeon'],
      }),
    ),
    onBehalfOf: Type.Optional(Type.String({ description: 'The member on whose behalf a deputy confirmed.' })),
    reason: Type.Optional(Type.String({ description: 'The comment that came with it. Absent after a redaction.' })),
    level: RequiredIdentity,
    at: described(DateTime, 'When it was sealed.'),
  },
  { description: 'A confirmation of an emergency approval, or an objection to it.' },
)

export const DecisionEmergency = named(
  'DecisionEmergency',
  {
    approvals: Type.Array(Type.Integer({ minimum: 0 }), {
      description: 'The emergency approvals, as their positions in `approvals`. Each has its `reason`.',
    }),
    confirmBy: described(DateTime, 'The last time at which the line can confirm it.'),
    state: oneOf(
      'EmergencyState',
      emergencyStates,
      "Whether it's still to be confirmed (`open`), is `confirmed`, was `objected` to, or nobody confirmed it in time (`unconfirmed`). If it was objected to or not confirmed in time, the decision can't be consumed.",
    ),
    confirmations: Type.Array(Confirmation, { description: 'The confirmations and objections, oldest first.' }),
    closedBy: nullable(
      Type.String({
        description: 'Who closed the matter after an objection, or if nobody confirmed. Null if nobody did.',
      }),
    ),
    closedAt: nullable(described(DateTime, 'When the matter was closed. Null if it was not.')),
    closeReason: nullable(Type.String({ description: 'Why the matter was closed. Null if it was not.' })),
    mayConfirm: Type.Boolean({ description: 'Whether you can confirm now.' }),
    mayObject: Type.Boolean({ description: 'Whether you can object now.' }),
    mayClose: Type.Boolean({ description: 'Whether you can close the matter now.' }),
  },
  { description: 'How the emergency approval of a decision stands.' },
)

const TurnAhead = named(
  'DecisionTurnAhead',
  {
    policyId: Type.String({
      description: "The ID of the policy. `countersign` for the service's own line.",
      examples: ['pol_01kz9x4q8hfx5r3v7t2b6n0m1c'],
    }),
    version: Type.Integer({ minimum: 1, description: "The policy's version." }),
    step: Type.Integer({ minimum: 0, description: 'The step, counted from 0.' }),
    title: nullable(Type.String({ description: "The step's title. Null if it has none.", examples: ['Director'] })),
  },
  { description: 'A step of an approval line at which your turn comes.' },
)

export const DecisionTurn = named(
  'DecisionTurn',
  {
    now: Type.Boolean({ description: 'Whether a line asks you now, or a member whose deputy you are.' }),
    next: nullable(
      described(
        TurnAhead,
        "The first later step that asks you. Null if it's your turn now, and if no later step asks you.",
      ),
    ),
  },
  { description: 'Whether you can approve the decision now, and if not, when your turn comes.' },
)

export const EmergencyRight = named(
  'EmergencyRight',
  {
    policies: Type.Array(Type.String({ description: "A policy's ID.", examples: ['pol_01kz9x4q8hfx5r3v7t2b6n0m1c'] }), {
      description: 'The policies whose lines your emergency approval would fill.',
    }),
    confirmWithinSeconds: Type.Integer({
      minimum: 1,
      description: 'How many seconds the lines would have to confirm it, counted from the seal.',
    }),
    identity: RequiredIdentity,
    seals: Type.Boolean({ description: 'Whether your emergency approval would complete the decision.' }),
    blocked: nullable(
      TypedId(
        'decisionEvent',
        "Your earlier emergency approval that was objected to or not confirmed in time. Until it's closed, you can't give another one. Null if there is none.",
      ),
    ),
  },
  { description: 'Your right to approve the decision in an emergency.' },
)

/** A filter of a member's list of decisions. */
export const Informed = Type.Optional(
  Type.Literal('true', {
    description: 'Only closed decisions that a policy keeps you informed about (`approval.inform`).',
    examples: ['true'],
  }),
)
