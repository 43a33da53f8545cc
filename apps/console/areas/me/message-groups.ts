/** Which groups of messages can concern a person at all, by their roles in all centers. */
import type { CurrentActor, NotificationSettings } from '@countersign/sdk'

type Group = NotificationSettings['groups'][number]['group']

/** Nobody else gets a message of these groups; the other groups are for everybody. */
const roleOf: Readonly<Partial<Record<Group, readonly string[]>>> = {
  decisions: ['ADMIN', 'INSTRUCTOR'],
  center: ['ADMIN'],
  subscription: ['ADMIN'],
}

const isOver = ({ status }: CurrentActor['memberships'][number]) => status === 'ENDED' || status === 'REJECTED'

/** All groups where the roles say nothing: of somebody in no center, and of whoever acts for a partner. */
export function groupsFor(
  me: Pick<CurrentActor, 'memberships' | 'partnerRole'> | undefined,
): (group: Group) => boolean {
  const roles: readonly string[] = me?.memberships.flatMap((each) => (isOver(each) ? [] : each.roles)) ?? []
  if (me?.partnerRole || roles.length === 0) return () => true
  return (group) => roleOf[group]?.some((role) => roles.includes(role)) ?? true
}
