/** The partner confirms the passkeys that nobody in their center can. */
import { api } from '../../app/api.ts'
import { SoleAdmins } from '../../ui/sole-admins.tsx'

export const PartnerPasskeysPage = () => (
  <SoleAdmins as="partner" confirm={({ centerId, actorId, id }) => api.partner.confirmPasskey(centerId, actorId, id)} />
)
