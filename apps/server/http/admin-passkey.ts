/** A center that asks its ADMINs for passkeys: a session of theirs must have shown one that counts in it. */
import type { Access, OperationSpec } from '@countersign/contract/operation.ts'
import type { Authenticator } from '../access/authenticate.ts'
import type { CenterProfiles } from '../access/center-profiles.ts'
import type { ActorPrincipal, Principal } from '../access/principal.ts'
import { passkeyNeeded } from '../lib/problem.ts'

interface Needs {
  readonly authenticate: Pick<Authenticator, 'proofs'>
  readonly centers: CenterProfiles
}

/**
 * The center that asks this caller; null where none does. An operation that needs no center is about the person and stays open:
 * they sign in, register a passkey and leave by such operations.
 */
export async function centerThatAsks(
  { centers }: Pick<Needs, 'centers'>,
  access: Access,
  { entered }: ActorPrincipal,
): Promise<number | null> {
  if (access.kind !== 'actor' || (access.center !== 'required' && access.center !== 'addressed')) return null
  if (entered?.status !== 'ACTIVE' || entered.role !== 'ADMIN') return null
  const { adminPasskeys } = await centers.profile(entered.centerId)
  return adminPasskeys ? entered.centerId : null
}

/** After the caller's rights are known. */
export async function requireAdminPasskey(
  needs: Needs,
  { access, evenWithoutPasskey }: Pick<OperationSpec, 'access' | 'evenWithoutPasskey'>,
  principal: Principal,
): Promise<void> {
  if (principal.kind !== 'actor' || evenWithoutPasskey) return
  const center = await centerThatAsks(needs, access, principal)
  if (center === null || principal.proofs.passkeyCountsIn.includes(center)) return
  if ((await needs.authenticate.proofs(principal)).passkeyCountsIn.includes(center)) return
  throw passkeyNeeded('This center asks its administrators for a passkey that is confirmed in it.')
}
