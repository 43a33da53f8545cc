/** The platform for its operators, one call per page. What they change from pages is in operator-centers.ts, plans.ts and onboarding.ts. */
import { Type } from 'typebox'
import { CenterDomain, CenterId, DateTime, described, named, nullable, PageQuery } from './common.ts'
import { ChainCheck } from './console-integrity.ts'
import { CenterStatusSchema, ChainDomain, PartnerKind, VerticalSchema } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Count = Type.Integer({ minimum: 0 })
const Seconds = Type.Number({ minimum: 0 })
const shared = {
  surface: 'platform',
  tag: 'Platform operators',
  method: 'GET',
  access: { kind: 'operator' },
  store: 'identity',
} as const

export const AlarmAcknowledgement = named(
  'AlarmAcknowledgement',
  {
    name: Type.String({ description: 'The operator who looks after the alarm.' }),
    note: Type.String({ description: 'What they are doing about it.' }),
    at: described(DateTime, 'When they acknowledged it.'),
  },
  { description: 'An operator who looks after an alarm.' },
)

const CellAlarm = named(
  'CellAlarm',
  {
    centerId: described(CenterId, 'The center that the chain belongs to.'),
    centerName: Type.String({ description: "The center's display name." }),
    centerDomain: Type.String({ description: "The center's subdomain." }),
    domain: ChainDomain,
    brokenAt: described(Count, 'The lowest index at which the chain was found to be broken.'),
    acknowledged: nullable(described(AlarmAcknowledgement, 'Who looks after the alarm. Null if nobody does yet.')),
  },
  { description: 'A chain that was found to be broken.' },
)

const CellQueues = named(
  'CellQueues',
  {
    overdueDeliverySeconds: Type.Number({
      ...Seconds,
      description: 'How overdue the oldest due webhook delivery is, in seconds.',
    }),
    heldDeliveries: Type.Integer({
      ...Count,
      description: 'The number of deliveries held for webhooks that are turned off, counted up to 100,000.',
    }),
    failingEndpoints: Type.Integer({
      ...Count,
      description: 'The number of endpoints that have failed so often that deliveries to them are paused.',
    }),
    runningExecutions: Type.Integer({ ...Count, description: 'The number of workflow executions that are running.' }),
    overdueExecutionSeconds: Type.Number({
      ...Seconds,
      description: 'How overdue the oldest due workflow step is, in seconds.',
    }),
  },
  { description: 'The work that is waiting in a cell.' },
)

const JobOverview = named(
  'JobOverview',
  {
    name: Type.String({ description: "The job's name." }),
    schedule: Type.String({ description: 'When the job runs, as a cron expression in UTC.' }),
    running: Type.Boolean({ description: 'Whether the job is running now.' }),
    lastSuccessAt: nullable(described(DateTime, 'When the job last succeeded. Null if it never did.')),
    lastFailureAt: nullable(described(DateTime, 'When the job last failed. Null if it never did.')),
    lastError: nullable(
      Type.String({
        description:
          "The kind of error that caused the last failure. The error message is in the worker's log. Null if the job has never failed.",
      }),
    ),
    failures: Type.Integer({ ...Count, description: 'The number of runs that failed in the last seven days.' }),
    nextAt: described(DateTime, 'When the job runs next.'),
    late: Type.Boolean({
      description:
        "Whether the job is late: it isn't running, and it hasn't succeeded since a run that was due at least five minutes ago.",
    }),
  },
  { description: "One of a cell's periodic jobs." },
)

const CellOverview = named(
  'CellOverview',
  {
    name: Type.String({ description: "The cell's name." }),
    up: Type.Boolean({ description: 'Whether the cell responds within half a second and accepts writes.' }),
    centers: described(Count, 'The number of centers in the cell.'),
    alarms: Type.Array(CellAlarm, {
      description: "Up to 100 chains that were found to be broken and whose alarms haven't been cleared.",
    }),
    queues: nullable(described(CellQueues, "The work that is waiting in the cell. Null if the cell isn't responding.")),
    jobs: Type.Array(JobOverview, { description: "The cell's periodic jobs. Empty if the cell isn't responding." }),
  },
  { description: 'A database cell with its centers, alarms, queues and jobs.' },
)

export const getOverview = operation({
  ...shared,
  id: 'admin.getOverview',
  path: '/admin/overview',
  summary: 'Retrieve the platform overview',
  description:
    'Returns counts of centers and partners, the cells with their queues and jobs, and alarms about broken chains.',
  replies: {
    200: named(
      'PlatformOverview',
      {
        centers: named(
          'CenterCounts',
          {
            active: described(Count, 'The number of centers that are open.'),
            suspended: described(Count, 'The number of centers that are suspended.'),
            inactive: described(Count, 'The number of centers that are permanently closed.'),
            sandboxes: described(Count, "The number of sandboxes, which the other counts don't include."),
          },
          { description: 'The number of centers with each status.' },
        ),
        partners: described(Count, 'The number of partners.'),
        cells: Type.Array(CellOverview, {
          description: 'The database cells, each with its centers, alarms, queues and jobs.',
        }),
      },
      { description: 'Key figures about the platform.' },
    ),
  },
})

