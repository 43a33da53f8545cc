/** The centers of a person: enter one, or accept an invitation. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { meQuery, queries, useMe } from '../../app/queries.ts'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { EntryFrame } from './frame.tsx'
import { useEntryWords } from './words.ts'

export function ChoosePage() {
  const say = useEntryWords()
  const navigate = useNavigate()
  const { data: me, error, refetch } = useMe()
  const accept = useMutation({
    mutationFn: (id: string) => api.memberships.accept(id),
    onSuccess: () => queries.invalidateQueries(meQuery),
  })
  return (
    <EntryFrame title={say('chooseTitle')} lede={say('chooseLede')}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!me && !error && <Skeleton rows={3} />}
      <ul className="centers">
        {me?.memberships.map(({ id, centerName, centerDomain, roles, status }) => (
          <li key={id}>
            {status === 'ACTIVE' ? (
              <button type="button" className="center-row" onClick={() => navigate({ href: `/c/${centerDomain}` })}>
                <span>
                  <b>{centerName}</b>
                  <small>{roles.map((role) => say(`role${role}`)).join(' · ')}</small>
                </span>
                <span aria-hidden="true">→</span>
              </button>
            ) : (
              <div className="center-row">
                <span>
                  <b>{centerName}</b>
                  <small>
                    {roles.map((role) => say(`role${role}`)).join(' · ')} ·{' '}
                    <StatusWord tone="plain">{say(`status${status}`)}</StatusWord>
                  </small>
                </span>
                {status === 'INVITED' && (
                  <button type="button" className="btn low" onClick={() => accept.mutate(id)}>
                    {say('accept')}
                  </button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      <ErrorLine error={accept.error} />
    </EntryFrame>
  )
}
