/** The groups of the list, by risk or by deadline. Pure. */
import type { InboxItem, InboxOrder } from '@countersign/sdk'

type GroupKey =
  | 'groupUnknown'
  | 'groupHigh'
  | 'groupMiddle'
  | 'groupLow'
  | 'groupToday'
  | 'groupWeek'
  | 'groupLater'
  | 'groupNever'

const [high, middle] = [0.7, 0.4]
const dayMs = 86_400_000

function groupOf({ riskScore, expiresAt }: InboxItem, sort: InboxOrder, now: number): GroupKey {
  if (sort === 'risk') {
    if (riskScore === null) return 'groupUnknown'
    return riskScore >= high ? 'groupHigh' : riskScore >= middle ? 'groupMiddle' : 'groupLow'
  }
  if (expiresAt === null) return 'groupNever'
  const left = Date.parse(expiresAt) - now
  return left <= dayMs ? 'groupToday' : left <= 7 * dayMs ? 'groupWeek' : 'groupLater'
}

/** In the order of the server. */
export function groupsOf(items: readonly InboxItem[], sort: InboxOrder, now: number) {
  const groups: { key: GroupKey; items: InboxItem[] }[] = []
  for (const item of items) {
    const key = groupOf(item, sort, now)
    const last = groups.at(-1)
    if (last?.key === key) last.items.push(item)
    else groups.push({ key, items: [item] })
  }
  return groups
}
