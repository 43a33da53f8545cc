/** Commands by which the operator confirms what nobody in a center can. */
import type { IdentityTx, OperatorTx } from '../data/directory.ts'
import { requireCenter } from '../features/centers/centers/api.ts'
import { actorOfLogin, loginIdentifier } from '../features/identity/auth/api.ts'
import { confirmAsOperator } from '../features/identity/eligibility/api.ts'
import { confirmSoleAdmin } from '../features/identity/passkeys/api.ts'
import { Problem } from '../lib/problem.ts'
import type { Shell } from './shell.ts'

export async function requireAccount(tx: IdentityTx | OperatorTx, login: string): Promise<string> {
  const actorId = await actorOfLogin(tx, loginIdentifier(login.startsWith('+') ? { phone: login } : { email: login }))
  if (actorId) return actorId
  throw new Problem(
    'NOT_FOUND',
    `There's no account for "${login}". Check the spelling; a new person gets an account by accepting an invitation.`,
  )
}

export async function confirmPasskeyCommand(
  { services, caller, asOperator }: Shell,
  name = '',
  login = '',
  id = '',
): Promise<string> {
  const center = await asOperator((tx) => requireCenter(tx, name))
  const actorId = await asOperator((tx) => requireAccount(tx, login))
  await services.passkeyOutbox.deliver()
  const by = { ...caller, centerId: center.id }
  const { thumbprint } = await confirmSoleAdmin(services, by, { actorId, id }, { how: 'operator' })
  return `${login}'s passkey ${id} (thumbprint ${thumbprint}) now counts in ${center.name}; the center's log says that the operator confirmed it.`
}

export async function confirmMemberCommand(
  { services, caller, asOperator }: Shell,
  name = '',
  login = '',
): Promise<string> {
  const center = await asOperator((tx) => requireCenter(tx, name))
  const actorId = await asOperator((tx) => requireAccount(tx, login))
  const { role, standings } = await confirmAsOperator(services, { ...caller, centerId: center.id }, actorId)
  const roles = standings?.map((each) => each.role).join(' and ') ?? role
  return `${login}'s role ${roles} now counts in ${center.name}; the center's log says that the operator confirmed it.`
}
