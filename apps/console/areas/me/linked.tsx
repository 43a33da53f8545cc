/** Accounts of sign-in providers that are linked to the person: which, since when, one more, and unlinking. */
import type { CurrentActor, OidcAccount, SignInOption } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, entryApi } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { noteLinking } from '../../app/linking.ts'
import { timeText } from '../../ui/clock.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useMeWords } from './words.ts'

const key = ['linked-accounts']

export function Linked({ me }: { readonly me: CurrentActor }) {
  const say = useMeWords()
  const done = useDoneWords()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.auth.listOidcAccounts({ signal }),
  })
  const [leaving, setLeaving] = useState<OidcAccount | null>(null)
  const [isAdding, setAdding] = useState(false)
  const unlink = useChange<OidcAccount>([...key, 'sessions'], ({ id }) => api.auth.unlinkOidcAccount(id), {
    told: (_, { provider }) => done('unlinked', { name: provider.name }),
  })
  return (
    <div id="linked" className="me-part">
      <Part title={say('linked')}>
        <p className="soft">{say('linkedLede')}</p>
        {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton rows={1} />}
        {data?.length === 0 && <p>{say('linkedNone')}</p>}
        <ul className="me-rows">
          {data?.map((account) => (
            <li key={account.id}>
              <div>
                <b>{account.provider.name}</b>
                <span className="small soft">
                  {say('linkedFacts', {
                    domain: account.emailDomain,
                    time: timeText(account.linkedAt, language),
                  })}
                </span>
                <span className="small soft mono">{account.provider.issuer}</span>
              </div>
              <button type="button" className="btn low plain" onClick={() => setLeaving(account)}>
                {say('unlink')}
                <span className="unseen"> {account.provider.name}</span>
              </button>
            </li>
          ))}
        </ul>
        {isAdding ? (
          <Ways me={me} linked={data ?? []} onCancel={() => setAdding(false)} />
        ) : (
          <button type="button" className="btn" disabled={!data} onClick={() => setAdding(true)}>
            {say('linkAnother')}
          </button>
        )}
      </Part>
      {leaving && (
        <Confirm
          title={say('unlinkTitle', { name: leaving.provider.name })}
          action={say('unlink')}
          onConfirm={() => unlink.mutateAsync(leaving)}
          onClose={() => setLeaving(null)}
        >
          <p>{say('unlinkText', { name: leaving.provider.name })}</p>
        </Confirm>
      )}
    </div>
  )
}

interface Way extends SignInOption {
  readonly centerDomain: string
}

/** Anybody may ask which providers a center has, as often as a stranger may. */
const maxCenters = 10

interface WaysProperties {
  readonly me: CurrentActor
  readonly linked: readonly OidcAccount[]
  onCancel(): void
}

function Ways({ me, linked, onCancel }: WaysProperties) {
  const say = useMeWords()
  const centers = me.memberships.filter(({ status }) => status === 'ACTIVE').slice(0, maxCenters)
  const found = useQuery({
    queryKey: ['sign-in', 'of', me.actorId],
    async queryFn({ signal }) {
      const answers = centers.map(async ({ centerDomain }) =>
        (await entryApi().auth.listSignInOptions({ centerDomain }, { signal })).map((each) => ({
          ...each,
          centerDomain,
        })),
      )
      const ways = (await Promise.all(answers)).flat()
      // A provider of a partner is in all of its centers.
      return [...new Map(ways.map((way) => [way.id, way])).values()]
    },
  })
  // A cookie binds the sign-in to the host of `url`, so it begins there.
  const leave = useChange<Way>(
    [],
    async ({ id, url, centerDomain }) => {
      if (new URL(url).origin !== location.origin) return location.assign(url)
      const { authorizationUrl } = await entryApi().auth.startOidcLogin({ providerId: id, centerDomain })
      const { protocol, href } = new URL(authorizationUrl)
      if (protocol !== 'https:' && protocol !== 'http:') return
      noteLinking()
      location.assign(href)
    },
    { told: 'opens' },
  )
  const other = (ways: readonly Way[]) => ways.filter(({ id }) => !linked.some(({ provider }) => provider.id === id))
  return (
    <div className="me-form">
      <Loaded query={found} skeletonRows={1}>
        {(ways) => (
          <>
            <p role="status">{say(other(ways).length > 0 ? 'linkWith' : 'linkNoWay')}</p>
            {other(ways).map((way) => (
              <button
                key={way.id}
                type="button"
                className="btn"
                disabled={leave.isPending}
                onClick={() => leave.mutate(way)}
              >
                {say('linkTo', { name: way.name })}
              </button>
            ))}
          </>
        )}
      </Loaded>
      <button type="button" className="btn plain" onClick={onCancel}>
        {say('cancel')}
      </button>
      <ErrorLine error={leave.error} />
    </div>
  )
}
