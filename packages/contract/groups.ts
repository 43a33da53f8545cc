/** Groups of a center's people, which approval lines name. These operations aren't in the specification. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { ActorId, closed, DateTime, described, named, PlainName } from './common.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

/** One answer lists all groups of a center, and an approval reads them all. */
export const mostGroups = 100
export const mostInGroup = 200

const name = Type.String({
  ...PlainName,
  maxLength: 60,
  description: "The group's name, on a single line. It can't contain control characters, email addresses or links.",
  examples: ['Finance'],
})
const actorIds = Type.Array(ActorId, {
  minItems: 1,
  maxItems: mostInGroup,
  uniqueItems: true,
  description:
    "The actor IDs of the group's people. Anyone you add must be an ACTIVE member of the center with the role ADMIN or INSTRUCTOR.",
  examples: [['0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40']],
})

const GroupPerson = named(
  'GroupPerson',
  {
    actorId: described(ActorId, "The person's actor ID."),
    countsFrom: Type.String({
      ...DateTime,
      description: "When this person's place in the group starts to count for approvals.",
    }),
  },
  { description: "A person in a group. Their approvals count only while they're an ACTIVE ADMIN or INSTRUCTOR." },
)

const Group = named(
  'Group',
  {
    id: TypedId('group', "The group's ID."),
    name: Type.String({ description: "The group's name." }),
    people: Type.Array(GroupPerson, { description: "The group's people, by actor ID." }),
    changedAt: Type.String({ ...DateTime, description: 'When the group was last changed.' }),
  },
  { description: "A group of the center's people. Approval lines of the center's policies can name it." },
)

const shared = {
  surface: 'platform',
  tag: 'Policies',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN'] },
} as const
const guarded = { stepUp: { within: 'rules' }, store: 'sequenced' } as const
const path = '/centers/{center}/groups' as const
const OfGroup = Type.Object({ ...CenterParam.properties, ...IdParam('group').properties })

const waits =
  "A person you add starts to count for approvals a day later, or as soon as another ADMIN confirms them. There's no waiting period in a sandbox, nor in a center's first 24 hours. A person you remove stops counting immediately."

export const listGroups = operation({
  ...shared,
  id: 'groups.list',
  method: 'GET',
  path,
  store: 'none',
  summary: 'List groups',
  description: `Returns the center's groups by name, up to ${mostGroups}.`,
  params: CenterParam,
  replies: {
    200: Type.Array(
      named(
        'ListedGroup',
        {
          ...Group.properties,
          people: Type.Array(
            named(
              'ListedGroupPerson',
              {
                ...GroupPerson.properties,
                name: Type.String({ description: "The person's name. Empty if they are no longer a member." }),
                mayApprove: Type.Boolean({
                  description:
                    'Whether the person is an ACTIVE ADMIN or INSTRUCTOR now. If not, they count for nothing.',
                }),
              },
              { description: 'A person in a group, with their name.' },
            ),
            { description: "The group's people, by actor ID." },
          ),
          mayConfirm: Type.Boolean({
            description:
              "Whether you may confirm the people in this group who don't count yet. False if there are none.",
          }),
        },
        { description: 'A group, and whether you may confirm its new people.' },
      ),
    ),
  },
})

export const createGroup = operation({
  ...shared,
  ...guarded,
  id: 'groups.create',
  method: 'POST',
  path,
  summary: 'Create a group',
  description: `Creates a group that \`approval.steps\` and \`approval.inform\` of the center's policies can name, and adds an entry to the \`history\` chain. ${waits} A center has at most ${mostGroups} groups of up to ${mostInGroup} people.`,
  params: CenterParam,
  body: named(
    'NewGroup',
    { name, actorIds },
    {
      description: 'The group to create.',
      examples: [{ name: 'Finance', actorIds: ['0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'] }],
    },
  ),
  replies: { 201: Group },
  errors: ['CONFLICT', 'CHAIN_BROKEN'],
})

export const updateGroup = operation({
  ...shared,
  ...guarded,
  id: 'groups.update',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update a group',
  description: `Renames the group or replaces its people, and adds an entry to the \`history\` chain. People who stay in the group keep counting. ${waits}`,
  params: OfGroup,
  body: Type.Partial(Type.Object({ name, actorIds }), {
    ...closed,
    title: 'GroupPatch',
    description: 'What to change about the group. Anything you leave out stays as it is.',
    minProperties: 1,
    examples: [{ name: 'Accounting' }],
  }),
  replies: { 200: Group },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

export const confirmGroup = operation({
  ...shared,
  ...guarded,
  id: 'groups.confirm',
  method: 'POST',
  path: `${path}/{id}/confirm`,
  summary: "Confirm a group's new people",
  description:
    "Makes people who were added to a group count for approvals at once. You must be an ADMIN whose own role counts. You can't confirm people if you added someone who doesn't count yet, if you're one of the people, or if you share a verified address with either. The confirmation is sealed with your name. People who already count stay as they are.",
  params: OfGroup,
  body: named(
    'GroupConfirmation',
    {
      actorIds: described(
        actorIds,
        'The actor IDs of the people you confirm. If one of them is no longer in the group, the response is 409.',
      ),
    },
    { description: 'The people to confirm.', examples: [{ actorIds: ['0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'] }] },
  ),
  replies: { 200: Group },
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})

export const endGroup = operation({
  ...shared,
  ...guarded,
  id: 'groups.end',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'End a group',
  description:
    "Ends the group and adds an entry to the `history` chain. A group that one of the center's policies names can't be ended: the response is 409. Change the policy first.",
  params: OfGroup,
  replies: { 204: null },
  errors: ['NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})
