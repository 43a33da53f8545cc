/** From when each role of a member counts for approvals, while it does not yet, and the button by which another ADMIN confirms it. */
import type { ListedMember, WaitingMember } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Time } from '../../ui/time.tsx'
import { useCenterWords } from './words.ts'

export function MemberEligibility({ member: { id } }: { readonly member: ListedMember }) {
  const say = useCenterWords()
  const done = useDoneWords()
  const { data } = useQuery({
    queryKey: ['members', 'waiting'],
    queryFn: ({ signal }) => api.memberships.listWaiting({ signal }),
  })
  const confirm = useChange<WaitingMember['role']>(
    ['members'],
    (role) => api.memberships.confirm(id, role === 'ADMIN' || role === 'INSTRUCTOR' ? { role } : {}),
    { told: () => done('roleConfirmed') },
  )
  const waiting = data?.filter(({ membershipId }) => membershipId === id) ?? []
  if (waiting.length === 0) return null
  return (
    <>
      {waiting.map(({ role, countsFrom, mayConfirm }) => (
        <div key={role} className="center-counts">
          <p className="waiting">
            <span aria-hidden="true">◷ </span>
            {say('countsFrom', { role: say(`role${role}`) })} <Time at={countsFrom} />
          </p>
          <p className="soft small">{say(mayConfirm ? 'mayConfirm' : 'mayNotConfirm')}</p>
          {mayConfirm && (
            <button type="button" className="btn" disabled={confirm.isPending} onClick={() => confirm.mutate(role)}>
              {say('confirmRole')}
            </button>
          )}
        </div>
      ))}
      <p className="soft small">{say('countsWhy')}</p>
      <ErrorLine error={confirm.error} />
    </>
  )
}
