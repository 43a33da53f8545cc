/**
 * A new email address or phone number of a person. It counts once its code has been entered in a session of the same person: a code
 * and no link, because whoever follows a link that somebody else asked for would give them the address.
 */
import { randomInt, timingSafeEqual } from 'node:crypto'
import type * as contract from '@countersign/contract/account.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { isReachable } from '../../../delivery/transports/text.ts'
import type { Context } from '../../../http/route.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import type { Mail } from '../../../mail/mail.ts'
import { requireCodeRecipient } from '../../../mail/recipients.ts'
import { withdrawResets } from '../account-recovery/api.ts'
import { actorOfLogin, emailIdentifier, phoneIdentifier } from '../auth/api.ts'
import * as queries from './queries.ts'

export interface AddressNeeds {
  readonly authenticate: Authenticator
  readonly box: SecretBox
  readonly config: Pick<Config, 'publicUrl'>
  readonly mail: Mail
}

type Asking = Pick<Context<typeof contract.changeEmail.spec>, 'principal' | 'identity' | 'language'>

const codeSeconds = 600
const mostAttempts = 5
const secondsBetween = 60
const mostCodes = 10
const daySeconds = 86_400

const contextOf = (actorId: string, kind: queries.AddressKind): string => `address change ${kind} ${actorId}`
const identifierOf = (kind: queries.AddressKind, address: string): string =>
  kind === 'email' ? emailIdentifier(address) : phoneIdentifier(address)

/** The answer, the rows and the number of messages are the same whether or not somebody signs in with the address. */
export async function askForCode(
  needs: AddressNeeds,
  { principal, identity, language }: Asking,
  kind: queries.AddressKind,
  sent: string,
): Promise<void> {
  const { actorId } = principal
  const address = kind === 'email' ? sent.trim().toLowerCase() : sent
  if (kind === 'phone' && !isReachable(address))
    throw new Problem(
      'VALIDATION_ERROR',
      'Text messages reach Korean numbers only. Send a number that begins with +82.',
      { details: { reason: 'koreanOnly', field: 'phone' } },
    )
  const code = randomInt(1_000_000).toString().padStart(6, '0')
  await identity(async (tx) => {
    await queries.lockAccount(tx, actorId)
    const owner = await actorOfLogin(tx, identifierOf(kind, address))
    const isTaken = owner !== null && owner !== actorId
    const stored = await queries.storeChange(tx, {
      ...{ actor_id: actorId, kind, address, most: mostCodes, between: secondsBetween },
      // The code of a taken address is never sent, so that its row opens nothing.
      sealed: needs.box.seal(isTaken ? '' : code, contextOf(actorId, kind)),
      ...{ code_until: secondsFromNow(codeSeconds), expires_at: secondsFromNow(daySeconds) },
    })
    if (!stored)
      throw new Problem('RATE_LIMITED', 'You can ask for one code a minute, and for ten a day. Wait, then ask again.', {
        details: { reason: 'codes' },
        retryAfter: secondsBetween,
      })
    await requireCodeRecipient(tx, address)
    await send(needs, tx, {
      actorId,
      kind,
      address,
      code: isTaken ? null : code,
      language: principal.language ?? language,
    })
  })
}

interface Sending {
  readonly actorId: string
  readonly kind: queries.AddressKind
  readonly address: string
  /** Null for an address that somebody else signs in with. */
  readonly code: string | null
  readonly language: 'ko' | 'en' | null
}

const send = (
  { mail, config: { publicUrl } }: AddressNeeds,
  tx: IdentityTx,
  { actorId, kind, address: to, code, language }: Sending,
) => {
  const who = { to, actorId, ...(language && { language }) }
  if (kind === 'phone') {
    return mail.queueText(
      tx,
      { ...who, ...(code === null ? { text: 'taken', facts: {} } : { text: 'code', facts: { code } }) },
      codeSeconds,
    )
  }
  return mail.queue(tx, {
    ...{ ...who, centerId: 0 },
    ...(code === null
      ? { mail: 'emailTaken', facts: { signInUrl: `${publicUrl}/account` } }
      : { mail: 'emailCode', facts: { code } }),
  })
}

const wrongCode = () =>
  new Problem('CONFLICT', 'This code is wrong, was already used or has expired. Check it, or ask for a new one.', {
    details: { reason: 'code', field: 'code' },
    passing: true,
  })

