/** From when the role of a member counts for approvals, while it does not yet, and the button by which another ADMIN confirms it. */
import type { ListedMember } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Time } from '../../ui/time.tsx'
import { useCenterWords } from './words.ts'

export function MemberEligibility({ member: { id, role } }: { readonly member: ListedMember }) {
  const say = useCenterWords()
  const { data } = useQuery({
    queryKey: ['members', 'waiting'],
    queryFn: ({ signal }) => api.memberships.listWaiting({ signal }),
  })
  const confirmed = role === 'ADMIN' || role === 'INSTRUCTOR' ? { role } : {}
  const confirm = useChange(['members'], () => api.memberships.confirm(id, confirmed))
  const waiting = data?.find(({ membershipId }) => membershipId === id)
  if (!waiting) return null
  return (
    <>
      <p className="waiting">
        <span aria-hidden="true">◷ </span>
        {say('countsFrom')} <Time at={waiting.countsFrom} />
      </p>
      <p className="soft small">{say('countsWhy')}</p>
      <p className="soft small">{say(waiting.mayConfirm ? 'mayConfirm' : 'mayNotConfirm')}</p>
      {waiting.mayConfirm && (
        <button type="button" className="btn" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
          {say('confirmRole')}
        </button>
      )}
      <ErrorLine error={confirm.error} />
    </>
  )
}
