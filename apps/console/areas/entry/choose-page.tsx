/** All centers of a person. */
import { useMe } from '../../app/queries.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EntryFrame } from './frame.tsx'
import { CenterRows } from './rows.tsx'
import { useEntryWords } from './words.ts'

export function ChoosePage() {
  const say = useEntryWords()
  const { data: me, error, refetch } = useMe()
  return (
    <EntryFrame title={say('chooseTitle')} lede={say('chooseLede')}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!me && !error && <Skeleton rows={3} />}
      <CenterRows memberships={me?.memberships ?? []} authorizedDomains={me?.authorizedDomains ?? []} />
    </EntryFrame>
  )
}
