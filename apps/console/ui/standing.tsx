/** Pages that stand in for another: not found, not allowed, ended, moved. Each says what remains safe and what to do. */
import type { ReactNode } from 'react'
import { NoWayIn } from '../app/centers.ts'
import { useSession } from '../app/use-store.ts'
import { useTitle } from './desk.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { Mark } from './picture.tsx'
import { Skeleton } from './skeleton.tsx'
import { useUiWords } from './words.ts'

interface NoticeProperties {
  readonly title: string
  readonly children: ReactNode
}

/** A small sheet in the middle of the desk. */
export function Notice({ title, children }: NoticeProperties) {
  useTitle(title)
  return (
    <main className="notice">
      <Mark size={32} />
      <h1>{title}</h1>
      {children}
    </main>
  )
}

export function Missing() {
  const say = useUiWords()
  return (
    <Notice title={say('notFoundTitle')}>
      <p>{say('notFoundText')}</p>
      <a className="btn" href="/">
        {say('toStart')}
      </a>
    </Notice>
  )
}

export const Waiting = () => (
  <main className="notice">
    <Skeleton rows={3} />
  </main>
)

interface FaultyProperties {
  readonly error: unknown
  readonly reset: () => void
}

export function Faulty({ error, reset }: FaultyProperties) {
  const say = useUiWords()
  return (
    <Notice title={say('errorCode')}>
      <ErrorPanel error={error} onRetry={reset} />
      <a className="link" href="/">
        {say('toStart')}
      </a>
    </Notice>
  )
}

export function CannotEnter({ center, error, reset }: FaultyProperties & { readonly center: string }) {
  const say = useUiWords()
  if (!(error instanceof NoWayIn)) return <Faulty error={error} reset={reset} />
  return (
    <Notice title={say('noAccessTitle', { center })}>
      <p>{say('noAccessText')}</p>
      <a className="btn" href="/choose">
        {say('switchCenter')}
      </a>
    </Notice>
  )
}

interface MovedProperties {
  readonly to: string
  readonly center: string
  readonly onReturn: () => void
}

export function Moved({ to, center, onReturn }: MovedProperties) {
  const say = useUiWords()
  return (
    <Dialog
      title={say('movedTitle', { center: to })}
      onClose={onReturn}
      mustAct
      action={{ text: say('movedBack', { center }), run: onReturn }}
    >
      <p>{say('movedText')}</p>
    </Dialog>
  )
}

/** The page stays as it is below, so that nothing that was typed is lost. */
export function Ended() {
  const say = useUiWords()
  const { status } = useSession()
  if (status !== 'ended') return null
  const next = encodeURIComponent(location.pathname + location.search)
  const leave = () => location.assign(`/login?next=${next}`)
  return (
    <Dialog title={say('endedTitle')} onClose={leave} mustAct action={{ text: say('signIn'), run: leave }}>
      <p>{say('endedText')}</p>
    </Dialog>
  )
}
