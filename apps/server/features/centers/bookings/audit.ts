/** The audit entry of a change of an appointment. */
import { audit } from '../../../audit/audit.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { typedId } from '../../../lib/ids.ts'

export const noteBooking = (
  tx: TenantTx,
  id: string,
  action: string,
  details: Readonly<Record<string, string | null>>,
): Promise<void> =>
  audit(tx, {
    type: 'center.updated',
    action: `booking_${action}`,
    target: { type: 'booking', id: typedId('booking', id) },
    details,
  })
