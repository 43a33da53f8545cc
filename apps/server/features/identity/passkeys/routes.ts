import * as adminContract from '@countersign/contract/admin-passkeys.ts'
import * as memberContract from '@countersign/contract/member-passkeys.ts'
import { getPasskeyStanding } from '@countersign/contract/passkey-standing.ts'
import * as contract from '@countersign/contract/passkeys.ts'
import type { Static } from 'typebox'
import { centerExists, familyOf, isPartnersCenter } from '../../../access/queries.ts'
import { audit } from '../../../audit/audit.ts'
import { type Route, route } from '../../../http/route.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { noteCause } from '../../../mail/causes.ts'
import { type AdminPasskeyNeeds, changeAdminPasskeys, readAdminPasskeys } from './admin-passkeys.ts'
import { passkeysOf, unconfirmedPasskeys } from './center-queries.ts'
import * as confirm from './confirm.ts'
import { approversOf } from './member-queries.ts'
import { noteChange } from './outbox-queries.ts'
import { livePasskeys, removeOwn, type StoredPasskey } from './queries.ts'
import { attest, type RegisterNeeds, register, start } from './register.ts'
import { login, type PasskeyLoginNeeds, startLogin } from './sign-in.ts'
import type { PasskeyRow } from './signed.ts'
import { type WaitingKey, waitingOfSoleAdmins } from './sole-admins.ts'
import { standingOf } from './standing.ts'

