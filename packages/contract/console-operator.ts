/** The platform for the people who run it, one call a page. Reading only: commands are in the operator's command line. */
import { Type } from 'typebox'
import { CenterDomain, CenterId, DateTime, named, nullable, PageQuery } from './common.ts'
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

const CellAlarm = named('CellAlarm', {
  centerId: CenterId,
  centerName: Type.String(),
  centerDomain: Type.String(),
  domain: ChainDomain,
  brokenAt: Count,
})

const CellQueues = named('CellQueues', {
  overdueDeliverySeconds: Type.Number({
    ...Seconds,
    description: 'By how much the oldest due webhook delivery is late',
  }),
  heldDeliveries: Type.Integer({ ...Count, description: 'Deliveries of inactive webhooks, counted up to 100,000' }),
  failingEndpoints: Type.Integer({ ...Count, description: 'Endpoints that failed so often that attempts pause' }),
  runningExecutions: Type.Integer({ ...Count, description: 'Executions of workflows' }),
  overdueExecutionSeconds: Type.Number({ ...Seconds, description: 'By how much the oldest due step is late' }),
})

const JobOverview = named('JobOverview', {
  name: Type.String(),
  schedule: Type.String({ description: 'Cron, in UTC' }),
  running: Type.Boolean(),
  lastSuccessAt: nullable(DateTime),
  lastFailureAt: nullable(DateTime),
  lastError: nullable(
    Type.String({ description: 'The kind of the last failure. Its message is in the log of the worker' }),
  ),
  failures: Type.Integer({ ...Count, description: 'Runs that failed, of the last seven days' }),
  nextAt: DateTime,
  late: Type.Boolean({
    description:
      'Whether no run is in progress, and none succeeded since a time that was due five minutes ago or earlier',
  }),
})

const CellOverview = named('CellOverview', {
  name: Type.String(),
  up: Type.Boolean({ description: 'Whether it answers within half a second and can be written' }),
  centers: Count,
  alarms: Type.Array(CellAlarm, { description: 'Chains that were found broken and not cleared, at most 100' }),
  queues: nullable(CellQueues),
  jobs: Type.Array(JobOverview, { description: 'Periodic jobs; none while the cell does not answer' }),
})

export const getOverview = operation({
  ...shared,
  id: 'admin.getOverview',
  path: '/admin/overview',
  summary: 'Get counts, cells with their queues and jobs, and the alarms of broken chains',
  replies: {
    200: named('PlatformOverview', {
      centers: named('CenterCounts', { active: Count, suspended: Count, inactive: Count, sandboxes: Count }),
      partners: Count,
      cells: Type.Array(CellOverview),
    }),
  },
})

const PartnerId = TypedId('partner', 'Partner id')

export const listAllPartners = operation({
  ...shared,
  id: 'admin.listPartners',
  path: '/admin/partners',
  envelope: 'page',
  summary: 'List all partners, newest first',
  query: Type.Object({
    ...PageQuery.properties,
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name' })),
  }),
  replies: {
    200: named('PartnerOverview', {
      id: PartnerId,
      name: Type.String(),
      kind: PartnerKind,
      centers: Count,
      members: Count,
      createdAt: DateTime,
    }),
  },
})

export const listAllCenters = operation({
  ...shared,
  id: 'admin.listCenters',
  path: '/admin/centers',
  envelope: 'page',
  summary: 'List all centers, newest first, with their state, partner and cell',
  query: Type.Object({
    ...PageQuery.properties,
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or slug, or the id' })),
    status: Type.Optional(CenterStatusSchema),
    cell: Type.Optional(Type.String({ maxLength: 100, description: 'Name of a cell' })),
    partnerId: Type.Optional(PartnerId),
  }),
  replies: {
    200: named('CenterOverview', {
      id: CenterId,
      name: Type.String(),
      centerDomain: CenterDomain,
      status: CenterStatusSchema,
      vertical: VerticalSchema,
      cell: Type.String(),
      partner: nullable(named('NamedPartner', { id: PartnerId, name: Type.String() })),
      members: Count,
      sandbox: Type.Boolean(),
      createdAt: DateTime,
    }),
  },
})

const AlarmedEntry = named('AlarmedEntry', {
  index: Count,
  hash: Type.String({ description: 'As stored' }),
  previousHash: nullable(Type.String({ description: 'As stored' })),
  computedHash: Type.String({ description: 'Of what is stored. It differs from `hash` where the entry was altered' }),
  sealedAt: Type.String(),
})

export const getAlarm = operation({
  ...shared,
  id: 'admin.getAlarm',
  path: '/admin/alarms/{centerId}/{domain}',
  summary: 'Get the place at which a chain is broken: the entry, its predecessor and what the verifier said',
  description:
    'Hashes, indexes and times. `entry` is null where no entry has the index. The content of entries and records is never part of the answer.',
  params: Type.Object({ centerId: CenterId, domain: ChainDomain }),
  replies: {
    200: named('ChainAlarmPlace', {
      ...CellAlarm.properties,
      cell: Type.String(),
      log: Type.String({ description: 'Name of the log' }),
      length: Count,
      checks: Type.Array(ChainCheck, { description: 'The last verdict of each mode' }),
      before: nullable(AlarmedEntry),
      entry: nullable(AlarmedEntry),
    }),
  },
  errors: ['NOT_FOUND'],
})
