/** The person who is signed in. */
import { useMe } from '../../app/queries.ts'
import { Page, Part } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useMeWords } from './words.ts'

export function ProfilePage() {
  const say = useMeWords()
  const { data: me, error, refetch } = useMe()
  return (
    <Page title={say('title')}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!me && !error && <Skeleton rows={4} />}
      {me && (
        <Part title={say('person')}>
          <dl className="facts">
            <dt>{say('name')}</dt>
            <dd>{me.name}</dd>
            <dt>{say('email')}</dt>
            <dd>{me.email}</dd>
            <dt>{say('centers')}</dt>
            <dd>{me.memberships.map(({ centerName }) => centerName).join(', ')}</dd>
          </dl>
        </Part>
      )}
    </Page>
  )
}
