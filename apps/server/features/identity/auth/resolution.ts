/** The destination after signing in, in the order of the specification's part 5.8. Pure. */
import type { Destination } from '@countersign/contract/enums.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import type { FamilyMembership } from '../../../access/queries.ts'

export interface Resolution {
  readonly center: FamilyMembership | null
  readonly destination: Destination
}

export interface ResolutionInput {
  readonly memberships: readonly FamilyMembership[]
  /** The centers that have proven the domain of the person's verified email address, or whose partner has. */
  readonly ofEmailDomain: ReadonlySet<number>
  readonly isPartner: boolean
  readonly lastTenant: string | undefined
}

export const canEnter = (membership: FamilyMembership): boolean =>
  membership.status === 'ACTIVE' && membership.center_status === 'ACTIVE'

export const resolvedTo = (center: FamilyMembership): Resolution => ({
  center,
  destination: center.role === 'ADMIN' ? 'admin_dashboard' : 'workspace',
})

export function resolveDestination(input: ResolutionInput): Resolution {
  const open = withoutSandboxes(input.memberships.filter(canEnter), input)
  const administered = open.filter((membership) => membership.role === 'ADMIN')
  if (administered.length > 0) return resolvedTo(prefer(administered, input) ?? (administered[0] as FamilyMembership))
  const center = prefer(open, input)
  return center ? resolvedTo(center) : withoutCenter(input)
}

/** A sandbox is entered by choice: it counts when it was visited last, or when there is no other center. */
function withoutSandboxes(
  open: readonly FamilyMembership[],
  { lastTenant }: ResolutionInput,
): readonly FamilyMembership[] {
  const sandboxes = open.filter(({ center_id }) => isSandboxCenter(center_id))
  const visited = sandboxes.find(({ center_domain }) => center_domain === lastTenant)
  if (visited) return [visited]
  return sandboxes.length === open.length ? open : open.filter((each) => !sandboxes.includes(each))
}

/** The last visited center, then the only one, then the only one that has proven the domain of the email address. */
function prefer(
  candidates: readonly FamilyMembership[],
  { ofEmailDomain, lastTenant }: ResolutionInput,
): FamilyMembership | undefined {
  const visited = candidates.find((membership) => membership.center_domain === lastTenant)
  if (visited) return visited
  if (candidates.length === 1) return candidates[0]
  const [match, ...others] = candidates.filter(({ center_id }) => ofEmailDomain.has(center_id))
  return others.length === 0 ? match : undefined
}

/** For a session that has entered no center. */
export function withoutCenter({
  memberships,
  isPartner,
}: Pick<ResolutionInput, 'memberships' | 'isPartner'>): Resolution {
  const destination = (): Destination => {
    if (memberships.some(canEnter)) return 'tenant_picker'
    if (isPartner) return 'partner_dashboard'
    return memberships.some(({ status }) => status === 'INVITED' || status === 'PENDING') ? 'waiting' : 'onboarding'
  }
  return { center: null, destination: destination() }
}
