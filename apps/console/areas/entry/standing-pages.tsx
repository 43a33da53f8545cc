/** Between an account and a center: a membership that waits, or none. */
import type { Membership } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { startOf } from '../../app/centers.ts'
import { meQuery, queries, useMe } from '../../app/queries.ts'
import { endSession, renewSession, sessionState } from '../../app/session.ts'
import { useSession } from '../../app/use-store.ts'
import { NewCenterForm } from '../../ui/new-center/form.tsx'
import { EntryFrame } from './frame.tsx'
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

/** The server names the next page again when the session is renewed. */
function CheckAgain({ first = true }: { readonly first?: boolean }) {
  const say = useEntryWords()
  const navigate = useNavigate()
  const check = async () => {
    await renewSession(sessionState().session?.accessToken ?? null)
    const { session } = sessionState()
    await navigate({ href: session ? startOf(session) : '/login' })
  }
  return (
    <button type="button" className={first ? 'btn first' : 'btn'} onClick={check}>
      {say('checkAgain')}
    </button>
  )
}

const askMs = 30_000

/** Enters as soon as a center has approved. */
export function WaitingPage() {
  const say = useEntryWords()
  const navigate = useNavigate()
  const { data: me } = useQuery({ ...meQuery, refetchInterval: askMs })
  const { session } = useSession()
  // A person who already has a center and opens this page stays on it.
  const ready = session?.center === null && me?.memberships.find(({ status }) => status === 'ACTIVE')
  useEffect(() => {
    if (ready) void navigate({ href: `/c/${ready.centerDomain}` })
  }, [ready, navigate])
  return (
    <EntryFrame title={say('waitingTitle')}>
      <p>{say('waitingText')}</p>
      <CheckAgain />
      <Leave />
    </EntryFrame>
  )
}

/** A center that the person could enter before. */
const isLost = (membership: Membership): membership is Membership & { readonly status: 'SUSPENDED' | 'ENDED' } =>
  membership.status === 'SUSPENDED' || membership.status === 'ENDED'

export function OnboardingPage() {
  const say = useEntryWords()
  const { session } = useSession()
  const navigate = useNavigate()
  const [opening, setOpening] = useState(false)
  const { data: me } = useMe()
  const lost = me?.memberships.find(isLost)
  const enter = async (domain: string) => {
    // The memberships that were read before lack the new center.
    await queries.invalidateQueries({ queryKey: meQuery.queryKey })
    await navigate({ href: `/c/${domain}` })
  }
  if (opening) {
    return (
      <EntryFrame title={say('openTitle')} lede={say('openLede')}>
        <NewCenterForm onMade={(domain) => void enter(domain)} />
        <button type="button" className="btn plain" onClick={() => setOpening(false)}>
          {say('back')}
        </button>
      </EntryFrame>
    )
  }
  return (
    <EntryFrame title={lost ? say(`lostTitle${lost.status}`, { center: lost.centerName }) : say('onboardingTitle')}>
      {lost && <p>{say(`lostText${lost.status}`)}</p>}
      <p>{say('onboardingText')}</p>
      <p className="soft small">{say('invited', { email: session?.actor.email ?? '' })}</p>
      <button type="button" className="btn first" onClick={() => setOpening(true)}>
        {say('openCenter')}
      </button>
      <CheckAgain first={false} />
      <Leave />
    </EntryFrame>
  )
}
