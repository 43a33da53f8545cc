/** The centers of a person: enter one, or accept an invitation. */
import type { Membership } from '@countersign/sdk'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { useEntryWords } from './words.ts'

interface Properties {
  readonly memberships: readonly Membership[]
  /** The centers that can be entered now: not those that are suspended or closed themselves. */
  readonly authorizedDomains: readonly string[]
}

export function CenterRows({ memberships, authorizedDomains }: Properties) {
  const say = useEntryWords()
  const navigate = useNavigate()
  const accept = useChange<string>(['me'], (id) => api.memberships.accept(id), { told: 'shown' })
  return (
    <>
      <ul className="centers">
        {memberships.map(({ id, centerName, centerDomain, roles, status }) => (
          <li key={id}>
            {status === 'ACTIVE' && authorizedDomains.includes(centerDomain) ? (
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
                    <StatusWord tone="plain">
                      {say(status === 'ACTIVE' ? 'statusClosed' : `status${status}`)}
                    </StatusWord>
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
    </>
  )
}
