/** The platform for its operators, one call per page. It is read-only: changes are made on the operator's command line. */
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

const CellAlarm = named(
  'CellAlarm',
  {
    centerId: described(CenterId, 'The center that the chain belongs to.'),
    centerName: Type.String({ description: "The center's name, as people see it." }),
    centerDomain: Type.String({ description: "The center's subdomain." }),
    domain: ChainDomain,
    brokenAt: described(Count, 'The lowest index that was found broken.'),
  },
  { description: 'A chain that was found broken.' },
)

const CellQueues = named(
  'CellQueues',
  {
    overdueDeliverySeconds: Type.Number({
      ...Seconds,
      description: 'How late the oldest due webhook delivery is, in seconds.',
    }),
    heldDeliveries: Type.Integer({
      ...Count,
      description: 'The number of deliveries held for webhooks that are turned off, counted up to 100,000.',
    }),
    failingEndpoints: Type.Integer({
      ...Count,
      description: 'The number of endpoints that failed so often that attempts pause.',
    }),
    runningExecutions: Type.Integer({ ...Count, description: 'The number of workflow executions that are running.' }),
    overdueExecutionSeconds: Type.Number({
      ...Seconds,
      description: 'How late the oldest due step is, in seconds.',
    }),
  },
  { description: 'What is waiting in a cell.' },
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
        description: "The kind of the last failure; its message is in the worker's log. Null if there was none.",
      }),
    ),
    failures: Type.Integer({ ...Count, description: 'How many runs failed in the last seven days.' }),
    nextAt: described(DateTime, 'When the job runs next.'),
    late: Type.Boolean({
      description:
        'Whether the job is late: none is running, and none has succeeded since a time that was due five minutes ago or earlier.',
    }),
  },
  { description: 'A periodic job of a cell.' },
)

const CellOverview = named(
  'CellOverview',
  {
    name: Type.String({ description: "The cell's name." }),
    up: Type.Boolean({ description: 'Whether the cell answers within half a second and can be written to.' }),
    centers: described(Count, 'The number of centers in the cell.'),
    alarms: Type.Array(CellAlarm, { description: 'Chains that were found broken and not cleared, at most 100.' }),
    queues: nullable(described(CellQueues, "What is waiting in the cell. Null while it doesn't answer.")),
    jobs: Type.Array(JobOverview, { description: "The cell's periodic jobs. Empty while it doesn't answer." }),
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
            active: described(Count, 'Centers that are open.'),
            suspended: described(Count, 'Centers that are suspended.'),
            inactive: described(Count, 'Centers that are closed for good.'),
            sandboxes: described(Count, "Sandboxes, which the other figures don't include."),
          },
          { description: 'How many centers have each status.' },
        ),
        partners: described(Count, 'The number of partners.'),
        cells: Type.Array(CellOverview, { description: 'The database cells, with what each is doing.' }),
      },
      { description: 'The platform in figures.' },
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
  description: 'Returns every partner, newest first, with how many centers and members each has.',
  query: Type.Object({
    ...PageQuery.properties,
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name.', examples: ['onnuri'] })),
  }),
  replies: {
    200: named(
      'PartnerOverview',
      {
        id: PartnerId,
        name: Type.String({ description: "The partner's name." }),
        kind: PartnerKind,
        centers: described(Count, "The number of the partner's centers."),
        members: described(Count, 'The number of ACTIVE memberships in them.'),
        createdAt: described(DateTime, 'When the partner was created.'),
      },
      { description: 'A partner as operators see it.' },
    ),
  },
})

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
      Type.String({ maxLength: 200, description: 'Part of the name or subdomain, or the ID.', examples: ['haneul'] }),
    ),
    status: Type.Optional(CenterStatusSchema),
    cell: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only centers in this cell.', examples: ['cell-1'] }),
    ),
    partnerId: Type.Optional(described(PartnerId, "Only this partner's centers.")),
  }),
  replies: {
    200: named(
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
            { description: "The center's partner. Null without one." },
          ),
        ),
        members: described(Count, 'The number of ACTIVE members.'),
        sandbox: Type.Boolean({ description: 'Whether the center is a sandbox.' }),
        createdAt: described(DateTime, 'When the center was created.'),
      },
      { description: 'A center as operators see it.' },
    ),
  },
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
      description: 'The hash of what is stored. It differs from `hash` if the entry was altered.',
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
    'Returns where a chain is broken: the entry, the one before it and the last verdicts, as hashes, indexes and times. `entry` is null if no entry has the index. The content of entries and records is never part of the reply.',
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
        checks: Type.Array(ChainCheck, { description: 'The last verdict of each mode.' }),
        before: nullable(described(AlarmedEntry, 'The entry before the broken one. Null if there is none.')),
        entry: nullable(described(AlarmedEntry, 'The broken entry. Null if no entry has the index.')),
      },
      { description: 'Where a chain is broken.' },
    ),
  },
  errors: ['NOT_FOUND'],
})
