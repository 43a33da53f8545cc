/** Between an account and a center: a membership that waits, or none. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { startOf } from '../../app/centers.ts'
import { meQuery } from '../../app/queries.ts'
import { endSession, renewSession, sessionState, useSession } from '../../app/session.ts'
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
function CheckAgain() {
  const say = useEntryWords()
  const navigate = useNavigate()
  const check = async () => {
    await renewSession(sessionState().session?.accessToken ?? null)
    const { session } = sessionState()
    await navigate({ href: session ? startOf(session) : '/login' })
  }
  return (
    <button type="button" className="btn first" onClick={check}>
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

export function OnboardingPage() {
  const say = useEntryWords()
  const { session } = useSession()
  return (
    <EntryFrame title={say('onboardingTitle')}>
      <p>{say('onboardingText')}</p>
      <p className="soft small">{say('invited', { email: session?.actor.email ?? '' })}</p>
      <CheckAgain />
      <Leave />
    </EntryFrame>
  )
}
