/** Who is asked to confirm a passkey, and who is told that it was confirmed: another ADMIN, else the partner, else the operator. */
import { approverRoles } from '@countersign/contract/enums.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import type { Config } from '../../../config/config.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import type { Mail } from '../../../mail/mail.ts'
import { type Around, aroundMember, noteCounting } from './confirmer-queries.ts'
import type { PasskeyRow } from './signed.ts'

export interface TellNeeds {
  readonly config: Pick<Config, 'publicUrl'>
  readonly mail: Pick<Mail, 'canSend' | 'queue'>
}

export const mayApproveAs = (role: string | null): boolean => approverRoles.some((each) => each === role)

const mostNamed = 10
const known = (emails: readonly (string | null)[]): readonly string[] => [
  ...new Set(emails.filter((email) => email !== null)),
]

/** A center's ADMINs confirm each other, also where the role of the other one is new. */
export function confirmersAmong({ admins, partner, operators, domain }: Around) {
  if (admins.length > 0) {
    const names = admins.slice(0, mostNamed).map(({ name }) => name)
    return {
      by: 'admin',
      names,
      addresses: known(admins.map(({ email }) => email)),
      path: `/c/${domain}/members`,
    } as const
  }
  if (partner)
    return { by: 'partner', names: [partner.name], addresses: known(partner.emails), path: '/p/passkeys' } as const
  return { by: 'operator', names: [], addresses: known(operators), path: '/operator/passkeys' } as const
}

/** In the transaction that notes the binding. The number is not in the mail: the member tells it in person. */
export async function tellWaiting(
  { config, mail }: TellNeeds,
  tx: IdentityTx,
  centerId: number,
  actorId: string,
): Promise<void> {
  if (!mail.canSend || isSandboxCenter(centerId)) return
  const around = await aroundMember(tx, centerId, actorId)
  if (!around || !mayApproveAs(around.role)) return
  const { by, addresses, path } = confirmersAmong(around)
  const url = `${config.publicUrl}${path}${by === 'admin' ? '?show=passkeys' : ''}`
  const facts = { centerName: around.center, name: around.name, url }
  for (const to of addresses) await mail.queue(tx, { to, centerId, mail: 'passkeyWaits', facts })
}

/** After the seal: the directory learns it, and the member and the ADMINs are told, once. */
export async function noteConfirmed(
  { config, mail }: TellNeeds,
  tx: IdentityTx,
  centerId: number,
  { id, actor_id: actorId, counts }: PasskeyRow,
  /** Null: the operator. */
  confirmer: string | null,
): Promise<void> {
  if (!counts) return
  const isNews = (await noteCounting(tx, [{ center_id: centerId, id }])).has(id)
  if (!isNews || !mail.canSend || isSandboxCenter(centerId)) return
  const around = await aroundMember(tx, centerId, actorId)
  if (!around) return
  const facts = {
    ...{ centerName: around.center, name: around.name, confirmer },
    url: `${config.publicUrl}/c/${around.domain}/members`,
  }
  for (const to of known([around.email, ...around.admins.map(({ email }) => email)]))
    await mail.queue(tx, { to, centerId, mail: 'passkeyConfirmed', facts })
}
