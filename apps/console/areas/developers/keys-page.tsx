/** API keys: what each may do, and as whom. */
import type { ApiKey } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useShortcuts } from '../../app/keys.ts'
import { queries } from '../../app/queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { DevPage } from './dev-desk.tsx'
import { NewKey, scopes } from './new-key.tsx'
import { ShownOnce } from './shown-once.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/c/$center/developers/keys')

export function KeysPage() {
  const say = useDeveloperWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => api.apiKeys.list({ signal }),
  })
  const filled = route.useSearch()
  const [making, setMaking] = useState(Object.keys(filled).length > 0)
  const [shown, setShown] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  useShortcuts([{ keys: 'n', label: say('addKey'), run: () => setMaking(true) }])
  const add = (
    <button type="button" className="btn" onClick={() => setMaking(true)}>
      {say('addKey')}
    </button>
  )
  return (
    <DevPage here="keys" title={say('keys')} actions={add}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {data?.length === 0 && (
        <Empty title={say('noKeys')}>
          <p className="soft">{say('noKeysNext')}</p>
        </Empty>
      )}
      {data && data.length > 0 && (
        <DataTable
          label={say('keys')}
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              title: say('keyName'),
              cell: ({ name, prefix }) => (
                <>
                  <b>{name}</b> <code className="mono soft">{prefix}…</code>
                </>
              ),
            },
            {
              id: 'scopes',
              title: say('keyScopes'),
              cell: (key) =>
                scopes
                  .filter(([scope]) => key.scopes.includes(scope))
                  .map(([, word]) => say(word))
                  .join(', '),
            },
            {
              id: 'actor',
              title: say('keyActor'),
              cell: ({ actor, keepsWebhooks }) =>
                actor ? (
                  <>
                    <code className="mono">{actor.id}</code>
                    {keepsWebhooks && <span className="soft"> {say('keepsWebhooks')}</span>}
                  </>
                ) : (
                  <span className="soft">{say('anyone')}</span>
                ),
            },
            {
              id: 'used',
              title: say('keyUsed'),
              cell: ({ lastUsedAt }) =>
                lastUsedAt ? <Time at={lastUsedAt} /> : <span className="soft">{say('unused')}</span>,
            },
            {
              id: 'expires',
              title: say('keyExpires'),
              cell: ({ expiresAt }) =>
                expiresAt ? <Time at={expiresAt} form="day" /> : <span className="soft">{say('never')}</span>,
            },
            {
              id: 'revoke',
              title: say('revoke'),
              align: 'right',
              cell: (key) => (
                <button type="button" className="quiet" onClick={() => setRevoking(key)}>
                  {say('revoke')}
                </button>
              ),
            },
          ]}
        />
      )}
      {making && <NewKey filled={filled} onCreated={setShown} onClose={() => setMaking(false)} />}
      {shown !== null && <ShownOnce kind="key" value={shown} onClose={() => setShown(null)} />}
      {revoking && (
        <Confirm
          title={say('revokeTitle')}
          action={say('revoke')}
          onConfirm={async () => {
            await api.apiKeys.revoke(revoking.id)
            await queries.invalidateQueries({ queryKey: ['api-keys'] })
          }}
          onClose={() => setRevoking(null)}
        >
          <p>{say('revokeText', { name: revoking.name })}</p>
        </Confirm>
      )}
    </DevPage>
  )
}
