/**
 * Registering in three requests: a challenge, the new credential, and the signature of the new key over a statement that
 * names it. Without attestation the second answer shows only a public key, not that anybody holds it.
 */
import { randomBytes } from 'node:crypto'
import type { attestPasskey, registerPasskey, startRegistration } from '@countersign/contract/passkeys.ts'
import { challengeOf, type RegisterStatement } from '@countersign/proof/passkey.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { ActorPrincipal } from '../../../access/principal.ts'
import { audit } from '../../../audit/audit.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import type { CenterOutbox } from '../../../delivery/centers.ts'
import type { Context } from '../../../http/route.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { languageOf } from '../../../mail/compose.ts'
import type { Mail } from '../../../mail/mail.ts'
import type { PasskeyHost } from './host.ts'
import { noteChange } from './outbox-queries.ts'
import * as queries from './queries.ts'
import * as webauthn from './webauthn.ts'
import { namedPasskey } from './webauthn.ts'

export interface RegisterNeeds {
  readonly passkeyHost: PasskeyHost
  readonly passkeyOutbox: Pick<CenterOutbox, 'wake'>
  readonly centers: CenterProfiles
  readonly mail: Mail
}

export const mostPasskeys = 10

interface Pending {
  readonly attested: webauthn.AttestedKey
  readonly statement: RegisterStatement
}

const tooMany = () =>
  new Problem('CONFLICT', `You already have ${mostPasskeys} passkeys, the maximum. Remove one you don't use.`, {
    details: { reason: 'maxPasskeys' },
  })
const taken = () =>
  new Problem('CONFLICT', 'This passkey is already registered, or was registered before. Register another one.', {
    details: { reason: 'passkeyKnown' },
  })

const asker = ({ actorId, sessionId }: ActorPrincipal): queries.Asker => ({ actorId, sessionId })

export async function start(
  { passkeyHost }: RegisterNeeds,
  { principal, identity }: Context<typeof startRegistration.spec>,
) {
  const { actorId, email, name } = principal
  const challenge = randomBytes(32)
  const expiresAt = secondsFromNow(webauthn.challengeSeconds)
  const publicKey = await identity(async (tx) => {
    const keys = await queries.livePasskeys(tx, actorId)
    if (keys.length >= mostPasskeys) throw tooMany()
    const handle = await queries.userHandle(tx, actorId, randomBytes(32))
    const row = { challenge, asker: asker(principal), pending: null, expires_at: expiresAt }
    await queries.insertChallenge(tx, { kind: 'register', ...row })
    return webauthn.creationOptions(passkeyHost, webauthn.base64url(challenge), { handle, email, name }, keys)
  })
  return { publicKey, expiresAt: expiresAt.toISOString() }
}

/** Spent before it is checked: a refused answer needs a new challenge. */
async function spend(
  { principal, identity }: Pick<Context<typeof registerPasskey.spec>, 'principal' | 'identity'>,
  clientDataJSON: string,
  stated: boolean,
): Promise<{ readonly challenge: Buffer; readonly pending: unknown }> {
  const challenge = webauthn.challengeIn(clientDataJSON)
  const wanted = { challenge, kind: 'register', asker: asker(principal), stated } as const
  const spent = await identity((tx) => queries.spendChallenge(tx, wanted))
  if (!spent) throw webauthn.challengeGone()
  return { challenge, ...spent }
}

export async function attest({ passkeyHost }: RegisterNeeds, context: Context<typeof attestPasskey.spec>) {
  const { body, principal, identity } = context
  const { challenge } = await spend(context, body.attestation.clientDataJSON, false)
  const attested = await webauthn.attestedKey(passkeyHost, challenge, body.attestation)
  const statement: RegisterStatement = {
    type: 'countersign-passkey-v1',
    rpId: passkeyHost.rpId,
    actorId: principal.actorId,
    thumbprint: attested.thumbprint,
    nonce: webauthn.base64url(randomBytes(32)),
    issuedAt: now().toISOString(),
  }
  const signed = challengeOf(statement)
  const expiresAt = secondsFromNow(webauthn.challengeSeconds)
  const pending: Pending = { attested, statement }
  const keys = await identity(async (tx) => {
    const row = { challenge: signed, asker: asker(principal), pending, expires_at: expiresAt }
    await queries.insertChallenge(tx, { kind: 'register', ...row })
    return queries.livePasskeys(tx, principal.actorId)
  })
  const ask = (asked: Parameters<typeof webauthn.requestOptions>[2]) =>
    webauthn.requestOptions(passkeyHost, webauthn.base64url(signed), asked)
  const own = { credential_id: Buffer.from(attested.credentialId, 'base64url'), transports: [...attested.transports] }
  return {
    statement,
    publicKey: ask([own]),
    confirmWith: keys.length === 0 ? null : ask(keys),
    expiresAt: expiresAt.toISOString(),
  }
}

