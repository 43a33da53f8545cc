/** Test people, who approve in sandboxes and nowhere else. These operations aren't in the specification. */
import { Type } from 'typebox'
import { key } from './access.ts'
import { ActorId, described, named } from './common.ts'
import { ApprovalResult, ApproverRole, oneOf } from './enums.ts'
import { Approval } from './evidence.ts'
import { RecordId } from './ids.ts'
import { operation } from './operation.ts'

const byKey = { surface: 'proof', tag: 'Sandboxes' } as const

const TestPerson = named(
  'TestPerson',
  {
    id: described(ActorId, "The test person's actor ID."),
    name: Type.String({ description: "The test person's name.", examples: ['Test administrator 1'] }),
    role: described(ApproverRole, "The test person's role in the sandbox."),
    groups: Type.Array(Type.String({ description: "A group's name.", examples: ['Finance'] }), {
      description: 'The names of the groups that this test person is in.',
    }),
  },
  { description: 'A test person of a sandbox. Nobody can sign in as a test person.' },
)

export const listTestPeople = operation({
  ...byKey,
  id: 'testPeople.list',
  method: 'GET',
  path: '/v1/sandbox/people',
  access: key('proof:read'),
  store: 'cell',
  summary: 'List test people',
  description: "Returns the people who can approve in this sandbox through the API. Works only with a sandbox's key.",
  replies: { 200: Type.Array(TestPerson) },
  errors: ['FORBIDDEN'],
})

export const approveAsTestPerson = operation({
  ...byKey,
  id: 'testPeople.approve',
  method: 'POST',
  path: '/v1/sandbox/approvals',
  access: key('proof:approve'),
  store: 'sequenced',
  summary: 'Approve as a test person',
  description:
    "Approves or refuses a decision that waits in a sandbox, as a test person who is a signed-in member there. Without `personId`, it's the first test person who can fill a place now, so one call per place completes a line. With `level: passkey`, the test person signs with a key that the service made and bound in the sandbox's `history` chain. Everything else is judged as in any center: the approval can be refused because it isn't the person's turn, or because a policy asks for a higher level. Works only with a sandbox's key; with any other, the response is 403.",
  body: named(
    'TestApproval',
    {
      eventId: RecordId('The decision. Any of its IDs.'),
      result: ApprovalResult,
      level: described(
        oneOf('TestIdentity', ['session', 'passkey'], "How the test person's identity is established."),
        "How the test person's identity is established. `session`: as a signed-in member. `passkey`: with a signature too.",
      ),
      reason: Type.Optional(
        Type.String({ maxLength: 10_000, description: 'The reason, which is sealed.', examples: ['Checked in CI'] }),
      ),
      personId: Type.Optional(described(ActorId, 'The test person to approve as, from `GET /api/v1/sandbox/people`.')),
    },
    {
      description: 'The approval or refusal to give as a test person.',
      examples: [{ eventId: 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c', result: 'approved', level: 'session' }],
    },
  ),
  replies: { 200: Approval },
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})
