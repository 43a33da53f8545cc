/** The person's appointments in other programs: the secret address, shown once, and whether it has names. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useMeWords } from './words.ts'

const key = ['calendar']

function Address({ url }: { readonly url: string }) {
  const say = useMeWords()
  return (
    <>
      <p>{say('calendarOnce')}</p>
      <p className="me-secret">
        <code className="mono">{url}</code>
        <Copy text={url} what={say('calendarAddress')} />
      </p>
      <p>
        <a className="btn plain" href={url.replace(/^https?:/, 'webcal:')}>
          {say('calendarOpen')}
        </a>
      </p>
      <p className="soft small">{say('calendarHow')}</p>
    </>
  )
}

export function Calendar() {
  const say = useMeWords()
  const done = useDoneWords()
  const language = useLanguage()
  const [url, setUrl] = useState<string | null>(null)
  const [asked, setAsked] = useState<'reset' | 'off' | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.calendarFeed.get({ signal }),
  })
  const [chosen, setChosen] = useState<boolean | null>(null)
  const names = chosen ?? data?.names ?? false
  const make = useChange(key, async () => setUrl((await api.calendarFeed.create({ names })).url), {
    told: 'shown',
  })
  const show = useChange(key, (to: boolean) => api.calendarFeed.update({ names: to }), { told: 'shown' })
  const isOn = data?.createdAt != null
  const choose = (to: boolean) => {
    setChosen(to)
    if (isOn) show.mutate(to, { onError: () => setChosen(null) })
  }
  const off = useChange(key, () => api.calendarFeed.delete(), {
    told: () => done('calendarOff'),
    onDone: () => setUrl(null),
  })
  return (
    <div id="calendar" className="me-part">
      <Part title={say('calendar')}>
        <p className="soft">{say('calendarLede')}</p>
        {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton rows={2} />}
        {data && (
          <>
            <label className="me-switch">
              <input
                type="checkbox"
                checked={names}
                disabled={show.isPending}
                onChange={({ target }) => choose(target.checked)}
              />
              {say('calendarNames')}
            </label>
            <p className="soft small">{say('calendarNamesHint')}</p>
            {url !== null && <Address url={url} />}
            {data.createdAt !== null && (
              <p role="status">{say('calendarSince', { time: timeText(data.createdAt, language) })}</p>
            )}
            <div className="me-buttons">
              {isOn ? (
                <>
                  <button type="button" className="btn plain" onClick={() => setAsked('reset')}>
                    {say('calendarReset')}
                  </button>
                  <button type="button" className="btn plain" onClick={() => setAsked('off')}>
                    {say('calendarOff')}
                  </button>
                </>
              ) : (
                <button type="button" className="btn" disabled={make.isPending} onClick={() => make.mutate()}>
                  {say('calendarOn')}
                </button>
              )}
            </div>
          </>
        )}
        <ErrorLine error={make.error ?? show.error} />
        {asked === 'reset' && (
          <Confirm
            title={say('calendarReset')}
            action={say('calendarReset')}
            onConfirm={() => make.mutateAsync()}
            onClose={() => setAsked(null)}
          >
            <p>{say('calendarResetText')}</p>
          </Confirm>
        )}
        {asked === 'off' && (
          <Confirm
            title={say('calendarOff')}
            action={say('calendarOff')}
            onConfirm={() => off.mutateAsync()}
            onClose={() => setAsked(null)}
          >
            <p>{say('calendarOffText')}</p>
          </Confirm>
        )}
      </Part>
    </div>
  )
}
