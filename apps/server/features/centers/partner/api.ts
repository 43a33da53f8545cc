/** The API of this feature: accepts an invitation to act for a partner. */
export { acceptPartnerInvitation } from './invitations.ts'
