/** Between an account and a center: for each standing the one thing that the person can do. */
import type { CurrentActor, Membership } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../../app/api.ts'
import { startOf } from '../../app/centers.ts'
import { useChange } from '../../app/change.ts'
import { meQuery, queries } from '../../app/queries.ts'
import { endSession, renewSession, sessionState } from '../../app/session.ts'
import { useSession } from '../../app/use-store.ts'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { NewCenterForm } from '../../ui/new-center/form.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EntryFrame } from './frame.tsx'
import { CenterRows } from './rows.tsx'
import { useEntryWords } from './words.ts'

function Leave() {
  const say = useEntryWords()
  const navigate = useNavigate()
  const leave = async () => {
    await endSession()
    await navigate({ href: '/login' })
  }
  return (
    <button type="button" className="btn plain" onClick={leave}>
      {say('signOut')}
    </button>
  )
}

/** The page enters an open center by itself. Otherwise the server names the next page again, when the session is renewed. */
function CheckAgain() {
  const say = useEntryWords()
  const navigate = useNavigate()
  const check = async () => {
    const me = await queries.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => null)
    if (me && openIn(me)) return
    await renewSession(sessionState().session?.accessToken ?? null)
    const { session } = sessionState()
    await navigate({ href: session ? startOf(session) : '/login' })
  }
  return (
    <button type="button" className="btn" onClick={check}>
      {say('checkAgain')}
    </button>
  )
}

const openIn = ({ memberships, authorizedDomains }: CurrentActor) =>
  memberships.find(({ status, centerDomain }) => status === 'ACTIVE' && authorizedDomains.includes(centerDomain))

const askMs = 30_000
const order = ['INVITED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'ENDED', 'REJECTED'] as const

/** What the person can do something about comes first. ACTIVE: the center itself is suspended or closed. */
const byUse = ({ memberships, authorizedDomains }: CurrentActor): Membership[] =>
  memberships
    .filter(({ status, centerDomain }) => status !== 'ACTIVE' || !authorizedDomains.includes(centerDomain))
    .toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status))

function Standing({ membership }: { readonly membership: Membership }) {
  const say = useEntryWords()
  const { id, centerName: center, role, status } = membership
  const accept = useChange(['me'], () => api.memberships.accept(id), { told: 'shown' })
  const decline = useChange(['me'], () => api.memberships.decline(id), { told: 'shown' })
  return (
    <>
      <p>
        {status === 'ACTIVE'
          ? say('standClosedText', { center })
          : say(`stand${status}Text`, { center, role: say(`role${role}`) })}
      </p>
      {status === 'INVITED' ? (
        <>
          <button type="button" className="btn first" disabled={accept.isPending} onClick={() => accept.mutate()}>
            {say('accept')}
          </button>
          <button type="button" className="btn plain" disabled={decline.isPending} onClick={() => decline.mutate()}>
            {say('declineInvitation')}
          </button>
        </>
      ) : (
        <CheckAgain />
      )}
      <ErrorLine error={accept.error ?? decline.error} />
    </>
  )
}

function OpenCenter({ onBack }: { readonly onBack: () => void }) {
  const say = useEntryWords()
  const navigate = useNavigate()
  const enter = async (domain: string) => {
    // The memberships that were read before lack the new center.
    await queries.invalidateQueries({ queryKey: meQuery.queryKey })
    await navigate({ href: `/c/${domain}` })
  }
  return (
    <EntryFrame title={say('openTitle')} lede={say('openLede')}>
      <NewCenterForm onMade={(domain) => void enter(domain)} />
      <button type="button" className="btn plain" onClick={onBack}>
        {say('back')}
      </button>
    </EntryFrame>
  )
}

/** Enters as soon as a center can be entered. */
export function StandingPage() {
  const say = useEntryWords()
  const navigate = useNavigate()
  const [opening, setOpening] = useState(false)
  const { data: me, error, refetch } = useQuery({ ...meQuery, refetchInterval: askMs })
  const { session } = useSession()
  const open = me && openIn(me)
  // A person who already has a center and opens this page stays on it.
  const ready = session?.center === null && open
  useEffect(() => {
    if (ready) void navigate({ href: `/c/${ready.centerDomain}` })
  }, [ready, navigate])
  if (opening) return <OpenCenter onBack={() => setOpening(false)} />
  const [first, ...others] = me ? byUse(me) : []
  const titleOf = ({ status, centerName: center }: Membership) =>
    say(status === 'ACTIVE' ? 'standClosed' : `stand${status}`, { center })
  const title = first ? titleOf(first) : say(open ? 'openTitle' : 'onboardingTitle')
  if (!me) {
    return (
      <EntryFrame title={say('chooseTitle')}>
        {error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} />}
      </EntryFrame>
    )
  }
  return (
    <EntryFrame title={title}>
      {first ? <Standing key={first.id} membership={first} /> : <p>{say(open ? 'openLede' : 'onboardingText')}</p>}
      {others.length > 0 && (
        <>
          <h2>{say('others')}</h2>
          <CenterRows memberships={others} authorizedDomains={me.authorizedDomains} />
        </>
      )}
      {!first && (
        <button type="button" className="btn first" onClick={() => setOpening(true)}>
          {say('openCenter')}
        </button>
      )}
      {!first && <CheckAgain />}
      <p className="soft small">{say('invited', { email: session?.actor.email ?? '' })}</p>
      <p className="entry-links">
        <a href="/me">{say('profile')}</a>
        {first && (
          <button type="button" className="link" onClick={() => setOpening(true)}>
            {say('ownCenter')}
          </button>
        )}
      </p>
      <Leave />
    </EntryFrame>
  )
}
