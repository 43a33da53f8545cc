/**
 * Who confirms a passkey in a center: another ADMIN of it, and for the only ADMIN the partner or the operator. It counts
 * there and nowhere else.
 */
import { randomBytes } from 'node:crypto'
import { logName } from '@countersign/proof/chain.ts'
import { type ConfirmStatement, challengeOf } from '@countersign/proof/passkey.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import { familyOf } from '../../../access/queries.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SealItem } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { type Eligibility, needsOfMembers, requireCountingAdmin } from '../eligibility/api.ts'
import { countingPasskeys, passkeysOf } from './center-queries.ts'
import { noteConfirmed, type TellNeeds } from './confirmers.ts'
import type { PasskeyHost } from './host.ts'
import { adminsOf, membershipStatus } from './member-queries.ts'
import * as queries from './queries.ts'
import { type BoundPasskey, bind, type Confirmation, confirm } from './seal.ts'
import { type PasskeyRow, passkeyRows } from './signed.ts'
import * as webauthn from './webauthn.ts'
import { verifyPasskey } from './webauthn.ts'

export interface ConfirmNeeds extends Omit<TellNeeds, 'config'> {
  readonly authenticate: Pick<Authenticator, 'forget'>
  readonly cells: Cells
  readonly centers: CenterProfiles
  readonly config: Pick<Config, 'logHost' | 'publicUrl'>
  readonly eligibility: Pick<Eligibility, 'deliverTo'>
  readonly directory: Directory
  readonly passkeyHost: PasskeyHost
  readonly sequencer: Sequencer
}

export interface Named {
  readonly actorId: string
  readonly id: string
}

export const noMember = (): Problem =>
  new Problem('NOT_FOUND', 'This center has no member with this ID. List its members to find the ID.')
const noKey = (): Problem =>
  new Problem(
    'NOT_FOUND',
    "This member has no passkey with this ID in this center. List the member's passkeys to find the ID.",
  )

const noAuthenticator = '00000000-0000-0000-0000-000000000000'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The member and the actors who share a verified address with them: they count as one person. */
export async function personOf({ directory }: Pick<ConfirmNeeds, 'directory'>, caller: Caller, actorId: string) {
  return (await memberOf(directory, caller, actorId)).person
}

async function memberOf(directory: Directory, caller: Caller, actorId: string) {
  if (!uuid.test(actorId)) throw noMember()
  return directory.identity(
    caller,
    async (tx) => {
      const status = await membershipStatus(tx, caller.centerId, actorId)
      if (status === undefined) throw noMember()
      return { status, person: await familyOf(tx, actorId) }
    },
    'read',
  )
}

/** Whoever suspended a member did so for a reason that a confirmation does not know. */
async function confirmablePerson({ directory }: ConfirmNeeds, caller: Caller, actorId: string) {
  const { status, person } = await memberOf(directory, caller, actorId)
  if (status === 'ACTIVE') return person
  throw new Problem(
    'CONFLICT',
    "This member isn't ACTIVE, so their passkey can't be confirmed. Reinstate the membership first.",
    { details: { reason: 'memberNotActive' } },
  )
}

/** The key that a path names, as this center knows it. */
async function namedKey(needs: ConfirmNeeds, caller: Caller, cell: string, person: readonly string[], id: string) {
  const keyId = uuidOf('passkey', id)
  const keys = await needs.cells.of(cell).inTenant(caller, (tx) => passkeysOf(tx, person), 'read')
  const key = keys.find((each) => each.id === keyId && !each.removed)
  if (!key) throw noKey()
  return key
}

const requireAnother = (person: readonly string[], confirmerId: string): void => {
  if (person.includes(confirmerId))
    throw new Problem('FORBIDDEN', "You can't confirm your own passkey. Ask another administrator of this center.", {
      details: { reason: 'ownPasskey' },
    })
}

/** An ADMIN who confirms: their membership, and their own key if it signs. */
interface Confirming {
  readonly membershipId?: string | null
  readonly key?: string | null
}