const taken = () =>
  new Problem('CONFLICT', 'This address belongs to another account now. Use another one, or sign in to that account.', {
    details: { reason: 'addressTaken' },
  })

export async function confirmAddress(
  needs: AddressNeeds,
  { principal, identity, language }: Asking,
  kind: queries.AddressKind,
  code: string,
): Promise<void> {
  const { actorId } = principal
  // A wrong attempt commits, so that it counts.
  const result = await identity(async (tx) => {
    const before = await queries.lockAccount(tx, actorId)
    const change = await queries.findChange(tx, actorId, kind)
    if (!change?.sealed || change.attempts >= mostAttempts) return 'wrong'
    if (!isSame(needs.box.open(change.sealed, contextOf(actorId, kind)), code)) {
      await queries.countAttempt(tx, actorId, kind)
      return 'wrong'
    }
    await queries.spendCode(tx, actorId, kind)
    const identifier = identifierOf(kind, change.address)
    if (!(await queries.takeIdentifier(tx, actorId, kind, identifier))) return 'taken'
    await replace(needs, tx, {
      ...{ actorId, centerId: principal.entered?.centerId ?? 0, kind, before, after: change.address },
      language: principal.language ?? language,
    })
    return 'done'
  })
  if (result === 'wrong') throw wrongCode()
  if (result === 'taken') throw taken()
  // Who belongs to whose family follows from verified addresses.
  needs.authenticate.forget('people', `actor:${actorId}`)
}

const isSame = (kept: Buffer, code: string): boolean => {
  const given = Buffer.from(code)
  return kept.length === given.length && timingSafeEqual(kept, given)
}

interface Replacing {
  readonly actorId: string
  /** That the session has entered; 0 without one. */
  readonly centerId: number
  readonly kind: queries.AddressKind
  readonly before: queries.AccountRow
  readonly after: string | null
  readonly language: 'ko' | 'en' | null
}

/** Whoever has the old address learns that it does not sign in any more, and not what took its place. */
async function replace(
  { mail, config }: AddressNeeds,
  tx: IdentityTx,
  { actorId, centerId, kind, before, after, language }: Replacing,
): Promise<void> {
  await queries.setAddress(tx, actorId, kind, after)
  const at = now().toISOString()
  const known = { at, url: `${config.publicUrl}/account` }
  if (kind === 'email') {
    // A link that waits in the old mailbox would set a password, or accept.
    await withdrawResets(tx, actorId)
    await queries.withdrawInvitations(tx, actorId)
    const moved = await queries.readdress(tx, actorId, before.email, after as string)
    await audit(
      tx,
      ...moved.map(({ id, center_id }) => ({
        ...{ type: 'membership.transitioned' as const, action: 'readdressed' as const, actorId, centerId: center_id },
        target: { type: 'membership', id: typedId('membership', id) },
      })),
    )
    if (before.email !== null && before.email !== after)
      await mail.queue(tx, {
        ...{ to: before.email, actorId, centerId: 0, mail: 'emailChanged', facts: { at } },
        ...(language && { language }),
      })
  } else {
    if (before.email !== null && mail.canSend)
      await mail.queue(tx, { to: before.email, actorId, centerId: 0, mail: 'phoneChanged', facts: known })
    if (before.phone !== null && before.phone !== after && mail.canText)
      await mail.queueText(
        tx,
        { to: before.phone, actorId, text: 'removed', facts: {}, ...(language && { language }) },
        daySeconds,
      )
  }
  await audit(tx, {
    ...{ type: 'settings.updated', action: after === null ? `account.${kind}_removed` : `account.${kind}` },
    ...{ target: { type: 'actor', id: actorId }, actorId, centerId },
  })
}

export async function removePhone(needs: AddressNeeds, { principal, identity, language }: Asking): Promise<void> {
  const { actorId } = principal
  await identity(async (tx) => {
    const before = await queries.lockAccount(tx, actorId)
    if (before.phone === null) return
    await queries.releaseIdentifiers(tx, actorId, 'phone')
    await replace(needs, tx, {
      ...{ actorId, centerId: principal.entered?.centerId ?? 0, kind: 'phone', before, after: null },
      language: principal.language ?? language,
    })
  })
  needs.authenticate.forget('people', `actor:${actorId}`)
}
