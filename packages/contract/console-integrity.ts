/** The integrity of a center's chains in one call. */
import { Type } from 'typebox'
import { CenterId, DateTime, described, named, nullable } from './common.ts'
import { consoleOperation, staff } from './console-inbox.ts'
import { CenterStatusSchema, ChainDomain, oneOf } from './enums.ts'
import { operation } from './operation.ts'
import { Anchoring, LogGeneration } from './transparency.ts'

const Count = Type.Integer({ minimum: 0 })
const Index = nullable(
  Type.Integer({ minimum: 0, description: 'The lowest index that was found broken. Null if none was.' }),
)

export const ChainCheck = named(
  'ChainCheck',
  {
    mode: oneOf(
      'CheckMode',
      ['chain', 'records'],
      'What was checked. `records` also compares stored values with their commitments.',
    ),
    scannedTo: described(Count, 'How many entries were checked.'),
    brokenAt: Index,
    reason: nullable(Type.String({ description: 'What failed, in a sentence. Null if nothing did.' })),
    verifiedAt: described(DateTime, 'When the check ended.'),
  },
  { description: "A verdict of the server's own verification." },
)

const ChainOverview = named(
  'ChainOverview',
  {
    domain: ChainDomain,
    log: Type.String({ description: "The log's name." }),
    length: described(Count, 'The number of entries in the chain.'),
    generation: Type.Integer({
      minimum: 1,
      description: 'Which log of this chain it is: 1 unless entries were declared lost.',
    }),
    headHash: nullable(Type.String({ description: 'The hash of the last entry. Null while the chain is empty.' })),
    sealedAt: nullable(described(DateTime, 'When the last entry was sealed. Null while the chain is empty.')),
    brokenAt: Index,
    checkpoint: nullable(
      named(
        'ShownCheckpoint',
        {
          size: described(Count, 'The number of entries that the checkpoint covers.'),
          root: Type.String({ description: 'The root of the tree in base64.' }),
          note: Type.String({ description: 'The signed checkpoint with its cosignatures.' }),
          anchoring: nullable(described(Anchoring, "How well the checkpoint is attested. Null if it isn't known.")),
        },
        { description: 'The newest checkpoint. Null while there is none.' },
      ),
    ),
    witnesses: Type.Array(
      named(
        'WitnessLag',
        {
          name: Type.String({ description: "The witness's name." }),
          size: nullable(
            Type.Integer({
              description: 'The size of the largest checkpoint that it cosigned. Null if there is none.',
            }),
          ),
          lag: Type.Integer({
            minimum: 0,
            description: "How many entries of the newest checkpoint it hasn't cosigned.",
          }),
        },
        { description: 'How far a witness has come.' },
      ),
      { description: 'How far each witness has come.' },
    ),
    generations: Type.Array(LogGeneration, { description: 'The declared losses of the chain.' }),
    checks: Type.Array(ChainCheck, { description: "The server's own verdicts, one for each mode." }),
  },
  { description: "One of the center's chains." },
)

const Alarm = named(
  'ChainAlarm',
  {
    at: described(DateTime, 'When it happened.'),
    action: oneOf('AlarmAction', ['found', 'cleared'], 'Whether a broken chain was found or its alarm was cleared.'),
    domain: Type.String({ description: 'The domain of the chain.' }),
    brokenAt: Index,
    reason: nullable(Type.String({ description: 'What failed, in a sentence. Null if nothing was recorded.' })),
  },
  { description: 'A broken chain that was found, or an alarm that was cleared.' },
)

export const getIntegrity = operation({
  ...consoleOperation,
  id: 'console.getIntegrity',
  method: 'GET',
  path: '/console/integrity',
  access: staff,
  store: 'cell',
  summary: 'Retrieve the integrity of all chains',
  description: "Returns the state of the center's chains: checkpoints, witnesses, generations, verdicts and alarms.",
  replies: {
    200: named(
      'Integrity',
      {
        chains: Type.Array(ChainOverview, { description: "The center's chains." }),
        alarms: Type.Array(Alarm, { description: 'The newest 50 alarms.' }),
      },
      { description: "The state of the center's chains, and the alarms about them." },
    ),
  },
})

const CenterIntegrity = named(
  'CenterIntegrity',
  {
    centerId: described(CenterId, 'The center that the figures are about.'),
    name: Type.String({ description: "The center's name." }),
    domain: Type.String({ description: "The center's subdomain." }),
    status: CenterStatusSchema,
    entries: Type.Integer({ minimum: 0, description: 'The number of entries in all chains.' }),
    broken: Type.Array(
      named(
        'BrokenChain',
        {
          domain: ChainDomain,
          brokenAt: Type.Integer({ minimum: 0, description: 'The lowest index that was found broken.' }),
        },
        { description: 'A chain that was found broken, and where.' },
      ),
      { description: 'The chains that were found broken.' },
    ),
    verifiedAt: nullable(
      Type.String({
        ...DateTime,
        description: 'When the oldest of the last verdicts was made. Null if there is none.',
      }),
    ),
    reachable: Type.Boolean({ description: "Whether the center's records can be read now." }),
  },
  { description: "The state of one center's chains." },
)

export const getPartnerIntegrity = operation({
  ...consoleOperation,
  id: 'partner.getIntegrity',
  tag: 'Partners',
  method: 'GET',
  path: '/partner/integrity',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] },
  store: 'partner',
  summary: 'Retrieve the integrity of your centers',
  description: 'Returns the state of the chains of all your centers, broken ones first, at most 1,000.',
  replies: { 200: Type.Array(CenterIntegrity) },
})
