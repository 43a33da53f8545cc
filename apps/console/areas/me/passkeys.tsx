/** One's own passkeys. Removing one is sealed in every center and cannot be undone. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { checkNumber, hasPasskeys } from '../../app/passkeys.ts'
import { queries } from '../../app/queries.ts'
import { useSession } from '../../app/use-store.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { OwnStanding } from '../../ui/own-standing.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { useMeWords } from './words.ts'

const key = ['passkeys']

export function Passkeys({ actorId }: { readonly actorId: string }) {
  const say = useMeWords()
  const done = useDoneWords()
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => api.passkeys.list({ signal }) })
  const [leaving, setLeaving] = useState<{ id: string; name: string } | null>(null)
  const isInCenter = useSession().session?.center != null
  const remove = useChange<{ id: string; name: string }>(key, ({ id }) => api.passkeys.remove(id), {
    told: (_, { name }) => done('removed', { name }),
  })
  const again = () => queries.invalidateQueries({ queryKey: key })
  return (
    <div id="passkeys" className="me-part">
      <Part title={say('passkeys')}>
        <p className="soft">{say('passkeysLede')}</p>
        {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton rows={2} />}
        {data?.length === 0 && <p>{say('passkeysNone')}</p>}
        <ul className="me-rows">
          {data?.map((passkey) => {
            const name = passkey.name ?? say('passkeyUnnamed')
            return (
              <li key={passkey.id}>
                <div>
                  <b>{name}</b>
                  <span className="small soft">
                    {say('passkeyNumber')} <span className="mono">{checkNumber(passkey.thumbprint)}</span>
                  </span>
                  <span className="small soft">
                    {say('passkeyMade')} <Time at={passkey.createdAt} />
                    {passkey.lastUsedAt && (
                      <>
                        {' · '}
                        {say('passkeyUsed')} <Time at={passkey.lastUsedAt} />
                      </>
                    )}
                  </span>
                  <span className="small soft">{say(passkey.backupEligible ? 'passkeySynced' : 'passkeyLocal')}</span>
                </div>
                <button type="button" className="btn low plain" onClick={() => setLeaving({ id: passkey.id, name })}>
                  {say('passkeyRemove')}
                </button>
              </li>
            )
          })}
        </ul>
        {isInCenter && <OwnStanding />}
        {hasPasskeys() ? <AddPasskey actorId={actorId} onDone={again} /> : <p>{say('passkeysUnable')}</p>}
      </Part>
      {leaving && (
        <Confirm
          title={say('passkeyRemoveTitle', { name: leaving.name })}
          action={say('passkeyRemove')}
          onConfirm={() => remove.mutateAsync(leaving)}
          onClose={() => setLeaving(null)}
        >
          <p>{say('passkeyRemoveText')}</p>
        </Confirm>
      )}
    </div>
  )
}
