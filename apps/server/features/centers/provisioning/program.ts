/** A program is a tenant that only the operator creates. It has no subscription, and therefore no seat limit. */
import type { Vertical } from '@countersign/contract/enums.ts'
import { subdomainPattern } from '@countersign/contract/provisioning.ts'
import type { Config } from '../../../config/config.ts'
import type { OperatorTx } from '../../../data/directory.ts'
import { badSubdomain } from '../../../http/validation.ts'
import { Problem } from '../../../lib/problem.ts'
import { emailIdentifier, personOfLogin } from '../../identity/auth/api.ts'
import { type InvitationNeeds, inviteByMail } from '../../identity/members/api.ts'
import { addActiveAdministrator, foundCenter } from './founding.ts'

interface ProgramNeeds extends InvitationNeeds {
  readonly config: Pick<Config, 'cells' | 'publicUrl' | 'perCenter'>
}

export interface NewProgram {
  readonly name: string
  readonly subdomain: string
  readonly vertical: Vertical
  readonly adminEmail: string
  readonly locale?: string
}

/** A person with an account administers it at once; another person is invited, and does so after accepting. */
export async function createProgram(
  needs: ProgramNeeds,
  tx: OperatorTx,
  { adminEmail, ...program }: NewProgram,
): Promise<{ centerId: number; invited: boolean }> {
  if (!new RegExp(subdomainPattern).test(program.subdomain)) {
    throw new Problem('INVALID_SUBDOMAIN', badSubdomain)
  }
  const known = await personOfLogin(tx, emailIdentifier(adminEmail))
  const centerId = await foundCenter(needs.config, tx, { ...program, tenantType: 'PROGRAM', planId: null }, (own) =>
    known
      ? addActiveAdministrator(own, known)
      : inviteByMail(needs, own, {
          email: adminEmail,
          roles: ['ADMIN'],
          approved: true,
          centerName: program.name,
          inviter: 'Countersign',
        }),
  )
  return { centerId, invited: known === null }
}
