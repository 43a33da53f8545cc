/** Where the account is signed in, and the end of each. */
import type { OwnSession } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useMeWords } from './words.ts'

const key = ['sessions']

export function Sessions() {
  const say = useMeWords()
  const done = useDoneWords()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => api.sessions.list({ signal }) })
  const end = useChange<string>(key, (id) => api.sessions.end(id), { told: () => done('sessionEnded') })
  const nameOf = ({ browser, system }: OwnSession['device']) =>
    browser && system ? say('sessionDevice', { browser, system }) : (browser ?? system ?? say('sessionUnknown'))
  return (
    <div id="sessions" className="me-part">
      <Part title={say('sessions')}>
        <p className="soft">{say('sessionsLede')}</p>
        {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton rows={2} />}
        <ul className="me-rows">
          {data?.map(({ id, current, center, provider, device, signedInAt, lastUsedAt }) => (
            <li key={id}>
              <div>
                <b>{nameOf(device)}</b>
                <span className="small soft">
                  {current && `${say('sessionHere')} · `}
                  {center?.name ?? say('sessionNoCenter')}
                  {provider && ` · ${say('sessionProvider')}`}
                </span>
                <span className="small soft">
                  {say('sessionSince', { time: timeText(signedInAt, language) })} ·{' '}
                  {say('sessionUsed', { time: timeText(lastUsedAt, language) })}
                </span>
              </div>
              {!current && (
                <button type="button" className="btn low plain" disabled={end.isPending} onClick={() => end.mutate(id)}>
                  {say('sessionEnd')}
                </button>
              )}
            </li>
          ))}
        </ul>
        {data?.length === 1 && <p className="soft">{say('sessionsOne')}</p>}
        <ErrorLine error={end.error} />
      </Part>
    </div>
  )
}
