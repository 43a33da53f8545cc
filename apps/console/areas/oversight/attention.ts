/** What somebody should look at: figures of a policy or person that stand out, and are of more than a few decisions. Pure. */
import type { OversightGroup } from '@countersign/sdk'

const fewest = 10
const oftenExpired = 0.1
/** Opened for less than this, a request counts as not read. */
const unreadSeconds = 5
const oftenUnopened = 0.2
const most = 4

export interface Attention {
  readonly by: 'policy' | 'person'
  readonly group: OversightGroup
  readonly why: 'expired' | 'unread' | 'unopened'
  readonly count: number
  readonly of: number
}

export const closedOf = ({ approved, refused, expired, withdrawn }: OversightGroup): number =>
  approved + refused + expired + withdrawn

export function attentionOf(
  policies: readonly OversightGroup[],
  people: readonly OversightGroup[],
): readonly Attention[] {
  const expired = policies.flatMap((group) => {
    const of = closedOf(group)
    const isOften = of >= fewest && group.expired / of >= oftenExpired
    return isOften ? { by: 'policy' as const, group, why: 'expired' as const, count: group.expired, of } : []
  })
  const hasty = people.flatMap((group) => {
    const of = group.approved + group.refused
    if (of < fewest) return []
    const unopened = of - group.opened
    if (unopened / of >= oftenUnopened)
      return { by: 'person' as const, group, why: 'unopened' as const, count: unopened, of }
    const seconds = group.medianSecondsOpen
    if (seconds === null || seconds >= unreadSeconds) return []
    return { by: 'person' as const, group, why: 'unread' as const, count: Math.round(seconds), of }
  })
  return [...expired, ...hasty].slice(0, most)
}
