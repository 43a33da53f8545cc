/** The policies that a center got from the partner. In a franchise only the partner turns them off and on. */
import type { Policy } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { usePartnerWords } from './words.ts'

export function InheritedPolicies({ center }: { readonly center: number }) {
  const say = usePartnerWords()
  const done = useDoneWords()
  const isAdmin = usePartnerAdmin()
  const { data, error } = useQuery({
    queryKey: ['policies', 'inherited', center],
    queryFn: ({ signal }) => api.partner.listCenterPolicies(center, { signal }),
  })
  const turn = useChange<Pick<Policy, 'id' | 'active' | 'name'>>(
    ['policies'],
    ({ id, active }) => api.partner.updateCenterPolicy(center, id, { active: !active }),
    {
      told: (_, { name, active }) => done(active ? 'turnedOff' : 'turnedOn', { name }),
      undo:
        (_, { id, active }) =>
        () =>
          api.partner.updateCenterPolicy(center, id, { active }),
    },
  )
  if (data?.length === 0) return null
  return (
    <Part title={say('inheritedPolicies')}>
      <ul className="partner-policies">
        {data?.map(({ id, name, version, active }) => (
          <li key={id}>
            <span>
              {name} <small className="soft">{say('version', { version })}</small>
            </span>
            <StatusWord tone={active ? 'verified' : 'plain'}>{say(active ? 'policyOn' : 'policyOff')}</StatusWord>
            {isAdmin && (
              <button
                type="button"
                className="btn plain low"
                disabled={turn.isPending}
                onClick={() => turn.mutate({ id, active, name })}
              >
                {say(active ? 'turnOff' : 'turnOn')}
                <span className="unseen"> {name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      <ErrorLine error={error ?? turn.error} />
    </Part>
  )
}
