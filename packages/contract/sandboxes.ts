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
    "Creates a center for test data with `sandbox: true`, an ID of its own, this center's settings, and you as its ADMIN. Enter it with `POST /api/auth/switch-center` to create its API keys, which start with `csk_test_`. Every verdict on its records says that they are test data. It sends email only to you, and doesn't appear in search, in partners' figures or in public statistics. A center has one sandbox, and a sandbox can't have its own: 409 `CONFLICT`.",
  errors: ['CONFLICT'],
})

export const resetSandbox = operation({
  ...shared,
  id: 'sandboxes.reset',
  path: '/centers/{center}/sandbox/reset',
  summary: 'Reset a sandbox',
  description:
    "Closes the center's sandbox and creates a new one. The new sandbox is empty, with a new ID and with new keys, members and settings. The old one's keys stop working; its records can still be verified as test data. IDs and log names are never reused. Without a sandbox the reply is 404 `NOT_FOUND`.",
  errors: ['CONFLICT', 'NOT_FOUND'],
})
