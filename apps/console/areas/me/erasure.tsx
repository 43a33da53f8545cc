/** The end of the account: first what ends, what stays and what stands in the way, then the deletion. */
import type { AccountErasure } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { endSession } from '../../app/session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useMeWords } from './words.ts'

const named = (centers: readonly { readonly name: string }[]) => centers.map(({ name }) => name).join(', ')

function Shown({ erasure: { obstacles, ends, keeps } }: { readonly erasure: AccountErasure }) {
  const say = useMeWords()
  return (
    <>
      {obstacles.length > 0 && (
        <>
          <p className="fault">{say('erasureBlocked')}</p>
          <ul className="me-list">
            {obstacles.map(({ reason, name }) => (
              <li key={`${reason} ${name}`}>{say(`obstacle.${reason}`, { name: name ?? '' })}</li>
            ))}
          </ul>
        </>
      )}
      <h3>{say('erasureEnds')}</h3>
      <ul className="me-list">
        <li>{say('erasureSignIn', { passkeys: ends.passkeys, sessions: ends.sessions })}</li>
        <li>
          {ends.memberships.length > 0
            ? say('erasureMemberships', { centers: named(ends.memberships) })
            : say('erasureNoMemberships')}
        </li>
        {ends.children > 0 && <li>{say('erasureChildren', { count: ends.children })}</li>}
      </ul>
      <h3>{say('erasureKeeps')}</h3>
      <ul className="me-list">
        <li>
          {keeps.centers.length > 0 ? say('erasureSealed', { centers: named(keeps.centers) }) : say('erasureNothing')}
        </li>
        {keeps.children > 0 && <li>{say('erasureKept', { count: keeps.children })}</li>}
      </ul>
    </>
  )
}

export function Erasure({ actorId }: { readonly actorId: string }) {
  const say = useMeWords()
  const navigate = useNavigate()
  const [step, setStep] = useState<'closed' | 'shown' | 'asked'>('closed')
  const { data, error, refetch } = useQuery({
    queryKey: ['erasure'],
    queryFn: ({ signal }) => api.auth.getErasure({ signal }),
    enabled: step !== 'closed',
    gcTime: 0,
  })
  const erase = useChange(
    [],
    async () => {
      await api.auth.deleteMe({ actorId })
      await endSession()
    },
    { told: 'opens', onDone: () => void navigate({ href: '/account/deleted', replace: true }) },
  )
  return (
    <div id="erasure" className="me-part">
      <Part title={say('erasure')}>
        <p className="soft">{say('erasureLede')}</p>
        {step === 'closed' && (
          <button type="button" className="btn" onClick={() => setStep('shown')}>
            {say('erasureShow')}
          </button>
        )}
        {step !== 'closed' && error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {step !== 'closed' && !data && !error && <Skeleton rows={4} />}
        {step !== 'closed' && data && <Shown erasure={data} />}
        {step !== 'closed' && data?.obstacles.length === 0 && (
          <button type="button" className="btn danger" onClick={() => setStep('asked')}>
            {say('erasureDo')}
          </button>
        )}
        {step === 'asked' && (
          <Confirm
            title={say('erasureAsk')}
            action={say('erasureDo')}
            word={say('erasureWord')}
            onConfirm={() => erase.mutateAsync()}
            onClose={() => setStep('shown')}
          >
            <p>{say('erasureSure')}</p>
          </Confirm>
        )}
      </Part>
    </div>
  )
}
