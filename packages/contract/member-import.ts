/** People from a table or a list of addresses, invited in one request. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { described, named, nullable } from './common.ts'
import {
  ActorRoleSchema,
  ActorRoles,
  type ImportEffect,
  ImportEffectSchema,
  ImportReasonSchema,
  importEffects,
} from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

export const maxImportRows = 100
export const maxGuardians = 4

const Cell = Type.String({ maxLength: 500 })
const Row = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'The number of the row in your file. The response repeats it.',
  examples: [2],
})

const ImportRow = named(
  'ImportRow',
  {
    row: Row,
    name: Type.Optional(
      described(Cell, "The person's name. Without one, the part of the email address before the @ is used.", 'Ian Han'),
    ),
    email: Type.Optional(
      described(Cell, 'The address to invite. Only a child can be without one.', 'ian@haneul.example'),
    ),
    roles: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 10,
        description:
          "The person's roles, by their names in this API. Someone who is already a member doesn't need any.",
        examples: [['INSTRUCTOR']],
      }),
    ),
    guardians: Type.Optional(
      Type.Array(Cell, {
        maxItems: 20,
        description: `The email addresses of a child's guardians, at most ${maxGuardians}.`,
        examples: [['parent@haneul.example']],
      }),
    ),
  },
  { description: 'A person to invite or a child to add. A row that is wrong is refused on its own.' },
)

const ImportResult = named(
  'ImportResult',
  {
    row: Type.Integer({ description: 'The number of the row.' }),
    effect: ImportEffectSchema,
    reason: nullable(ImportReasonSchema),
    duplicateOf: nullable(
      Type.Integer({ description: 'The earlier row with the same person. Null unless the reason is `duplicate`.' }),
    ),
    name: nullable(
      Type.String({ description: "The name that you sent, without spaces around it. Null if there's none." }),
    ),
    email: nullable(Type.String({ description: "The address that you sent, in lowercase. Null if there's none." })),
    roles: Type.Array(ActorRoleSchema, { description: 'The roles that you sent, the highest first.' }),
    formerName: nullable(Type.String({ description: 'The name that the row replaces. Null if it replaces none.' })),
    sameName: Type.Boolean({
      description: 'Whether the center has another child of this name, who has other guardians.',
    }),
    guardiansInvited: Type.Integer({ description: 'How many guardians the row invites.' }),
    membershipId: nullable(TypedId('membership', "The membership's ID. Null in a dry run, and if the row is refused.")),
  },
  { description: 'What the import does, or did, with a row.' },
)

export const importMembers = operation({
  surface: 'platform',
  tag: 'Members',
  store: 'directory',
  id: 'members.import',
  stepUp: { within: 'keys', when: { members: ['roles'], among: ['ADMIN'] } },
  method: 'POST',
  path: '/centers/{center}/members/import',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN'] },
  summary: 'Import members and children',
  description: `Invites up to ${maxImportRows} people at once, adds children without an email address, and invites their guardians. Each row is judged on its own: one that's wrong is refused with a reason and changes nothing, and the others are carried out. Rows of one request are carried out together, or none of them if the request fails. With \`dryRun\`, the response says what would happen, and nothing does: nobody gets an email. The same rows again change nothing: whoever is a member already, or has an invitation that's still valid with the same name and roles, gets no second email. Roles of members aren't changed, and ended memberships don't start again. The rows can only give roles that are in \`roles\`. A guardian gets one email, however many children they have in it. The number of invitations that a center can send per day is limited.`,
  params: CenterParam,
  body: named(
    'MemberImport',
    {
      dryRun: Type.Boolean({ description: 'Whether to only say what would happen.' }),
      roles: described(
        ActorRoles,
        'The roles that the rows can give. ADMIN requires a recent confirmation of your identity.',
        ['INSTRUCTOR', 'PARENT', 'CHILD'],
      ),
      approved: Type.Optional(
        Type.Boolean({ description: 'Whether memberships become ACTIVE without another approval.' }),
      ),
      rows: Type.Array(ImportRow, {
        minItems: 1,
        maxItems: maxImportRows,
        description: 'The rows, in the order of the file.',
      }),
    },
    {
      description: 'The people to import.',
      examples: [
        {
          dryRun: true,
          roles: ['INSTRUCTOR', 'CHILD'],
          rows: [
            { row: 2, name: 'Ian Han', email: 'ian@haneul.example', roles: ['INSTRUCTOR'] },
            { row: 3, name: 'Lee Mina', roles: ['CHILD'], guardians: ['parent@haneul.example'] },
          ],
        },
      ],
    },
  ),
  replies: {
    200: named(
      'ImportReport',
      {
        dryRun: Type.Boolean({ description: 'Whether nothing was changed.' }),
        counts: named(
          'ImportCounts',
          Object.fromEntries(
            importEffects.map((effect) => [
              effect,
              Type.Integer({ description: `The number of rows that are \`${effect}\`.` }),
            ]),
          ) as Record<ImportEffect, ReturnType<typeof Type.Integer>>,
          { description: 'The number of rows with each effect.' },
        ),
        emails: Type.Integer({ description: 'How many people get an email.' }),
        results: Type.Array(ImportResult, { description: 'What happens with each row, in the order of the request.' }),
      },
      { description: 'What the import does, or did.' },
    ),
  },
  errors: [],
})
