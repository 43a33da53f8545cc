/** Everything that a center has, as files to take along; and the sandboxes to try things out in. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { download } from '../../app/download.ts'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { Part } from '../../ui/desk.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { failureOf } from '../../ui/failure.ts'
import { Hash } from '../../ui/hash.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import './center.css'
import { Sandboxes } from './sandboxes.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { useCenterWords } from './words.ts'

const tones = { running: 'waiting', completed: 'verified', failed: 'broken', expired: 'plain' } as const

export function DataPage() {
  const say = useCenterWords()
  const { center } = useParams({ from: '/c/$center/data' })
  return (
    <SettingsFrame center={center} title={say('data')}>
      <Export center={center} />
      <Leaving />
      <Sandboxes center={center} />
    </SettingsFrame>
  )
}

/** Nothing here ends a center: only the operator deletes one, and only what the last export covers. */
function Leaving() {
  const say = useCenterWords()
  return (
    <Part title={say('leaving')}>
      <ol className="center-steps">
        <li>{say('leaving1')}</li>
        <li>{say('leaving2')}</li>
        <li>{say('leaving3')}</li>
      </ol>
      <p className="soft">{say('leavingKeeps')}</p>
    </Part>
  )
}

function Export({ center }: { readonly center: string }) {
  const say = useCenterWords()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['export', center],
    queryFn: async ({ signal }) => {
      try {
        return await api.centerExports.get(center, { signal })
      } catch (failure) {
        if (failureOf(failure).code === 'NOT_FOUND') return null
        throw failure
      }
    },
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 30_000 : false),
  })
  const begin = useChange(['export'], () => api.centerExports.create(center), { told: 'shown' })
  const save = useChange([], () => download(`/api/centers/${center}/export.tar`, `${center}.tar`), { told: 'file' })
  return (
    <Part title={say('export')}>
      <p>{say('exportText')}</p>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data && (
        <dl className="facts">
          <dt>{say('status')}</dt>
          <dd>
            <StatusWord tone={tones[data.status]}>{say(`export${data.status}`)}</StatusWord>{' '}
            {data.status === 'running' && (
              <>
                <progress
                  className="center-progress"
                  aria-label={say('export')}
                  max={data.progress.of}
                  value={data.progress.done}
                />{' '}
                <span className="soft small">
                  {say('exportParts', { done: data.progress.done, of: data.progress.of })}
                  {data.progress.part && ` · ${data.progress.part}`}
                </span>{' '}
                <button type="button" className="quiet" onClick={() => void refetch()}>
                  {say('lookAgain')}
                </button>
              </>
            )}
          </dd>
          <dt>{say('requestedAt')}</dt>
          <dd>
            <Time at={data.requestedAt} />
          </dd>
          <dt>{say('size')}</dt>
          <dd>
            {say('exportSize', {
              files: numberText(data.progress.files, language),
              lines: numberText(data.progress.lines, language),
              kb: numberText(Math.ceil(data.progress.bytes / 1024), language),
            })}
          </dd>
          {data.status === 'completed' && (
            <>
              <dt>{say('keptUntil')}</dt>
              <dd>
                <Time at={data.expiresAt} />
              </dd>
            </>
          )}
          {data.manifestSha256 && (
            <>
              <dt>manifest.json</dt>
              <dd>
                <Hash value={data.manifestSha256} />
              </dd>
            </>
          )}
          {data.reason && (
            <>
              <dt>{say('why')}</dt>
              <dd className="broken">{data.reason}</dd>
            </>
          )}
        </dl>
      )}
      <div className="center-moves">
        {data?.status === 'completed' && (
          <button type="button" className="btn first" disabled={save.isPending} onClick={() => save.mutate()}>
            {say('downloadExport')}
          </button>
        )}
        <button
          type="button"
          className="btn"
          disabled={begin.isPending || data?.status === 'running'}
          onClick={() => begin.mutate()}
        >
          {say(data ? 'exportAgain' : 'beginExport')}
        </button>
      </div>
      <ErrorLine error={begin.error ?? save.error} />
    </Part>
  )
}