/** Judged on the row as the batch reads it. A key that counts already stays as it is. */
export const confirmItem = (
  caller: Caller,
  { id, actor_id, thumbprint }: PasskeyRow,
  confirmation: Confirmation,
  { membershipId = null, key: confirmingKey = null }: Confirming = {},
): Pick<SealItem<PasskeyRow>, 'holds' | 'judge'> => ({
  holds: {
    chains: ['history'],
    rows: [
      ...[id, ...(confirmingKey === null ? [] : [confirmingKey])].map((each) => need(passkeyRows, { id: each })),
      ...needsOfMembers(membershipId === null ? [] : [{ membershipId }]),
    ],
  },
  judge(batch) {
    const row = batch.rows(passkeyRows).find(id)
    if (!row || row.removed || row.actor_id !== actor_id || row.thumbprint !== thumbprint) throw noKey()
    if (row.counts) return row
    // Otherwise an ADMIN could make a second account one, and let it confirm.
    if (membershipId !== null) requireCountingAdmin(batch, membershipId)
    if (confirmingKey === null) return confirm(batch, caller, row, confirmation)
    const own = batch.rows(passkeyRows).find(confirmingKey)
    if (!own || own.removed || !own.counts) {
      throw new Problem(
        'CONFLICT',
        "Your own passkey isn't confirmed in this center, so you can't use it to confirm someone else's. Confirm the member's passkey without using yours.",
        { details: { reason: 'ownUnconfirmed' } },
      )
    }
    return confirm(batch, caller, row, { ...confirmation, binding: own.last_entry } as Confirmation)
  },
})

export async function challenge(needs: ConfirmNeeds, principal: MemberPrincipal, caller: Caller, named: Named) {
  const { directory, passkeyHost, config, cells } = needs
  const { actorId: confirmerId, sessionId, entered } = principal
  const person = await confirmablePerson(needs, caller, named.actorId)
  requireAnother(person, confirmerId)
  const key = await namedKey(needs, caller, entered.cell, person, named.id)
  const own = await countingPasskeys({ cells, directory }, caller, entered.cell, confirmerId)
  if (own.length === 0) {
    throw new Problem(
      'CONFLICT',
      "You have no confirmed passkey in this center. Confirm the member's passkey without using one of yours.",
      { details: { reason: 'noPasskeyHere' } },
    )
  }
  const statement: ConfirmStatement = {
    type: 'countersign-passkey-confirm-v1',
    log: logName(config.logHost, caller.centerId, 'history'),
    actorId: key.actor_id,
    thumbprint: key.thumbprint,
    confirmerId,
    rpId: passkeyHost.rpId,
    nonce: webauthn.base64url(randomBytes(32)),
    issuedAt: now().toISOString(),
  }
  const signed = challengeOf(statement)
  const expires_at = secondsFromNow(webauthn.challengeSeconds)
  const asker = { actorId: confirmerId, sessionId }
  await directory.identity(caller, (tx) =>
    queries.insertChallenge(tx, { challenge: signed, kind: 'confirm', asker, pending: statement, expires_at }),
  )
  const publicKey = webauthn.requestOptions(passkeyHost, webauthn.base64url(signed), own)
  return { statement, publicKey, expiresAt: expires_at.toISOString() }
}

type Assertion = Parameters<typeof webauthn.assertionOf>[3]

