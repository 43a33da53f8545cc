/** Sandboxes: separate centers for test data, which belong to another center. These operations aren't in the specification. */
import { Type } from 'typebox'
import { key, memberOf } from './access.ts'
import { Membership } from './auth.ts'
import { Center, CenterParam } from './centers.ts'
import { CenterDomain, CenterId, DateTime, described, named, PlainName } from './common.ts'
import { ScopeSchema } from './enums.ts'
import { definition, operation } from './operation.ts'

/** Each has two logs, its own people and its own keys. */
export const mostSandboxes = 10

const Sandbox = named(
  'Sandbox',
  {
    sandboxOf: described(CenterId, 'The center that the sandbox belongs to.'),
    center: described(Center, 'The sandbox itself.'),
    membership: Membership,
  },
  { description: 'A sandbox with your membership in it.' },
)

const shared = {
  surface: 'platform',
  method: 'POST',
  tag: 'Centers',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN'] },
  store: 'directory',
  params: CenterParam,
  replies: { 201: Sandbox },
} as const

export const createSandbox = operation({
  ...shared,
  id: 'sandboxes.create',
  path: '/centers/{center}/sandbox',
  summary: 'Create a sandbox',
  description:
    "Creates a center for test data. The sandbox has `sandbox: true`, its own ID, this center's settings, policies, action types and groups, and you as its ADMIN. To create its API keys, which start with `csk_test_`, enter it with `POST /api/auth/switch-center`. Every verification result for its records says that they're test data. It sends email only to you, and doesn't appear in search, partners' figures or public statistics. If the center already has a sandbox, the response is 409 `CONFLICT` with the sandbox's ID in `details.sandboxId`; to create more, use `POST /api/centers/{center}/sandboxes`. A sandbox can't have its own.",
  errors: ['CONFLICT'],
})

export const resetSandbox = operation({
  ...shared,
  id: 'sandboxes.reset',
  path: '/centers/{center}/sandbox/reset',
  summary: 'Reset a sandbox',
  description:
    "Closes the center's first sandbox and creates a new one under the same name. The new sandbox has a new ID and starts without the old one's data, keys and members. The old sandbox's keys stop working; its records can still be verified as test data. IDs and log names are never reused. If the center has no sandbox, the response is 404 `NOT_FOUND`.",
  errors: ['CONFLICT', 'NOT_FOUND'],
})

const name = Type.String({
  ...PlainName,
  maxLength: 60,
  description: "The sandbox's name, on a single line. Two sandboxes of a center can't have the same name.",
  examples: ['CI 1'],
})

const NamedSandbox = named(
  'NamedSandbox',
  {
    id: described(CenterId, "The sandbox's own center ID.", 1000000000),
    sandboxOf: described(CenterId, 'The center that the sandbox belongs to.'),
    name: Type.String({ description: "The sandbox's name." }),
    domain: described(CenterDomain, "The sandbox's subdomain."),
    first: Type.Boolean({
      description: 'Whether `POST /api/centers/{center}/sandbox/reset` means this sandbox.',
    }),
    createdAt: described(DateTime, 'When the sandbox was created.'),
    refreshedAt: described(DateTime, "When the center's policies, action types, groups and settings were last copied."),
  },
  { description: 'A sandbox of the center.' },
)

const SandboxKey = named(
  'SandboxKey',
  {
    key: Type.String({
      description: "The API key, which works only in this sandbox. It's shown only in this response.",
      examples: ['csk_test_9fK2…'],
    }),
    scopes: Type.Array(ScopeSchema, { description: 'What the key can do in the sandbox.' }),
  },
  { description: "The sandbox's first API key." },
)

const manage = {
  tag: 'Sandboxes',
  rate: 'management',
  mounts: [{ access: key('sandboxes:write') }, { access: memberOf('ADMIN'), params: CenterParam }],
} as const

const SandboxId = described(CenterId, 'The center ID of one of the sandboxes that the list has.', 1000000000)
const manageOne = {
  ...manage,
  mounts: [
    { access: key('sandboxes:write'), params: Type.Object({ sandboxId: SandboxId }) },
    { access: memberOf('ADMIN'), params: Type.Object({ ...CenterParam.properties, sandboxId: SandboxId }) },
  ],
} as const

export const listSandboxes = definition({
  ...manage,
  id: 'sandboxes.list',
  method: 'GET',
  path: '/sandboxes',
  store: 'directory',
  summary: 'List sandboxes',
  description: `Returns the center's sandboxes that haven't ended, up to ${mostSandboxes}, the first one first.`,
  replies: { 200: Type.Array(NamedSandbox) },
})

export const addSandbox = definition({
  ...manage,
  id: 'sandboxes.add',
  method: 'POST',
  path: '/sandboxes',
  store: 'directory',
  showsSecret: true,
  summary: 'Create a named sandbox',
  description: `Creates a center for test data, with the center's policies, action types, groups and settings, and an API key that works only there. Decisions wait there as they would in the center. Test people approve them with \`POST /api/v1/sandbox/approvals\`: one for each person whom the center's policies and groups name, and enough others for every place of a line. The ADMIN who creates the sandbox, or who created the key that does, can also enter it and approve. A center has at most ${mostSandboxes} sandboxes (409), and creates at most 200 in 24 hours (429). A sandbox can't have its own.`,
  body: named(
    'NewSandbox',
    {
      name,
      scopes: Type.Optional(
        Type.Array(ScopeSchema, {
          minItems: 1,
          maxItems: 8,
          uniqueItems: true,
          description:
            "What the sandbox's key can do. By default everything except `decide`, which needs a bound key, and `sandboxes:write`.",
          examples: [['proof:write', 'proof:approve']],
        }),
      ),
    },
    { description: 'The sandbox to create.', examples: [{ name: 'CI 1' }] },
  ),
  replies: {
    201: named(
      'NewNamedSandbox',
      { ...NamedSandbox.properties, key: SandboxKey },
      { description: 'A new sandbox, with an API key for it.' },
    ),
  },
  errors: ['CONFLICT'],
  also: { 422: 'VALIDATION_ERROR' },
})

export const refreshSandbox = definition({
  ...manageOne,
  id: 'sandboxes.refresh',
  method: 'POST',
  path: '/sandboxes/{sandboxId}/refresh',
  store: 'none',
  summary: 'Refresh a sandbox',
  description:
    "Copies the center's policies, action types, groups and settings to the sandbox again, in one step. What was changed or added in the sandbox itself ends. Records, keys and webhooks of the sandbox stay. Decisions that wait there keep the line they wait for.",
  replies: { 200: NamedSandbox },
  errors: ['CONFLICT', 'CHAIN_BROKEN'],
})

export const endSandbox = definition({
  ...manageOne,
  id: 'sandboxes.end',
  method: 'DELETE',
  path: '/sandboxes/{sandboxId}',
  store: 'directory',
  summary: 'End a sandbox',
  description:
    'Closes the sandbox. Its keys stop working within a second, its webhooks get nothing more, and its place and name are free. Its records can still be verified as test data. IDs and log names are never reused.',
  replies: { 204: null },
  errors: ['CONFLICT'],
})
