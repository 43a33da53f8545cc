/** The sandboxes of a center: made with a name, refreshed from the center, and ended. */
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Time } from '../../ui/time.tsx'
import { useCenter } from './settings-page.tsx'
import { useCenterWords } from './words.ts'

/** As many as the server accepts. */
const most = 10
const longestName = 60

export function Sandboxes({ center }: { readonly center: string }) {
  const say = useCenterWords()
  const { data: own } = useCenter(center)
  if (!own) return null
  return <Part title={say('sandboxes')}>{own.sandbox ? <p>{say('isSandbox')}</p> : <OfCenter center={center} />}</Part>
}

function OfCenter({ center }: { readonly center: string }) {
  const say = useCenterWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['sandboxes', center],
    queryFn: ({ signal }) => api.sandboxes.list(center, { signal }),
  })
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  return (
    <>
      <p>{say('sandboxText')}</p>
      {data?.length === 0 && <p>{say('noSandboxes')}</p>}
      <ul className="sandboxes">
        {data?.map((sandbox) => (
          <Row key={sandbox.id} center={center} sandbox={sandbox} />
        ))}
      </ul>
      {data && (data.length < most ? <Make center={center} /> : <p>{say('sandboxesFull')}</p>)}
    </>
  )
}

interface Shown {
  readonly id: number
  readonly name: string
  readonly refreshedAt: string
}

function Row({ center, sandbox }: { readonly center: string; readonly sandbox: Shown }) {
  const say = useCenterWords()
  const done = useDoneWords()
  const [ending, setEnding] = useState(false)
  const { name } = sandbox
  const refresh = useChange(['sandboxes'], () => api.sandboxes.refresh(center, sandbox.id), {
    told: () => done('sandboxReset', { name }),
  })
  const end = useChange(['sandboxes', 'me', 'centers'], () => api.sandboxes.end(center, sandbox.id), {
    told: () => done('sandboxEnded', { name }),
  })
  return (
    <li>
      <div className="sandbox-name">
        <strong>{name}</strong>
        <span>
          {say('sandboxRefreshed')} <Time at={sandbox.refreshedAt} />
        </span>
      </div>
      <div className="center-moves">
        <button
          type="button"
          className="btn plain"
          aria-label={say('refreshSandboxOf', { name })}
          disabled={refresh.isPending}
          onClick={() => refresh.mutate()}
        >
          {say('refreshSandbox')}
        </button>
        <button
          type="button"
          className="btn plain"
          aria-label={say('endSandboxOf', { name })}
          onClick={() => setEnding(true)}
        >
          {say('endSandbox')}
        </button>
      </div>
      <ErrorLine error={refresh.error} />
      {ending && (
        <Confirm
          title={say('endSandboxTitle', { name })}
          action={say('endSandbox')}
          onConfirm={() => end.mutateAsync()}
          onClose={() => setEnding(false)}
        >
          <p>{say('endSandboxText')}</p>
        </Confirm>
      )}
    </li>
  )
}

function Make({ center }: { readonly center: string }) {
  const say = useCenterWords()
  const id = useId()
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | null>(null)
  const make = useChange(
    ['sandboxes', 'me', 'centers'],
    async () => {
      const made = await api.sandboxes.add(center, { name: name.trim() })
      setKey(made.key.key)
      setName('')
    },
    { told: 'shown' },
  )
  return (
    <form
      className="sandbox-make"
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <label htmlFor={id}>{say('sandboxName')}</label>
      <div className="center-moves">
        <input
          id={id}
          className="field"
          data-field="name"
          value={name}
          maxLength={longestName}
          required
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="btn" disabled={make.isPending || name.trim() === ''}>
          {say('createSandbox')}
        </button>
      </div>
      <ErrorLine error={make.error} />
      {key && (
        <div role="status">
          <p>{say('sandboxMade')}</p>
          <code className="sandbox-key">{key}</code>
        </div>
      )}
    </form>
  )
}
