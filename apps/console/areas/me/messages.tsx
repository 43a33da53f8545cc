/** Messages: whether this browser shows them, and which ones the person gets. The browser asks for its permission after the click, never before. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { canPush, turnOff, turnOn } from '../../app/push.ts'
import { queries } from '../../app/queries.ts'
import { Part } from '../../ui/desk.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { NotificationChoices } from './notification-choices.tsx'
import { useMeWords } from './words.ts'

const key = ['push']

export function Messages() {
  const say = useMeWords()
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => api.push.get({ signal }) })
  const change = useChange(
    key,
    async ({ to, publicKey }: { readonly to: boolean; readonly publicKey: string }) =>
      to ? turnOn(publicKey) : turnOff().then(() => true),
    { told: 'shown', onFailed: () => void queries.invalidateQueries({ queryKey: key }) },
  )
  const publicKey = data?.publicKey ?? null
  return (
    <div id="messages" className="me-part">
      <Part title={say('messages')}>
        <p className="soft">{say('messagesLede')}</p>
        {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton rows={1} />}
        {data && publicKey === null && <p>{say('messagesOff')}</p>}
        {publicKey !== null && !canPush() && <p>{say('messagesUnable')}</p>}
        {data && publicKey !== null && canPush() && (
          <label className="me-switch">
            <input
              type="checkbox"
              checked={data.subscribed}
              disabled={change.isPending}
              onChange={({ target }) => change.mutate({ to: target.checked, publicKey })}
            />
            {say('messagesHere')}
          </label>
        )}
        <p role="status">{change.data === false && say('messagesDenied')}</p>
        <ErrorLine error={change.error} />
        <NotificationChoices />
      </Part>
    </div>
  )
}
