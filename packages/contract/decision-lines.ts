/** A decision's approval lines, as the box of seals shows them. */
import { Type } from 'typebox'
import { ActorId, described, named, nullable } from './common.ts'
import { oneOf, RequiredIdentity } from './enums.ts'

const AdmittedBy = oneOf(
  'AdmittedBy',
  ['role', 'group', 'person', 'escalation'],
  'What let the person approve at this step: their role, a group, being named in the policy, or an escalation.',
)

const LinePlace = named(
  'LinePlace',
  {
    approval: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'The approval that fills the place, as its position in `approvals`. Null while the place is empty.',
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
    steps: Type.Array(LineStep, { description: 'The steps, in order.' }),
  },
  {
    description:
      'An approval line: the steps of one policy that requires an approval. If several policies require one, their lines run side by side.',
  },
)

/** A filter of a member's list of decisions. */
export const Informed = Type.Optional(
  Type.Literal('true', {
    description: 'Only closed decisions that a policy keeps you informed about (`approval.inform`).',
    examples: ['true'],
  }),
)
