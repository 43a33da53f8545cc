/** The canonical form of a login identifier: letter case, surrounding spaces and compatibility characters do not matter. */
import { Problem } from '../../../lib/problem.ts'

export const emailIdentifier = (email: string): string => `email:${email.normalize('NFKC').trim().toLowerCase()}`
export const phoneIdentifier = (phone: string): string => `phone:${phone}`

export function loginIdentifier({ email, phone }: { email?: string; phone?: string }): string {
  if (email !== undefined && phone !== undefined)
    throw new Problem('VALIDATION_ERROR', 'The request has both "email" and "phone". Send only one of them.', {
      details: { reason: 'oneWayIn' },
    })
  if (email !== undefined) return emailIdentifier(email)
  if (phone !== undefined) return phoneIdentifier(phone)
  throw new Problem('MISSING_REQUIRED_FIELD', '"email" is missing. Send "email" or "phone".')
}
