/** The integrity of a center's chains in one call. */
import { Type } from 'typebox'
import { CenterId, DateTime, named, nullable } from './common.ts'
import { consoleOperation, staff } from './console-inbox.ts'
import { CenterStatusSchema, ChainDomain, oneOf } from './enums.ts'
import { operation } from './operation.ts'
import { Anchoring, LogGeneration } from './transparency.ts'

const Count = Type.Integer({ minimum: 0 })
const Index = nullable(Type.Integer({ minimum: 0, description: 'The lowest index that was found broken' }))

export const ChainCheck = named('ChainCheck', {
  mode: oneOf('CheckMode', ['chain', 'records'], '`records` also compares stored values with their commitments'),
  scannedTo: Count,
  brokenAt: Index,
  reason: nullable(Type.String()),
  verifiedAt: DateTime,
})

const ChainOverview = named('ChainOverview', {
  domain: ChainDomain,
  log: Type.String({ description: 'Name of the log' }),
  length: Count,
  generation: Type.Integer({ minimum: 1 }),
  headHash: nullable(Type.String()),
  sealedAt: nullable(DateTime),
  brokenAt: Index,
  checkpoint: nullable(
    named('ShownCheckpoint', {
      size: Count,
      root: Type.String({ description: 'base64' }),
      note: Type.String({ description: 'The signed checkpoint with its cosignatures' }),
      anchoring: nullable(Anchoring),
    }),
  ),
  witnesses: Type.Array(
    named('WitnessLag', {
      name: Type.String(),
      size: nullable(Type.Integer({ description: 'The largest checkpoint that it cosigned; null for none' })),
      lag: Type.Integer({ minimum: 0, description: 'Entries of the newest checkpoint that it has not cosigned' }),
    }),
  ),
  generations: Type.Array(LogGeneration),
  checks: Type.Array(ChainCheck, { description: "The server's own verdicts, one for each mode" }),
})

const Alarm = named('ChainAlarm', {
  at: DateTime,
  action: oneOf('AlarmAction', ['found', 'cleared'], 'What happened'),
  domain: Type.String(),
  brokenAt: Index,
  reason: nullable(Type.String()),
})

export const getIntegrity = operation({
  ...consoleOperation,
  id: 'console.getIntegrity',
  method: 'GET',
  path: '/console/integrity',
  access: staff,
  store: 'cell',
  summary: 'Get the state of all chains: checkpoints, witnesses, generations, verdicts and alarms',
  replies: {
    200: named('Integrity', {
      chains: Type.Array(ChainOverview),
      alarms: Type.Array(Alarm, { description: 'The newest 50' }),
    }),
  },
})

const CenterIntegrity = named('CenterIntegrity', {
  centerId: CenterId,
  name: Type.String(),
  domain: Type.String(),
  status: CenterStatusSchema,
  entries: Type.Integer({ minimum: 0, description: 'Over all chains' }),
  broken: Type.Array(named('BrokenChain', { domain: ChainDomain, brokenAt: Type.Integer({ minimum: 0 }) })),
  verifiedAt: nullable(Type.String({ ...DateTime, description: 'When the oldest of its last verdicts was made' })),
  reachable: Type.Boolean({ description: 'False while the cell of the center cannot be read' }),
})

export const getPartnerIntegrity = operation({
  ...consoleOperation,
  id: 'partner.getIntegrity',
  tag: 'Partners',
  method: 'GET',
  path: '/partner/integrity',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] },
  store: 'partner',
  summary: 'Get the integrity of the chains of all your centers, broken ones first, at most 1,000',
  replies: { 200: Type.Array(CenterIntegrity) },
})
