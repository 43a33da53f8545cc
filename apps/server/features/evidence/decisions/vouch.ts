/** Facts about an approving member, read before the batch opens, so that no item of a batch waits for the directory. */
import type { MemberPrincipal } from '../../../access/principal.ts'
import { familiesOf, familyOf } from '../../../access/queries.ts'
import { isOwn } from '../../../access/step-up.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import type { ApprovingMember, MemberVoucher } from '../../../governance/approving.ts'
import { now } from '../../../lib/clock.ts'
import { countingMembers, unsealedOf } from '../../identity/eligibility/api.ts'
import { type NamedPasskey, namedPasskey } from '../../identity/passkeys/api.ts'
import type { KnownStanding } from '../decision-events/api.ts'
import { countingOf, staffNow } from './people.ts'
import { approvingMembers } from './queries.ts'
import { type AskedApproval, type EarlierRow, readKnown } from './vouch-queries.ts'

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
  /** One of their memberships that has changed, which the center has not sealed yet. */
  readonly unsealed: string | undefined
  readonly openedAt: string | undefined
  /** The digest of the action as this member has opened it. */
  readonly openedDigest: string | undefined
  readonly actionType: string
  readonly standing: KnownStanding
  /** The keys of earlier approvals. */
  readonly earlierKeys: readonly string[]
  /** Undefined without a `signing`, and if there is no such challenge. */
  readonly challenge: AskedApproval | undefined
  readonly key: NamedPasskey
}

type VouchingPrincipal = Pick<MemberPrincipal, 'actorId' | 'entered' | 'via' | 'proofs'>

/** The roles are those of this request, read from the directory at most one second ago. */
export async function vouchFor(
  { cells, directory }: VouchNeeds,
  { actorId, entered: { cell, centerId, membershipId, roles }, ...session }: VouchingPrincipal,
  caller: Caller,
  eventId: string,
  { signing, withPeople = false }: { readonly signing?: Signing | undefined; readonly withPeople?: boolean } = {},
): Promise<Vouched> {
  const [[known], { family, key, changed }] = await Promise.all([
    cells
      .of(cell)
      .inTenant(caller, (tx) => readKnown(tx, centerId, eventId, actorId, now(), signing?.challenge ?? null), 'read'),
    directory.identity(
      caller,
      async (tx) => {
        const [family, key, changed] = await Promise.all([
          familyOf(tx, actorId),
          signing && namedPasskey(tx, signing.assertion),
          unsealedOf(tx, centerId, [membershipId]),
        ])
        return { family, key, changed }
      },
      'read',
    ),
  ])
  const deputies = known?.deputies ?? []
  const standsFor = deputies.filter(({ deputy_id }) => deputy_id === actorId).map(({ actor_id }) => actor_id)
  const own = deputies.filter(({ actor_id }) => actor_id === actorId).map(({ deputy_id }) => deputy_id)
  const voucher: MemberVoucher = {
    ...{ level: 'session', actorId, membershipId, roles, family, onBehalfOf: null },
    together: [...standsFor, ...own],
    borrowed: !isOwn(session),
  }
  const absent = await absentMembers(directory, caller, standsFor)
  const otherwise = absent.members.map((onBehalfOf) => ({ ...voucher, onBehalfOf }))
  const earlier = known?.earlier ?? []
  const { unsealed: unsealedBefore, ...standing } = await standingOf({ cells, directory }, cell, caller, earlier)
  return {
    ...{ voucher, otherwise, key, unsealed: changed ?? absent.unsealed ?? unsealedBefore },
    openedAt: known?.opened_at?.toISOString(),
    openedDigest: known?.opened_digest ?? undefined,
    actionType: known?.action_type ?? '',
    standing: {
      ...standing,
      ...(withPeople && {
        people: (await cells.of(cell).inTenant(caller, (tx) => staffNow(directory, tx), 'read')).candidates,
      }),
    },
    earlierKeys: earlier.flatMap(({ passkey_id }) => passkey_id ?? []),
    challenge: known?.challenge ?? undefined,
  }
}

/** Earlier approvers are checked again: they may have left or lost the role since, and a role that came back is new. */
async function standingOf(
  { cells, directory }: VouchNeeds,
  cell: string,
  caller: Caller,
  earlier: readonly EarlierRow[],
): Promise<KnownStanding & Pick<Vouched, 'unsealed'>> {
  const people = earlier.filter(({ level }) => level === 'session' || level === 'passkey')
  const withdrawn = new Set(people.filter(({ deputed }) => !deputed).map(({ position }) => position))
  const approvals = earlier.length
  const ids = [...new Set(people.flatMap(({ by, on_behalf_of }) => (on_behalf_of ? [by, on_behalf_of] : [by])))]
  if (ids.length === 0) return { approvals, withdrawn, families: new Map(), members: new Map(), unsealed: undefined }
  const members = await directory.asCenter(caller, (tx) => approvingMembers(tx, ids), 'read')
  const memberships = members.map(({ membership_id }) => membership_id)
  const { families, unsealed } = await directory.identity(
    caller,
    async (tx) => ({
      families: await familiesOf(tx, ids),
      unsealed: await unsealedOf(tx, caller.centerId, memberships),
    }),
    'read',
  )
  const counting = await cells.of(cell).inTenant(caller, (tx) => countingMembers(tx, now(), ids), 'read')
  const standings = members.map(
    ({ actor_id, roles }) => [actor_id, countingOf(roles, counting.get(actor_id) ?? [])] as const,
  )
  return {
    approvals,
    withdrawn,
    families,
    members: new Map(standings.filter(([, roles]) => roles.length > 0)),
    unsealed,
  }
}

/** Those of the members who may approve now. */
async function absentMembers(
  directory: Directory,
  caller: Caller,
  ids: readonly string[],
): Promise<{ readonly members: readonly ApprovingMember[]; readonly unsealed: string | undefined }> {
  if (ids.length === 0) return { members: [], unsealed: undefined }
  const found = await directory.asCenter(caller, (tx) => approvingMembers(tx, ids), 'read')
  const read = found.map(({ actor_id: actorId, membership_id: membershipId, roles }) => ({
    actorId,
    membershipId,
    roles,
  }))
  return directory.identity(
    caller,
    async (tx) => ({
      members: await Promise.all(read.map(async (each) => ({ ...each, family: await familyOf(tx, each.actorId) }))),
      unsealed: await unsealedOf(
        tx,
        caller.centerId,
        read.map(({ membershipId }) => membershipId),
      ),
    }),
    'read',
  )
}
