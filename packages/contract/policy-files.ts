/** A center's policies and action types as one file, for a repository and for review. These operations aren't in the specification. */
import { type Static, type TSchema, Type } from 'typebox'
import { key, member } from './access.ts'
import { ActionTypeFields } from './action-types.ts'
import { NewAgentDecision } from './agents.ts'
import { closed, described, named, nullable } from './common.ts'
import { oneOf, RequiredIdentity } from './enums.ts'
import { PendingDecision } from './governance.ts'
import { definition } from './operation.ts'
import { policyFields } from './policy-body.ts'
import { CheckOutcome } from './policy-check.ts'

/** As many policies as a center may have in force, and as many action types as it may ever have. */
const mostPolicies = 100
const mostActionTypes = 300
const mostTests = 200

const GroupName = Type.String({
  minLength: 1,
  maxLength: 60,
  description: "A group's name or ID.",
  examples: ['Finance'],
})

/** The same schema with groups by name; only what has groups somewhere in it is another schema, with a name of its own. */
function byGroupName<T extends TSchema>(schema: T): T {
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema }
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as Record<string, unknown>
  if (items) {
    const inner = byGroupName(items)
    if (inner === items) return schema
    return Object.assign(copy, { items: inner }) as unknown as T
  }
  if (!properties) return schema
  const changed = Object.entries(properties).map(([name, each]) => [
    name,
    name === 'groupIds'
      ? Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(each)), {
          items: GroupName,
          description: "The center's groups whose members are meant, by name or ID.",
        })
      : byGroupName(each),
  ])
  if (changed.every(([name, each]) => properties[name as string] === each)) return schema
  const { title } = schema as { title?: string }
  return Object.assign(copy, {
    properties: Object.fromEntries(changed),
    ...(title && { title: `Filed${title}` }),
  }) as unknown as T
}

const { approval, ...otherFields } = policyFields
const FiledPolicy = named(
  'FiledPolicy',
  { ...otherFields, approval: byGroupName(approval) },
  { description: 'A policy in a file. Its name identifies it.' },
)
export type FiledPolicy = Static<typeof FiledPolicy>

const FiledActionType = named('FiledActionType', ActionTypeFields, {
  description: "An action type's template in a file. Its type identifies it.",
})
export type FiledActionType = Static<typeof FiledActionType>

const ExpectedStep = named(
  'ExpectedStep',
  {
    title: Type.Optional(Type.String({ maxLength: 40, description: "The step's title.", examples: ['Director'] })),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 9,
        description: 'How many different people must approve at this step.',
        examples: [1],
      }),
    ),
    identity: Type.Optional(RequiredIdentity),
  },
  { description: 'A step as a test expects it. What it leaves out is not compared.' },
)

const ExpectedLine = named(
  'ExpectedLine',
  {
    policy: Type.Optional(
      Type.String({ maxLength: 200, description: 'The name of the policy that asks.', examples: ['Large refunds'] }),
    ),
    steps: Type.Array(ExpectedStep, { maxItems: 9, description: 'The steps, in order. Their number is compared too.' }),
  },
  { description: 'An approval line as a test expects it.' },
)

const PolicyTest = named(
  'PolicyTest',
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What the test shows.',
      examples: ['A refund of 500,000 goes to Finance, then to the director'],
    }),
    decision: described(NewAgentDecision, 'The decision, as for `POST /api/v1/agents/decide`.'),
    expect: named(
      'PolicyExpectation',
      {
        outcome: Type.Optional(CheckOutcome),
        policies: Type.Optional(
          Type.Array(Type.String({ maxLength: 200, examples: ['Large refunds'], description: "A policy's name." }), {
            maxItems: 100,
            description: 'The names of all policies that match, in any order.',
          }),
        ),
        approvals: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 9,
            description: 'How many people must approve at least; 0 for none.',
            examples: [2],
          }),
        ),
        identity: Type.Optional(RequiredIdentity),
        lines: Type.Optional(
          Type.Array(ExpectedLine, { maxItems: 100, description: 'The approval lines, in any order.' }),
        ),
      },
      { minProperties: 1, description: 'What the policies must say. What it leaves out is not compared.' },
    ),
  },
  { description: 'A decision, and what the policies of the file must say about it.' },
)
export type PolicyTest = Static<typeof PolicyTest>

export const PolicyFile = named(
  'PolicyFile',
  {
    version: Type.Integer({ minimum: 1, maximum: 1, description: 'The version of this format.', examples: [1] }),
    policies: Type.Array(FiledPolicy, {
      maxItems: mostPolicies,
      description: "All policies of the center's own, each under its own name. A policy that isn't here is deleted.",
    }),
    actionTypes: Type.Optional(
      Type.Array(FiledActionType, {
        maxItems: mostActionTypes,
        description:
          "All action types that the center has a template for. One that isn't here is deleted. Without this member, action types stay as they are.",
      }),
    ),
    tests: Type.Optional(
      Type.Array(PolicyTest, {
        maxItems: mostTests,
        description: 'Decisions and what the policies of this file must say about them. If one fails, nothing changes.',
      }),
    ),
  },
  {
    description: "A center's policies and action types as a file.",
    examples: [
      {
        version: 1,
        policies: [
          {
            name: 'Large refunds',
            match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 100000 }] },
            guards: { humanReview: true },
            approval: {
              steps: [
                { title: 'Finance', groupIds: ['Finance'] },
                { title: 'Director', roles: ['ADMIN'] },
              ],
            },
          },
        ],
        tests: [
          {
            name: 'A refund of 500,000 goes to Finance, then to the director',
            decision: {
              agent: { id: 'refunds' },
              action: { type: 'refund.pay', description: 'Refund', input: { amount: 500000 } },
            },
            expect: {
              outcome: 'approval_required',
              lines: [{ policy: 'Large refunds', steps: [{ title: 'Finance' }, { title: 'Director' }] }],
            },
          },
        ],
      },
    ],
  },
)
export type PolicyFile = Static<typeof PolicyFile>

