/** Who approves on whose behalf, for a time. */
import { Type } from 'typebox'
import { ActorId, DateTime, described, named, nullable } from './common.ts'
import { decisionOperation } from './decisions.ts'
import { operation } from './operation.ts'

const shared = decisionOperation

const time = {
  from: described(DateTime, "When the deputy's right begins."),
  until: described(DateTime, "When the deputy's right ends."),
}

const Deputy = named(
  'Deputy',
  {
    actorId: described(ActorId, "The deputy's actor ID."),
    name: Type.String({ description: "The deputy's name." }),
    ...time,
  },
  { description: 'The member who approves on your behalf, and for how long.' },
)

const DeputyFor = named(
  'DeputyFor',
  {
    actorId: described(ActorId, "The absent member's actor ID."),
    name: Type.String({ description: "The absent member's name. Empty if they aren't a member anymore." }),
    ...time,
  },
  { description: 'A member on whose behalf you approve, and for how long.' },
)

export const getDeputies = operation({
  ...shared,
  id: 'decisions.getDeputies',
  method: 'GET',
  path: '/decisions/deputy',
  store: 'cell',
  summary: 'Retrieve your deputies',
  description:
    "Returns your deputy and the members on whose behalf you approve, now or in the future. Rights that have ended aren't included.",
  replies: {
    200: named(
      'Deputies',
      {
        deputy: nullable(Deputy),
        deputyFor: Type.Array(DeputyFor, { description: 'The members on whose behalf you approve, earliest first.' }),
      },
      { description: 'Your deputy, and the members on whose behalf you approve.' },
    ),
  },
})

export const setDeputy = operation({
  ...shared,
  id: 'decisions.setDeputy',
  stepUp: { within: 'rules' },
  method: 'PUT',
  path: '/decisions/deputy',
  store: 'cell',
  summary: 'Name a deputy',
  description:
    "Lets another member approve on your behalf while you're away, in place of an earlier deputy. The deputy must be an ACTIVE ADMIN or INSTRUCTOR of this center and can't pass this right on. The seal names both of you; if a policy requires two approvers, you and your deputy count as one. The deputy's right lasts at most 90 days.",
  body: named(
    'NewDeputy',
    {
      actorId: described(ActorId, 'The member who approves on your behalf.'),
      from: described(DateTime, "When the deputy's right begins."),
      until: described(
        DateTime,
        "When the deputy's right ends, at most 90 days after `from`.",
        '2026-11-30T00:00:00.000Z',
      ),
    },
    {
      description: 'Who approves on your behalf, and for how long.',
      examples: [
        {
          actorId: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
          from: '2026-11-16T00:00:00.000Z',
          until: '2026-11-30T00:00:00.000Z',
        },
      ],
    },
  ),
  replies: { 200: Deputy },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const endDeputy = operation({
  ...shared,
  id: 'decisions.endDeputy',
  method: 'DELETE',
  path: '/decisions/deputy',
  store: 'cell',
  summary: "End your deputy's right",
  description:
    "Ends your deputy's right at once. Approvals that your deputy gave before that still count. The response is the same if you have no deputy.",
  replies: { 204: null },
})
