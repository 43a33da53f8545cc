/** An account for whoever reads the mailbox of its address. No answer reveals whether the address has one. */
import type * as contract from '@countersign/contract/sign-up.ts'
import { siteOfHost } from '../../../access/confinement-queries.ts'
import { hashToken, newToken } from '../../../access/opaque-token.ts'
import { requireSound } from '../../../access/password-rules.ts'
import type { Passwords } from '../../../access/passwords.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import type { Context } from '../../../http/route.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import { newUuid } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Mail } from '../../../mail/mail.ts'
import { actorOfLogin, emailIdentifier } from '../auth/api.ts'
import * as queries from './queries.ts'

export interface SignUpNeeds {
  readonly config: Pick<Config, 'publicUrl' | 'signUp'>
  readonly mail: Mail
  readonly passwords: Passwords
}

const linkSeconds = 3600
const secondsBetweenMails = 60

function requireOpen({ signUp }: SignUpNeeds['config']): void {
  if (signUp === 'open') return
  throw new Problem('FORBIDDEN', 'You need an invitation to create an account here. Ask your center for one.', {
    details: { reason: 'invitationOnly' },
  })
}

export async function signUp(
  { mail, config }: SignUpNeeds,
  { body, host, identity, language }: Context<typeof contract.signUp.spec>,
): Promise<void> {
  requireOpen(config)
  const { publicUrl } = config
  const identifier = emailIdentifier(body.email)
  const email = body.email.trim().toLowerCase()
  const token = newToken('csu')
  await identity(async (tx) => {
    const known = (await actorOfLogin(tx, identifier)) !== null
    // The token of a known address is never mailed, so that its row opens nothing.
    const hash = hashToken(known ? newToken('csu') : token)
    const row = { identifier, hash, email, name: body.name.trim(), expires_at: secondsFromNow(linkSeconds) }
    if (!(await queries.storeSignUp(tx, row, secondsBetweenMails))) return
    const site = await siteOfHost(tx, host)
    await mail.queue(tx, {
      to: email,
      ...(site && { centerId: site.center_id }),
      ...(language && { language }),
      ...(known
        ? {
            mail: 'accountExists',
            facts: { signInUrl: `${publicUrl}/account`, passwordUrl: `${publicUrl}/password` },
          }
        : { mail: 'openAccount', facts: { url: `${publicUrl}/signup/${token}` } }),
    })
  })
}

export async function confirmSignUp(
  { passwords, config }: SignUpNeeds,
  { body, identity }: Context<typeof contract.confirmSignUp.spec>,
): Promise<{ actorId: string; email: string }> {
  requireOpen(config)
  const passwordHash = await passwords.hash(body.password)
  return identity(async (tx) => {
    const asked = await queries.takeSignUp(tx, hashToken(body.token))
    if (!asked)
      throw new Problem(
        'UNAUTHORIZED',
        "This link isn't valid, was already used or has expired. Sign up again to get a new one.",
      )
    const { identifier, email, name } = asked
    requireSound(body.password, [email, name])
    const id = newUuid()
    if (!(await queries.insertAccount(tx, { id, identifier, email, name, passwordHash }))) {
      throw new Problem(
        'CONFLICT',
        "There's already an account with this email address. Sign in, or reset your password.",
        { details: { reason: 'hasAccount' } },
      )
    }
    await audit(tx, {
      type: 'settings.updated',
      action: 'account.opened',
      target: { type: 'actor', id },
      actorId: id,
    })
    return { actorId: id, email }
  })
}
