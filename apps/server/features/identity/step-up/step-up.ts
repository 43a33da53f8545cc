/** A person shows again that it is them: with their password, or with a passkey that signs a statement about this session. */
import { randomBytes } from 'node:crypto'
import type * as contract from '@countersign/contract/step-up.ts'
import { challengeOf, type StepUpStatement } from '@countersign/proof/passkey.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { siteOfHost } from '../../../access/confinement-queries.ts'
import type { Passwords } from '../../../access/passwords.ts'
import { audit } from '../../../audit/audit.ts'
import type { Directory } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import * as passkeys from '../passkeys/api.ts'
import { noteStepUp, passwordHashOf } from './queries.ts'

export interface StepUpNeeds {
  readonly authenticate: Authenticator
  readonly directory: Directory
  readonly passkeyHost: passkeys.PasskeyHost
  readonly passwords: Passwords
}

export async function challenge(
  { passkeyHost }: StepUpNeeds,
  { principal, identity }: Context<typeof contract.challengeStepUp.spec>,
) {
  const { actorId, sessionId } = principal
  const statement: StepUpStatement = {
    type: 'countersign-step-up-v1',
    actorId,
    sid: typedId('session', sessionId),
    rpId: passkeyHost.rpId,
    nonce: passkeys.base64url(randomBytes(32)),
    issuedAt: now().toISOString(),
  }
  const signed = challengeOf(statement)
  const expires_at = secondsFromNow(passkeys.challengeSeconds)
  const keys = await identity(async (tx) => {
    const own = await passkeys.livePasskeys(tx, actorId)
    if (own.length === 0)
      throw new Problem('CONFLICT', 'You have no passkey. Use your password, or sign in again.', {
        details: { reason: 'noPasskey' },
      })
    const asker = { actorId, sessionId }
    await passkeys.insertChallenge(tx, { challenge: signed, kind: 'step_up', asker, pending: statement, expires_at })
    return own
  })
  const publicKey = passkeys.requestOptions(passkeyHost, passkeys.base64url(signed), keys)
  return { statement, publicKey, expiresAt: expires_at.toISOString() }
}

type Given = Context<typeof contract.stepUp.spec>

export async function stepUp(needs: StepUpNeeds, context: Given) {
  const { body, principal, identity, host } = context
  const { actorId, sessionId, entered } = principal
  if ((body.password === undefined) === (body.assertion === undefined)) {
    throw new Problem(
      'VALIDATION_ERROR',
      'The request has both "password" and "assertion", or neither. Send one of them.',
      { details: { reason: 'oneProof' } },
    )
  }
  if (body.password !== undefined) await requirePassword(needs, context, body.password)
  const passkeyId = body.assertion === undefined ? null : await requirePasskey(needs, context, body.assertion)
  const at = now()
  await identity(async (tx) => {
    // Whoever serves a custom domain sees what is typed there.
    const isOwnHost = (await siteOfHost(tx, host)) === undefined
    await noteStepUp(tx, sessionId, at, { proved: isOwnHost, passkeyId })
    await audit(tx, {
      type: 'session.changed',
      action: 'step_up',
      target: { type: 'session', id: typedId('session', sessionId) },
      details: { by: body.password === undefined ? 'passkey' : 'password' },
      actorId,
      centerId: entered?.centerId ?? 0,
    })
  })
  needs.authenticate.forget(`session:${sessionId}`)
  return { steppedUpAt: at.toISOString() }
}

/** Outside a transaction: hashing takes tens of milliseconds, and as long for a person without a password. */
async function requirePassword({ passwords }: StepUpNeeds, { principal, identity }: Given, password: string) {
  const known = await identity((tx) => passwordHashOf(tx, principal.actorId), 'read')
  if (await passwords.verify(password, known)) return
  throw new Problem('INVALID_CREDENTIALS', "The password is wrong, or you don't have one. Check it, or use a passkey.")
}

/** The challenge is spent before the signature is checked: a refused answer needs a new one. */
async function requirePasskey(
  { directory, passkeyHost: host }: StepUpNeeds,
  { principal, identity, requestId }: Given,
  assertion: NonNullable<Given['body']['assertion']>,
) {
  const { actorId, sessionId, entered } = principal
  const wanted = passkeys.challengeIn(assertion.clientDataJSON)
  const asker = { actorId, sessionId }
  const spent = await identity((tx) =>
    passkeys.spendChallenge(tx, { challenge: wanted, kind: 'step_up', asker, stated: true }),
  )
  if (!spent) throw passkeys.challengeGone()
  const statement = spent.pending as StepUpStatement
  const caller = { requestId, actorId, centerId: entered?.centerId ?? 0 }
  const signed = { actorId, statement, assertion }
  return passkeys.verifyPasskey({ directory, host }, caller, signed, passkeys.doublyAssertionOf)
}
