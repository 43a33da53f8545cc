/** The API of this feature: accepts an invitation to act for a partner, and whose name and color a custom domain has. */
export { brandOfSite } from './branded.ts'
export { acceptPartnerInvitation } from './invitations.ts'
