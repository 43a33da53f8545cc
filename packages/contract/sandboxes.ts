/** Sandboxes: a center to try things out in, beside the center that it belongs to. */
import { Membership } from './auth.ts'
import { Center, CenterParam } from './centers.ts'
import { CenterId, named } from './common.ts'
import { operation } from './operation.ts'

const Sandbox = named('Sandbox', {
  sandboxOf: CenterId,
  center: Center,
  membership: Membership,
})

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
  summary: 'Create the sandbox of a center',
  description:
    'A center with `sandbox: true`, an own id, the settings of this center, and the caller as ADMIN. Enter it with `POST /api/auth/switch-center` to create its API keys, which begin with `csk_test_`. Every verdict on its records says that they are test data. It sends mail to the caller only, and is absent from search, from the figures of partners and from the public statistics. A center has one sandbox, and a sandbox has none: 409 `CONFLICT`.',
  errors: ['CONFLICT'],
})

export const resetSandbox = operation({
  ...shared,
  id: 'sandboxes.reset',
  path: '/centers/{center}/sandbox/reset',
  summary: 'Close the sandbox of a center and create a new one',
  description:
    'The new sandbox is empty and has a new id; its keys, members and settings are new too. The old one ends: its keys are refused, and its records stay verifiable as test data. Ids and names of logs are never used again. Without a sandbox: 404 `NOT_FOUND`.',
  errors: ['CONFLICT', 'NOT_FOUND'],
})
