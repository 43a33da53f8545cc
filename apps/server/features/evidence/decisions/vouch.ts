/** What is known of a member who approves, read before the batch opens: no item of a batch waits for the directory. */
import type { MemberPrincipal } from '../../../access/principal.ts'
import { familyOf } from '../../../access/queries.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import type { MemberVoucher } from '../../../governance/approvals.ts'
import { now } from '../../../lib/clock.ts'
import { type NamedPasskey, namedPasskey } from '../../identity/passkeys/api.ts'
import { findChallenge } from '../decision-events/api.ts'
import { approvingMembers, openedAt } from './queries.ts'
import { deputiesNow } from './waiting-queries.ts'

interface VouchNeeds {
  readonly cells: Cells
  readonly directory: Directory
}

/** What an assertion names: the challenge that it answers and the key. */
export interface Signing {
  readonly challenge: string
  readonly assertion: { readonly id: string }
}

export interface Vouched {
  readonly voucher: MemberVoucher
  /** The member as the deputy of others, whose rights are also read now. */
  readonly otherwise: readonly MemberVoucher[]
  readonly openedAt: string | undefined
  /** Undefined without a `signing`, and where there is none. */
  readonly challenge: Awaited<ReturnType<typeof findChallenge>>
  readonly key: NamedPasskey
}

/** The role is that of this request, read from the directory at most one second ago. */
export async function vouchFor(
  { cells, directory }: VouchNeeds,
  { actorId, entered: { cell, role } }: Pick<MemberPrincipal, 'actorId' | 'entered'>,
  caller: Caller,
  eventId: string,
  signing?: Signing,
): Promise<Vouched> {
  const { opened, deputies, challenge } = await cells.of(cell).inTenant(
    caller,
    async (tx) => ({
      opened: await openedAt(tx, eventId, actorId),
      deputies: await deputiesNow(tx, now()),
      challenge: signing && (await findChallenge(tx, signing.challenge, actorId)),
    }),
    'read',
  )
  const standsFor = deputies.filter(({ deputy_id }) => deputy_id === actorId).map(({ actor_id }) => actor_id)
  const own = deputies.filter(({ actor_id }) => actor_id === actorId).map(({ deputy_id }) => deputy_id)
  const absent =
    standsFor.length === 0 ? [] : await directory.asCenter(caller, (tx) => approvingMembers(tx, standsFor), 'read')
  const { families, key } = await directory.identity(
    caller,
    async (tx) => {
      const read: (readonly string[])[] = []
      for (const id of [actorId, ...absent.map(({ actor_id }) => actor_id)]) read.push(await familyOf(tx, id))
      return { families: read, key: signing && (await namedPasskey(tx, signing.assertion)) }
    },
    'read',
  )
  const [family = [], ...others] = families
  const voucher: MemberVoucher = {
    ...{ level: 'session', actorId, role, family, onBehalfOf: null },
    together: [...standsFor, ...own],
  }
  const otherwise = absent.map(({ actor_id, role: theirs }, index) => ({
    ...voucher,
    onBehalfOf: { actorId: actor_id, role: theirs, family: others[index] ?? [] },
  }))
  return { voucher, otherwise, openedAt: opened?.toISOString(), challenge, key }
}
