/** Sandboxes: a separate center for test data, which belongs to another center. */
import { Membership } from './auth.ts'
import { Center, CenterParam } from './centers.ts'
import { CenterId, described, named } from './common.ts'
import { operation } from './operation.ts'

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
    "Creates a center for test data. The sandbox has `sandbox: true`, its own ID, this center's settings, and you as its ADMIN. To create its API keys, which start with `csk_test_`, enter it with `POST /api/auth/switch-center`. Every verification result for its records says that they're test data. It sends email only to you, and doesn't appear in search, partners' figures or public statistics. A center can have only one sandbox, and a sandbox can't have its own; otherwise, the response is 409 `CONFLICT`.",
  errors: ['CONFLICT'],
})

export const resetSandbox = operation({
  ...shared,
  id: 'sandboxes.reset',
  path: '/centers/{center}/sandbox/reset',
  summary: 'Reset a sandbox',
  description:
    "Closes the center's sandbox and creates a new one. The new sandbox has a new ID and starts without the old one's data, keys, members and settings. The old sandbox's keys stop working; its records can still be verified as test data. IDs and log names are never reused. If the center has no sandbox, the response is 404 `NOT_FOUND`.",
  errors: ['CONFLICT', 'NOT_FOUND'],
})