const Revision = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  description:
    'Identifies the state of the policies, action types and groups. It changes with every change to one of them.',
  examples: ['sha256:9f2c8f0e6d1b7a4c3e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5'],
})

const FileChange = named(
  'PolicyFileChange',
  {
    kind: oneOf('PolicyFileKind', ['policy', 'actionType'], 'What changes.'),
    change: oneOf('PolicyFileEffect', ['created', 'changed', 'ended'], 'How it changes.'),
    name: Type.String({ description: "The policy's name, or the action type." }),
    id: nullable(Type.String({ description: "The policy's ID. Null for a new policy and for an action type." })),
    before: nullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The members that differ, as they are. Null for something new.',
      }),
    ),
    after: nullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The members that differ, as they will be. Null for something that ends.',
      }),
    ),
  },
  { description: 'One thing that an import changes.' },
)
export type FileChange = Static<typeof FileChange>

const TestResult = named(
  'PolicyTestResult',
  {
    name: Type.String({ description: "The test's name." }),
    passed: Type.Boolean({ description: 'Whether the policies say what the test expects.' }),
    differences: Type.Array(
      named(
        'PolicyTestDifference',
        {
          path: Type.String({ description: 'Where the result differs from `expect`, as a JSON Pointer.' }),
          expected: Type.Unknown({ description: 'What the test expects.' }),
          actual: Type.Unknown({ description: 'What the policies say.' }),
        },
        { description: 'One difference.' },
      ),
      { description: 'What differs. Empty if the test passed.' },
    ),
  },
  { description: 'The result of a test in a file.' },
)
export type TestResult = Static<typeof TestResult>

const PolicyImport = named(
  'PolicyImport',
  {
    dryRun: Type.Boolean({ description: 'Whether nothing was changed.' }),
    revision: described(
      Revision,
      'The state that `changes` was computed from. After an import that took effect, the state since then.',
    ),
    changes: Type.Array(FileChange, {
      description: 'What changed, or would change. Empty if the file says what is already in force.',
    }),
    loosens: Type.Array(Type.String({ description: "A policy's name." }), {
      description:
        'The policies in force that the import would loosen. If there are any, people must approve the import as a whole.',
    }),
    pending: nullable(
      described(PendingDecision, 'The decision that the import waits for. Null if it does not wait for one.'),
    ),
    tests: Type.Array(TestResult, { description: 'The results of the tests in the file.' }),
  },
  { description: 'What an import changed, or would change.' },
)

const shared = { tag: 'Policies', rate: 'management' } as const
const mounts = [{ access: key('policies:write') }, { access: member('ADMIN') }] as const

export const exportPolicies = definition({
  ...shared,
  id: 'policies.export',
  mounts,
  method: 'GET',
  path: '/policies/export',
  store: 'none',
  summary: 'Export policies as a file',
  description:
    "Returns the center's own policies and action types as a file that `PUT /api/policies/import` accepts. Groups are named. Policies shared by the operator, and those that a franchise's partner sets, are left out. The file's JSON schema is at `/docs/formats/policies-v1.schema.json`.",
  replies: {
    200: named(
      'PolicyExport',
      {
        revision: Revision,
        file: described(PolicyFile, 'What `PUT /api/policies/import` accepts.'),
        yaml: Type.String({ description: 'The same file as YAML, with its revision in a comment.' }),
      },
      { description: "A center's policies and action types as a file." },
    ),
  },
})

export const importPolicies = definition({
  ...shared,
  id: 'policies.import',
  mounts,
  stepUp: { within: 'rules' },
  method: 'PUT',
  path: '/policies/import',
  store: 'sequenced',
  yaml: true,
  summary: 'Import policies from a file',
  description:
    "Makes the center's own policies, and its action types if the file has them, what the file says: creates, changes and deletes by name, all or nothing. The body is JSON, or YAML with the content type `application/yaml`. With `dryRun=true`, nothing changes, and the response says what would. With `revision`, from an export or a dry run, the import is refused with 409 if anything has changed since then; `details` then has the current `revision` and the `changes` that the file would make now. If the import would let through decisions that now wait for approval or are refused, the response is 202: all of it waits as one decision, and takes effect with the last approval. If a test in the file fails, nothing changes, and the response is 400 with `details.tests`. If an API key imports, the person who created the key can't approve.",
  query: Type.Object({
    dryRun: Type.Optional(
      oneOf('DryRunFlag', ['true', 'false'], '`true` to change nothing and only say what would change.'),
    ),
    revision: Type.Optional(described(Revision, 'Refuse the import if the policies have changed since this revision.')),
  }),
  body: PolicyFile,
  replies: { 200: PolicyImport, 202: PolicyImport },
  errors: ['FORBIDDEN', 'CONFLICT', 'CHAIN_BROKEN'],
})

/** The schema of the file on its own, as editors and other programs use it. */
export const policyFileSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Countersign policies',
  ...(JSON.parse(JSON.stringify(PolicyFile)) as Record<string, unknown>),
  ...closed,
}
