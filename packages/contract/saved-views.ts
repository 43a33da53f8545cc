/** Searches of decisions that a member has named: their own, and those that the center's staff shares. */
import { Type } from 'typebox'
import { member } from './access.ts'
import { ActorId, closed, DateTime, described, named, plainPattern } from './common.ts'
import { Tag } from './decision-events.ts'
import { DecisionEventStatus, DecisionEventType } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Amount, Question } from './search.ts'

/** Of each member in a center, and of the views that a center shares. */
export const mostViews = 50
export const mostViewBytes = 2048

const Day = Type.String({ format: 'date', maxLength: 10, description: 'A day.', examples: ['2026-11-16'] })

const ViewFilters = named(
  'ViewFilters',
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
    waiting: Type.Optional(Type.Boolean({ description: '`true` for decisions that are waiting for approval.' })),
    minAmount: Type.Optional(described(Amount, 'Only decisions whose amount is at least this.', 1_000_000)),
    maxAmount: Type.Optional(described(Amount, 'Only decisions whose amount is at most this.', 2_000_000)),
    from: Type.Optional(described(Day, "Only decisions recorded on this day or later, in the center's time zone.")),
    to: Type.Optional(described(Day, "Only decisions recorded on this day or earlier, in the center's time zone.")),
  },
  {
    ...closed,
    minProperties: 1,
    description: `The filters of the search for decisions, at most ${mostViewBytes} bytes as JSON.`,
  },
)

const ViewName = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: plainPattern,
  description:
    'The name of the view, on a single line. Names that differ only in letter case, width, spaces or invisible characters are the same name.',
  examples: ['Large refunds'],
})

const SavedView = named(
  'SavedView',
  {
    id: TypedId('savedView', "The view's ID."),
    name: Type.String({ description: 'The name of the view.' }),
    filters: ViewFilters,
    shared: Type.Boolean({ description: "Whether everyone on the center's staff sees it." }),
    updatedAt: described(DateTime, 'When the view was last saved.'),
  },
  { description: 'A search of decisions under a name.' },
)

const shared = {
  surface: 'platform',
  tag: 'Decisions',
  store: 'directory',
  access: member('ADMIN', 'INSTRUCTOR'),
} as const

export const listViews = operation({
  ...shared,
  id: 'views.list',
  method: 'GET',
  path: '/views',
  summary: 'List saved views',
  description:
    "Returns the views that the center's staff shares, then your own, each in the order of their names. A view stays as it is if the member or the policy that it names is gone.",
  replies: { 200: Type.Array(SavedView) },
})

export const putView = operation({
  ...shared,
  id: 'views.put',
  method: 'PUT',
  path: '/views',
  summary: 'Save a view',
  description: `Saves a view under its name, or changes the one of that name. You have at most ${mostViews} views in a center, and its staff shares at most ${mostViews} (409). Only an ADMIN can share a view or change a shared one. Sharing makes the view the center's: a view of your own with the same name becomes the shared one. Your own views are deleted when your membership ends, and shared ones stay.`,
  body: named(
    'NewView',
    {
      name: ViewName,
      filters: ViewFilters,
      shared: Type.Optional(
        Type.Boolean({
          description:
            "Whether everyone on the center's staff sees it. Requires the ADMIN role. By default, only you do.",
        }),
      ),
    },
    {
      description: 'The view to save.',
      examples: [{ name: 'Large refunds', filters: { tag: 'refunds', minAmount: 1_000_000 }, shared: false }],
    },
  ),
  replies: { 200: SavedView },
  errors: ['CONFLICT'],
})

export const deleteView = operation({
  ...shared,
  id: 'views.delete',
  method: 'DELETE',
  path: '/views/{id}',
  summary: 'Delete a saved view',
  description: "Deletes one of your views or, if you're an ADMIN, a shared one.",
  params: IdParam('savedView'),
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
