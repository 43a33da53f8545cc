/** Every mail of the service, by the name under which it waits to be sent. */
import type { MailText } from '../html.ts'
import { accountExists, newPassword, openAccount, passkeyAdded } from './account.ts'
import { decisionsWait, guardianInvitation, integrityAlarm, integrityLoss, invitation, mayApprove } from './center.ts'
import { partnerInvitation } from './partner.ts'
import { linkAccount, noAccountToLink } from './sign-in.ts'
import { type MailLanguage, type Template, write } from './template.ts'

export const templates = {
  openAccount,
  accountExists,
  newPassword,
  passkeyAdded,
  linkAccount,
  noAccountToLink,
  invitation,
  guardianInvitation,
  decisionsWait,
  integrityAlarm,
  integrityLoss,
  mayApprove,
  partnerInvitation,
}

export type MailName = keyof typeof templates

type FactsOf<Name extends MailName> = (typeof templates)[Name]['sample']

/** One mail with the facts that its template needs. */
export type Written = { [Name in MailName]: { readonly mail: Name; readonly facts: FactsOf<Name> } }[MailName]

export const compose = ({ mail, facts }: Written, language: MailLanguage | null): MailText =>
  // The pair is of one template by its type; the compiler loses that over a union.
  write(templates[mail] as Template<typeof facts>, language, facts)

export const sampleOf = (mail: MailName): Written => ({ mail, facts: templates[mail].sample }) as Written
