/** Whether administrators work here only with a passkey, and who could not yet. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useSession } from '../../app/use-store.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part } from '../../ui/desk.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useCenterWords } from './words.ts'

export function AdminPasskeysPart({ center }: { readonly center: string }) {
  const say = useCenterWords()
  const { session } = useSession()
  const [asking, setAsking] = useState(false)
  const found = useQuery({
    queryKey: ['admin-passkeys', center],
    queryFn: ({ signal }) => api.adminPasskeys.get(center, { signal }),
  })
  const set = useChange<boolean>(['admin-passkeys'], (required) => api.adminPasskeys.set(center, { required }), {
    told: 'shown',
  })
  return (
    <Part title={say('adminPasskeys')}>
      <p className="check-how">{say('adminPasskeysText')}</p>
      <Loaded query={found} skeletonRows={2}>
        {({ required, admins }) => {
          const without = admins.filter(({ counts }) => !counts)
          // Whoever asks others for one must have one.
          const lacksOwn = without.some(({ actorId }) => actorId === session?.actor.id)
          const names = without.map(({ name }) => name).join(', ')
          return (
            <div className="center-asks">
              <p className={required ? 'verified' : undefined}>
                {say(required ? 'adminPasskeysOn' : 'adminPasskeysOff')}
              </p>
              {without.length > 0 && (
                <p className="waiting check-how">
                  <span aria-hidden="true">◌ </span>
                  {say(required ? 'adminsShutOut' : 'adminsWithout', { names })}{' '}
                  <Link to="/c/$center/members" params={{ center }} search={{ show: 'passkeys' }} className="link">
                    {say('passkeysHead')}
                  </Link>
                </p>
              )}
              {!required && lacksOwn && (
                <p className="soft check-how">
                  {say('adminPasskeysOwn')}{' '}
                  <a href="/me#passkeys" className="link">
                    {say('adminPasskeysOwnAdd')}
                  </a>
                </p>
              )}
              <button
                type="button"
                className="btn"
                disabled={set.isPending || (!required && lacksOwn)}
                onClick={() => (required || without.length > 0 ? setAsking(true) : set.mutate(true))}
              >
                {say(required ? 'adminPasskeysEnd' : 'adminPasskeysAsk')}
              </button>
              <ErrorLine error={asking ? null : set.error} />
              {asking && (
                <Confirm
                  title={say(required ? 'adminPasskeysEndTitle' : 'adminPasskeysAskTitle')}
                  action={say(required ? 'adminPasskeysEnd' : 'adminPasskeysAsk')}
                  onConfirm={() => set.mutateAsync(!required)}
                  onClose={() => setAsking(false)}
                >
                  <p>{required ? say('adminPasskeysEndText') : say('adminPasskeysAskText', { names })}</p>
                </Confirm>
              )}
            </div>
          )
        }}
      </Loaded>
    </Part>
  )
}