const PartnerId = TypedId('partner', "The partner's ID.")

export const listAllPartners = operation({
  ...shared,
  id: 'admin.listPartners',
  path: '/admin/partners',
  envelope: 'page',
  summary: 'List all partners',
  description: 'Returns every partner, newest first, with the number of centers and members that each has.',
  query: Type.Object({
    ...PageQuery.properties,
    search: Type.Optional(
      Type.String({ maxLength: 200, description: "Part of the partner's name.", examples: ['onnuri'] }),
    ),
  }),
  replies: {
    200: named(
      'PartnerOverview',
      {
        id: PartnerId,
        name: Type.String({ description: "The partner's name." }),
        kind: PartnerKind,
        centers: described(Count, "The number of the partner's centers."),
        members: described(Count, "The number of ACTIVE memberships in the partner's centers."),
        createdAt: described(DateTime, 'When the partner was created.'),
      },
      { description: 'A partner, as shown to operators.' },
    ),
  },
})

export const CenterOverview = named(
  'CenterOverview',
  {
    id: described(CenterId, "The center's ID."),
    name: Type.String({ description: "The center's name." }),
    centerDomain: described(CenterDomain, "The center's subdomain."),
    status: CenterStatusSchema,
    vertical: VerticalSchema,
    cell: Type.String({ description: 'The name of the cell that the center is in.' }),
    partner: nullable(
      named(
        'NamedPartner',
        { id: PartnerId, name: Type.String({ description: "The partner's name." }) },
        { description: "The center's partner. Null if it has none." },
      ),
    ),
    members: described(Count, 'The number of ACTIVE members.'),
    sandbox: Type.Boolean({ description: 'Whether the center is a sandbox.' }),
    createdAt: described(DateTime, 'When the center was created.'),
  },
  { description: 'A center, as shown to operators.' },
)

export const listAllCenters = operation({
  ...shared,
  id: 'admin.listCenters',
  path: '/admin/centers',
  envelope: 'page',
  summary: 'List all centers',
  description: 'Returns every center, newest first, with its state, partner and cell.',
  query: Type.Object({
    ...PageQuery.properties,
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description: "Part of the center's name or subdomain, or the center's ID.",
        examples: ['haneul'],
      }),
    ),
    status: Type.Optional(CenterStatusSchema),
    cell: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only centers in this cell.', examples: ['cell-1'] }),
    ),
    partnerId: Type.Optional(described(PartnerId, "Only this partner's centers.")),
  }),
  replies: { 200: CenterOverview },
})
const AlarmedEntry = named(
  'AlarmedEntry',
  {
    index: described(Count, "The entry's index in the chain."),
    hash: Type.String({ description: "The entry's hash, as stored." }),
    previousHash: nullable(
      Type.String({ description: "The previous entry's hash, as stored. Null for the first entry." }),
    ),
    computedHash: Type.String({
      description: 'The hash computed from the stored entry. It differs from `hash` if the entry was altered.',
    }),
    sealedAt: Type.String({ description: 'When the entry was sealed.' }),
  },
  { description: 'A chain entry as it is stored, without its content.' },
)

export const getAlarm = operation({
  ...shared,
  id: 'admin.getAlarm',
  path: '/admin/alarms/{centerId}/{domain}',
  summary: 'Retrieve a chain alarm',
  description:
    'Returns where a chain is broken: the broken entry, the entry before it, and the results of the latest checks, as hashes, indexes and times. `entry` is null if there is no entry at the index. The response never includes the content of entries or records.',
  params: Type.Object({
    centerId: described(CenterId, "The center's ID, as in the list of centers."),
    domain: ChainDomain,
  }),
  replies: {
    200: named(
      'ChainAlarmPlace',
      {
        ...CellAlarm.properties,
        cell: Type.String({ description: 'The name of the cell that the center is in.' }),
        log: Type.String({ description: "The log's name." }),
        length: described(Count, 'The number of entries in the chain.'),
        checks: Type.Array(ChainCheck, { description: 'The result of the latest check in each mode.' }),
        before: nullable(described(AlarmedEntry, 'The entry before the broken one. Null if there is none.')),
        entry: nullable(described(AlarmedEntry, 'The broken entry. Null if there is no entry at the index.')),
      },
      { description: 'Where a chain is broken.' },
    ),
  },
  errors: ['NOT_FOUND'],
})
