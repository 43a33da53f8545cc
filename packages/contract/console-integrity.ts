/** The integrity of a center's chains in one call. */
import { Type } from 'typebox'
import { CenterId, DateTime, described, named, nullable } from './common.ts'
import { consoleOperation, staff } from './console-inbox.ts'
import { CenterStatusSchema, ChainDomain, oneOf } from './enums.ts'
import { operation } from './operation.ts'
import { Anchoring, LogGeneration } from './transparency.ts'

const Count = Type.Integer({ minimum: 0 })
const Index = nullable(
  Type.Integer({
    minimum: 0,
    description: "The lowest index at which the chain was found to be broken. Null if it wasn't.",
  }),
)

export const ChainCheck = named(
  'ChainCheck',
  {
    mode: oneOf(
      'CheckMode',
      ['chain', 'records'],
      'What was checked. `chain`: the hashes and links. `records`: also whether the stored values match their commitments.',
    ),
    scannedTo: described(Count, 'The number of entries that were checked.'),
    brokenAt: Index,
    reason: nullable(Type.String({ description: 'A sentence that says what failed. Null if nothing failed.' })),
    verifiedAt: described(DateTime, 'When the check ended.'),
  },
  { description: "The result of one of the server's own checks." },
)

const ChainOverview = named(
  'ChainOverview',
  {
    domain: ChainDomain,
    log: Type.String({ description: "The log's name." }),
    length: described(Count, 'The number of entries in the chain.'),
    generation: Type.Integer({
      minimum: 1,
      description: "The number of the chain's current log. It's 1 unless entries have been declared lost.",
    }),
    headHash: nullable(Type.String({ description: 'The hash of the last entry. Null if the chain is empty.' })),
    sealedAt: nullable(described(DateTime, 'When the last entry was sealed. Null if the chain is empty.')),
    brokenAt: Index,
    checkpoint: nullable(
      named(
        'ShownCheckpoint',
        {
          size: described(Count, 'The number of entries that the checkpoint covers.'),
          root: Type.String({ description: "The Merkle tree's root hash, in base64." }),
          note: Type.String({ description: 'The signed checkpoint with its cosignatures.' }),
          anchoring: nullable(described(Anchoring, 'How well the checkpoint is attested. Null if unknown.')),
        },
        { description: 'The newest checkpoint. Null if there is none yet.' },
      ),
    ),
    witnesses: Type.Array(
      named(
        'WitnessLag',
        {
          name: Type.String({ description: "The witness's name." }),
          size: nullable(
            Type.Integer({
              description:
                "The size of the largest checkpoint that the witness has cosigned. Null if it hasn't cosigned any.",
            }),
          ),
          lag: Type.Integer({
            minimum: 0,
            description: 'How many entries the witness is behind the newest checkpoint.',
          }),
        },
        { description: 'How far a witness is behind the newest checkpoint.' },
      ),
      { description: 'How far each witness is behind the newest checkpoint.' },
    ),
    generations: Type.Array(LogGeneration, {
      description: 'The losses declared for the chain.',
    }),
    checks: Type.Array(ChainCheck, { description: "The results of the server's own checks, one for each mode." }),
  },
  { description: "One of the center's chains." },
)

const Alarm = named(
  'ChainAlarm',
  {
    at: described(DateTime, 'When the broken chain was found or its alarm was cleared.'),
    action: oneOf('AlarmAction', ['found', 'cleared'], 'Whether a broken chain was found or its alarm was cleared.'),
    domain: Type.String({ description: "The chain's domain." }),
    brokenAt: Index,
    reason: nullable(Type.String({ description: 'A sentence that says what failed. Null if nothing was recorded.' })),
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
  summary: 'Retrieve the integrity status of all chains',
  description:
    "Returns the state of the center's chains: their checkpoints, witnesses and declared losses, the results of the server's own checks, and alarms.",
  replies: {
    200: named(
      'Integrity',
      {
        chains: Type.Array(ChainOverview, { description: "The center's chains." }),
        alarms: Type.Array(Alarm, { description: 'The 50 newest alarms.' }),
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
    entries: Type.Integer({ minimum: 0, description: "The total number of entries in the center's chains." }),
    broken: Type.Array(
      named(
        'BrokenChain',
        {
          domain: ChainDomain,
          brokenAt: Type.Integer({
            minimum: 0,
            description: 'The lowest index at which the chain was found to be broken.',
          }),
        },
        { description: 'A chain that was found to be broken, and where.' },
      ),
      { description: 'The chains that were found to be broken.' },
    ),
    verifiedAt: nullable(
      Type.String({
        ...DateTime,
        description: 'When the least recently checked chain was last checked. Null if no chain has been checked yet.',
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
  summary: "Retrieve your centers' integrity status",
  description:
    "Returns the state of your centers' chains, for up to 1,000 centers. Centers with broken chains come first.",
  replies: { 200: Type.Array(CenterIntegrity) },
})
