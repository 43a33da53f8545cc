/** API keys: what each may do, and as whom. */
import type { ApiKey } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { keysQuery } from '../../app/api-keys.ts'
import { useChange } from '../../app/change.ts'
import { useShortcuts } from '../../app/keys.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { DevPage } from './dev-desk.tsx'
import { soonMs } from './expiry.tsx'
import { NewKey, scopes } from './new-key.tsx'
import { RotateKey } from './rotate-key.tsx'
import { ShownOnce } from './shown-once.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/c/$center/developers/keys')

type KeyState = 'expired' | 'replaced' | 'soon' | 'lasting' | 'endless'

/** A key that has another one in its place isn't announced: it is meant to end. */
function stateOf({ id, expiresAt }: ApiKey, keys: readonly ApiKey[], now: number): KeyState {
  const left = expiresAt ? Date.parse(expiresAt) - now : Number.POSITIVE_INFINITY
  if (left <= 0) return 'expired'
  if (keys.some(({ replaces }) => replaces === id)) return 'replaced'
  if (left < soonMs) return 'soon'
  return expiresAt ? 'lasting' : 'endless'
}
const tones = { expired: 'broken', replaced: 'plain', soon: 'waiting' } as const
const isTold = (state: KeyState): state is keyof typeof tones => state in tones

function Expires({ state, at }: { readonly state: KeyState; readonly at: string | null }) {
  const say = useDeveloperWords()
  if (at === null) return <span className="soft">{say('never')}</span>
  return (
    <>
      {isTold(state) && <StatusWord tone={tones[state]}>{say(`key_${state}`)}</StatusWord>}{' '}
      <Time at={at} form={state === 'lasting' ? 'day' : 'short'} />
    </>
  )
}

export function KeysPage() {
  const say = useDeveloperWords()
  const done = useDoneWords()
  const { data, error, refetch } = useQuery(keysQuery)
  const filled = route.useSearch()
  const [making, setMaking] = useState(Object.keys(filled).length > 0)
  const [shown, setShown] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const revoke = useChange<ApiKey>(['api-keys'], ({ id }) => api.apiKeys.revoke(id), {
    told: (_, { name }) => done('keyRevoked', { name }),
  })
  const [rotating, setRotating] = useState<ApiKey | null>(null)
  const now = Date.now()
  const keys = data ?? []
  const ending = keys.filter((key) => stateOf(key, keys, now) === 'soon')
  useShortcuts([{ keys: 'n', label: say('addKey'), run: () => setMaking(true) }])
  const add = (
    <button type="button" className="btn" onClick={() => setMaking(true)}>
      {say('addKey')}
    </button>
  )
  return (
    <DevPage here="keys" title={say('keys')} actions={add}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {ending.length > 0 && (
        <p className="dev-ending">
          <StatusWord tone="waiting">
            {say('keysEnding', { names: ending.map(({ name }) => name).join(', ') })}
          </StatusWord>
        </p>
      )}
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
              cell: (key) => <Expires state={stateOf(key, keys, now)} at={key.expiresAt} />,
            },
            {
              id: 'moves',
              title: say('keyMoves'),
              align: 'right',
              cell: (key) => (
                <span className="dev-moves">
                  {['soon', 'lasting', 'endless'].includes(stateOf(key, keys, now)) && (
                    <button type="button" className="quiet" onClick={() => setRotating(key)}>
                      {say('rotateKey')}
                    </button>
                  )}
                  <button type="button" className="quiet" onClick={() => setRevoking(key)}>
                    {say('revoke')}
                  </button>
                </span>
              ),
            },
          ]}
        />
      )}
      {making && <NewKey filled={filled} onCreated={setShown} onClose={() => setMaking(false)} />}
      {shown !== null && <ShownOnce kind="key" value={shown} onClose={() => setShown(null)} />}
      {rotating && <RotateKey rotated={rotating} onRotated={setShown} onClose={() => setRotating(null)} />}
      {revoking && (
        <Confirm
          title={say('revokeTitle')}
          action={say('revoke')}
          onConfirm={() => revoke.mutateAsync(revoking)}
          onClose={() => setRevoking(null)}
        >
          <p>{say('revokeText', { name: revoking.name })}</p>
        </Confirm>
      )}
    </DevPage>
  )
}
