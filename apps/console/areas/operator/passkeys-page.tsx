/** The operator confirms the passkeys that nobody in their center can. */
import { api } from '../../app/api.ts'
import { SoleAdmins } from '../../ui/sole-admins.tsx'

export const PlatformPasskeysPage = () => (
  <SoleAdmins as="operator" confirm={({ centerId, actorId, id }) => api.admin.confirmPasskey(centerId, actorId, id)} />
)