/** What is read and verified before the batch opens. */
export async function confirmation(
  needs: ConfirmNeeds,
  principal: MemberPrincipal,
  caller: Caller,
  named: Named,
  assertion: Assertion | undefined,
): Promise<Parameters<typeof confirmItem>> {
  const { actorId: confirmerId, sessionId, entered } = principal
  const person = await confirmablePerson(needs, caller, named.actorId)
  requireAnother(person, confirmerId)
  await needs.eligibility.deliverTo(caller.centerId)
  const { membershipId } = entered
  const key = await namedKey(needs, caller, entered.cell, person, named.id)
  // A repetition of a confirmation that was sealed needs no signature: its challenge is used up.
  if (!assertion || key.counts) return [caller, key, { how: 'admin', confirmerId, level: 'session' }, { membershipId }]
  const { directory, passkeyHost, config } = needs
  const challenge = webauthn.challengeIn(assertion.clientDataJSON)
  const asker = { actorId: confirmerId, sessionId }
  const spent = await directory.identity(caller, (tx) =>
    queries.spendChallenge(tx, { challenge, kind: 'confirm', asker, stated: true }),
  )
  if (!spent) throw webauthn.challengeGone()
  const statement = spent.pending as ConfirmStatement
  const fits =
    statement.log === logName(config.logHost, caller.centerId, 'history') &&
    statement.actorId === key.actor_id &&
    statement.thumbprint === key.thumbprint
  if (!fits)
    throw new Problem(
      'CONFLICT',
      'Your passkey signed the confirmation of a different passkey. Get a new challenge and sign it.',
      { details: { reason: 'otherSigned' } },
    )
  const passkeyId = await verifyPasskey({ directory, host: passkeyHost }, caller, {
    actorId: confirmerId,
    statement,
    assertion,
  })
  const signed = { statement, assertion: webauthn.sealedAssertion(assertion) }
  return [caller, key, { how: 'admin', confirmerId, level: 'passkey', ...signed }, { membershipId, key: passkeyId }]
}

/** For a test person of a sandbox: the service made the key itself, and says so as its operator. */
export const bindTestKey = (
  caller: Caller,
  key: Omit<BoundPasskey, 'aaguid' | 'backup_eligible' | 'backed_up' | 'confirmed_by' | 'confirmation'>,
): Pick<SealItem<PasskeyRow>, 'holds' | 'judge'> => ({
  holds: { chains: ['history'], rows: [need(passkeyRows, { id: key.id })] },
  judge(batch) {
    const authenticator = { aaguid: noAuthenticator, backup_eligible: false, backed_up: false }
    const row = bind(batch, caller, { ...key, ...authenticator, confirmed_by: null, confirmation: null })
    return confirm(batch, caller, row, { how: 'operator' })
  },
})

/** For the only ADMIN of a center, whom nobody else in it can confirm. */
export async function confirmSoleAdmin(
  needs: ConfirmNeeds,
  caller: Caller,
  named: Named,
  by: Extract<Confirmation, { how: 'partner' | 'operator' }>,
  /** Null for the operator's command, which knows no account. */
  confirmer: Confirmer | null = null,
): Promise<PasskeyRow> {
  const person = await confirmablePerson(needs, caller, named.actorId)
  if (confirmer) requireAnother(person, confirmer.actorId)
  const admins = await needs.directory.identity(caller, (tx) => adminsOf(tx, caller.centerId), 'read')
  if (!admins.some((id) => person.includes(id)) || !admins.every((id) => person.includes(id))) {
    throw new Problem(
      'CONFLICT',
      "Only the passkey of a center's sole administrator can be confirmed this way. Ask another administrator to confirm the passkey.",
      { details: { reason: 'notSoleAdmin' } },
    )
  }
  const center = await needs.centers.profile(caller.centerId)
  const key = await namedKey(needs, caller, center.cell, person, named.id)
  const outcome = await needs.sequencer.seal({ ...confirmItem(caller, key, by), center, caller })
  if ('replay' in outcome) throw new Error('a confirmation has no idempotency key')
  await learnt(needs, caller, outcome.result, confirmer?.name ?? null)
  return outcome.result
}

/** Who a confirmation is by, as the mail about it names them. */
export interface Confirmer {
  readonly actorId: string
  readonly name: string
}

/** After the seal. What a crash prevents here, the next look at the key repairs. */
export async function learnt(needs: ConfirmNeeds, caller: Caller, row: PasskeyRow, confirmer: string | null) {
  await needs.directory.identity(caller, (tx) => noteConfirmed(needs, tx, caller.centerId, row, confirmer))
  needs.authenticate.forget(`actor:${row.actor_id}`)
}