const shown = (row: StoredPasskey) => ({
  id: typedId('passkey', row.id),
  name: row.name,
  thumbprint: row.thumbprint,
  confirmation: row.confirmed_by === null ? ('mail' as const) : ('passkey' as const),
  aaguid: row.aaguid,
  backupEligible: row.backup_eligible,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

const inCenter = (row: PasskeyRow): Static<typeof memberContract.MemberPasskey> => ({
  id: typedId('passkey', row.id),
  actorId: row.actor_id,
  thumbprint: row.thumbprint,
  confirmed: row.confirmed,
  counts: row.counts,
  removed: row.removed,
  backupEligible: row.backup_eligible,
  boundAt: new Date(row.bound_at).toISOString(),
})

const ofSoleAdmin = ({ row, ...key }: WaitingKey) => ({
  ...inCenter(row),
  ...{ name: key.name, email: key.email ?? '' },
  ...{ centerId: key.center_id, centerName: key.center_name, centerDomain: key.center_domain },
  partnerName: key.partner_name,
})

export type PasskeyNeeds = RegisterNeeds & PasskeyLoginNeeds & confirm.ConfirmNeeds & AdminPasskeyNeeds

export const passkeyRoutes = (needs: PasskeyNeeds): Route[] => [
  route(contract.listPasskeys, async ({ principal, identity }, reply) =>
    reply(200, (await identity((tx) => livePasskeys(tx, principal.actorId), 'read')).map(shown)),
  ),

  route(contract.startRegistration, async (context, reply) => reply(200, await start(needs, context))),
  route(contract.attestPasskey, async (context, reply) => reply(200, await attest(needs, context))),
  route(contract.registerPasskey, async (context, reply) => reply(201, shown(await register(needs, context)))),

  route(contract.removePasskey, async ({ params, principal: { actorId }, identity }, reply) => {
    const id = uuidOf('passkey', params.id)
    await identity(async (tx) => {
      if (id === null || !(await removeOwn(tx, actorId, id))) {
        throw new Problem('NOT_FOUND', 'You have no passkey with this ID. List your passkeys to find the ID.')
      }
      await noteChange(tx, actorId)
      const target = { type: 'passkey', id: params.id }
      await audit(tx, { type: 'settings.updated', action: 'passkey.removed', target })
      const facts = { person: actorId }
      await noteCause(tx, null, { id: `passkey ${id} removed`, event: 'passkeyRemoved', facts })
      tx.afterCommit(() => {
        needs.passkeyOutbox.wake()
        needs.authenticate.forget(`actor:${actorId}`)
      })
    })
    return reply(204, null)
  }),

  route(contract.startPasskeyLogin, async (context, reply) => reply(200, await startLogin(needs, context))),
  route(contract.passkeyLogin, async (context, reply) => {
    const { payload, cookies } = await login(needs, context)
    return reply(200, payload, cookies)
  }),

  route(memberContract.listMemberPasskeys, async ({ params, principal: { actorId, entered }, requestId }, reply) => {
    const caller = { requestId, actorId, centerId: entered.centerId }
    const person = await confirm.personOf(needs, caller, params.actorId)
    const rows = await needs.cells.of(entered.cell).inTenant(caller, (tx) => passkeysOf(tx, person), 'read')
    return reply(200, rows.map(inCenter))
  }),

  route(memberContract.listUnconfirmedPasskeys, async ({ principal: { actorId, entered }, requestId }, reply) => {
    const caller = { requestId, actorId, centerId: entered.centerId }
    const { people, own } = await needs.directory.identity(
      caller,
      async (tx) => ({ people: await approversOf(tx, caller.centerId), own: await familyOf(tx, actorId) }),
      'read',
    )
    const rows = await needs.cells
      .of(entered.cell)
      .inTenant(caller, (tx) => unconfirmedPasskeys(tx, [...people.keys()], 100), 'read')
    const named = rows.flatMap((row) => {
      const { membershipId, ...person } = people.get(row.actor_id) ?? { membershipId: '', name: '', email: '' }
      const mayConfirm = !own.includes(row.actor_id)
      return [{ ...inCenter(row), ...person, membershipId: typedId('membership', membershipId), mayConfirm }]
    })
    return reply(200, named)
  }),

  route(memberContract.challengeConfirmation, async ({ params, principal, requestId }, reply) => {
    const caller = { requestId, actorId: principal.actorId, centerId: principal.entered.centerId }
    return reply(200, await confirm.challenge(needs, principal, caller, params))
  }),

  route(memberContract.confirmPasskey, async ({ params, body, principal, caller, sequence }, reply) => {
    const given = await confirm.confirmation(needs, principal, caller, params, body.assertion)
    let sealed: PasskeyRow | null = null
    const answer = await sequence(confirm.confirmItem(...given), (row) => {
      sealed = row
      return reply(200, inCenter(row))
    })
    if (sealed) await confirm.learnt(needs, caller, sealed, principal.name)
    return answer
  }),

  // The cell commits first. A repetition finds the key confirmed and gets the same answer.
  route(memberContract.confirmPasskeyAsPartner, async ({ params, principal, requestId, tx }, reply) => {
    const caller = { requestId, actorId: principal.actorId, centerId: params.centerId }
    if (!(await isPartnersCenter(tx, params.centerId))) {
      throw new Problem(
        'CENTER_NOT_FOUND',
        "This partner has no center with this ID. List the partner's centers to find the ID.",
      )
    }
    const by = { how: 'partner', confirmerId: principal.actorId } as const
    return reply(200, inCenter(await confirm.confirmSoleAdmin(needs, caller, params, by, principal)))
  }),

  route(memberContract.listPartnerPasskeys, async ({ principal, requestId }, reply) => {
    const { actorId, partner } = principal
    const caller = { requestId, actorId, centerId: 0 }
    return reply(200, (await waitingOfSoleAdmins(needs, caller, { actorId, partnerId: partner.id })).map(ofSoleAdmin))
  }),

  route(memberContract.listPlatformPasskeys, async ({ principal: { actorId }, requestId }, reply) => {
    const caller = { requestId, actorId, centerId: 0 }
    return reply(200, (await waitingOfSoleAdmins(needs, caller, { actorId, partnerId: null })).map(ofSoleAdmin))
  }),

  route(memberContract.confirmPasskeyAsOperator, async ({ params, principal, requestId }, reply) => {
    const caller = { requestId, actorId: principal.actorId, centerId: params.centerId }
    if (!(await needs.directory.identity(caller, (tx) => centerExists(tx, String(params.centerId)), 'read'))) {
      throw new Problem('CENTER_NOT_FOUND', `No center matches "${params.centerId}". Check the spelling.`)
    }
    return reply(200, inCenter(await confirm.confirmSoleAdmin(needs, caller, params, { how: 'operator' }, principal)))
  }),

  route(adminContract.getAdminPasskeys, async ({ principal, requestId }, reply) => {
    const caller = { requestId, actorId: principal.actorId, centerId: principal.entered.centerId }
    return reply(200, await readAdminPasskeys(needs, principal, caller))
  }),
  route(adminContract.setAdminPasskeys, async (context, reply) =>
    reply(200, await changeAdminPasskeys(needs, context)),
  ),

  route(getPasskeyStanding, async ({ principal, requestId }, reply) => {
    const caller = { requestId, actorId: principal.actorId, centerId: principal.entered.centerId }
    return reply(200, await standingOf(needs, principal, caller))
  }),
]
