import type { CenterFeature } from '@countersign/contract/promises.ts'
import { useQuery } from '@tanstack/react-query'
import { useNotices } from './notices.ts'
import { centerQuery } from './queries.ts'

/** What the switches and the subscription of the center leave; the server refuses the rest. */
export function useOffers(center: string) {
  const { data } = useQuery(centerQuery(center))
  const { data: notices } = useNotices(center)
  const features = data?.settings.features
  const status = notices?.subscription.status
  const isOver = status === 'SUSPENDED' || status === 'CANCELED'
  const isOn = (name: CenterFeature) => features !== undefined && !isOver && features[name] !== false
  return {
    ...{ booking: isOn('booking'), attendance: isOn('attendance'), families: isOn('families') },
    ...{ workflowSettings: isOn('workflowSettings'), center: data },
  }
}