export async function register(needs: RegisterNeeds, context: Context<typeof registerPasskey.spec>) {
  const { body, principal, identity } = context
  const { challenge, pending } = await spend(context, body.assertion.clientDataJSON, true)
  const { attested, statement } = pending as Pending
  const given = {
    credential_id: Buffer.from(attested.credentialId, 'base64url'),
    key: attested.key,
    cose: Buffer.from(attested.cose, 'base64url'),
    backup_eligible: attested.backupEligible,
  }
  if (body.assertion.id !== attested.credentialId) throw webauthn.refused('another passkey signed')
  const own = await checked(needs, challenge, { ...given, counter: attested.counter }, body.assertion)
  const older = body.confirmation && (await confirming(needs, context, challenge, body.confirmation))
  return identity(async (tx) => {
    if ((await queries.countLive(tx, principal.actorId)) >= mostPasskeys) throw tooMany()
    if (older && !(await queries.noteUse(tx, older.id, older.counter)))
      throw webauthn.refused('the older one is removed')
    const stored = await queries
      .insertPasskey(tx, {
        ...given,
        id: newUuid(),
        actor_id: principal.actorId,
        thumbprint: attested.thumbprint,
        transports: [...attested.transports],
        name: body.name ?? null,
        counter: own.counter,
        aaguid: attested.aaguid,
        backed_up: attested.backedUp,
        statement,
        assertion: webauthn.sealedAssertion(body.assertion),
        confirmed_by: older?.id ?? null,
        confirmation: body.confirmation ? webauthn.sealedAssertion(body.confirmation) : null,
      })
      .catch(meaning({ passkeys_credential_id_key: taken, passkeys_thumbprint_key: taken }))
    await noteChange(tx, principal.actorId)
    await tell(needs, tx, principal, stored)
    tx.afterCommit(needs.passkeyOutbox.wake)
    return stored
  })
}

async function checked(
  { passkeyHost }: RegisterNeeds,
  challenge: Buffer,
  key: Parameters<typeof webauthn.assertionOf>[2],
  assertion: Parameters<typeof webauthn.assertionOf>[3],
): Promise<{ readonly counter: number }> {
  const result = await webauthn.doublyAssertionOf(passkeyHost, challenge, key, assertion)
  if ('fault' in result) throw webauthn.refused(result.fault)
  return result
}

/** An older key of the same person signs the same statement. */
async function confirming(
  needs: RegisterNeeds,
  { principal, identity }: Pick<Context<typeof registerPasskey.spec>, 'principal' | 'identity'>,
  challenge: Buffer,
  assertion: Parameters<typeof webauthn.assertionOf>[3],
): Promise<{ readonly id: string; readonly counter: number }> {
  const key = await identity((tx) => namedPasskey(tx, assertion), 'read')
  if (key?.actor_id !== principal.actorId) throw webauthn.refused('"confirmation" is not by an older passkey of yours')
  return { id: key.id, ...(await checked(needs, challenge, key, assertion)) }
}

async function tell(
  { mail, centers }: RegisterNeeds,
  tx: IdentityTx,
  { email, entered }: ActorPrincipal,
  { id, name, confirmed_by }: queries.StoredPasskey,
): Promise<void> {
  await audit(tx, {
    type: 'settings.updated',
    action: 'passkey.registered',
    target: { type: 'passkey', id: typedId('passkey', id) },
    details: { confirmed: confirmed_by === null ? 'mail' : 'passkey' },
  })
  if (email === '') return
  const language = entered && languageOf((await centers.profile(entered.centerId)).locale)
  // About the account and not about the center, so that a sandbox does not silence it.
  const about = { to: email, centerId: 0, ...(language && { language }) }
  await mail.queue(tx, { ...about, mail: 'passkeyAdded', facts: { name, at: now().toISOString() } })
}
