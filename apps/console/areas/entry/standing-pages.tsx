/** Between an account and a center: a membership that waits, or none. */
import { useNavigate } from '@tanstack/react-router'
import { startOf } from '../../app/centers.ts'
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

export function WaitingPage() {
  const say = useEntryWords()
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
