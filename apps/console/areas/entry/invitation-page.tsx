/** The address in an invitation: who invites, where to and as what; then with a new account or the one that there is. */
import type { AcceptedInvitation, Invitation } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api, entryApi } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useMe } from '../../app/queries.ts'
import { endSession, knownSession, startSession } from '../../app/session.ts'
import { showTerms } from '../../app/terms.ts'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { failureOf } from '../../ui/failure.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EntryFrame } from './frame.tsx'
import { NewPassword } from './new-password.tsx'
import { BadLink, Outcome } from './outcome.tsx'
import { useEntryWords } from './words.ts'

const route = getRouteApi('/invitations/$token')
const nameOf = ({ centerName, partnerName }: Pick<Invitation, 'centerName' | 'partnerName'>) =>
  centerName ?? partnerName ?? ''

function Facts({ invitation }: { readonly invitation: Invitation }) {
  const say = useEntryWords()
  const { inviter, role, partnerRole, guardian, email } = invitation
  const called = say(`role${partnerRole ?? role ?? 'PARENT'}`)
  return (
    <>
      <p>{inviter === null ? say('inviteRole', { role: called }) : say('inviteBy', { inviter, role: called })}</p>
      {guardian && <p>{say('inviteGuardian')}</p>}
      <p className="soft small">{say('inviteFor', { email })}</p>
    </>
  )
}

/** Signed in, the way leads into the center; otherwise to the sign-in. */
function Accepted({ accepted, signedIn }: { readonly accepted: AcceptedInvitation; readonly signedIn: boolean }) {
  const say = useEntryWords()
  const { status, centerDomain } = accepted
  const name = nameOf(accepted)
  if (centerDomain === null) {
    const action = { text: say('goOn'), href: signedIn ? '/p' : '/login' }
    return <Outcome title={say('acceptedTitle', { name })} text={say('acceptedPartner', { name })} action={action} />
  }
  if (status !== 'ACTIVE') {
    const action = { text: say('goOn'), href: signedIn ? '/waiting' : '/login' }
    const title = say('acceptedTitlePending', { name })
    return <Outcome title={title} text={say('acceptedPending', { name })} action={action} />
  }
  const there = `/c/${centerDomain}`
  const action = signedIn
    ? { text: say('goCenter', { name }), href: there }
    : { text: say('enter'), href: `/login?next=${encodeURIComponent(there)}` }
  return <Outcome title={say('acceptedTitle', { name })} text={say('acceptedActive')} action={action} />
}

interface Properties {
  readonly token: string
  readonly invitation: Invitation
  readonly onAccepted: (shown: ReactNode) => void
}

/** Somebody is signed in: as the person who was invited, or as somebody else. */
function ByAccount({ token, invitation, onAccepted }: Properties) {
  const say = useEntryWords()
  const { data: me, error, refetch } = useMe()
  const accept = useChange(['me'], () => api.auth.acceptOwnInvitation({ token }), {
    told: 'opens',
    onDone: (accepted) => onAccepted(<Accepted accepted={accepted} signedIn />),
  })
  const leave = useChange(['invitation'], () => endSession(), { told: 'opens' })
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (!me) return <Skeleton rows={2} />
  const { name, email } = me
  if (!invitation.hasAccount || email !== invitation.email) {
    return (
      <>
        <p className="fault">
          {say(invitation.hasAccount ? 'inviteOther' : 'inviteOtherNew', { name, email, invited: invitation.email })}
        </p>
        <button type="button" className="btn first" disabled={leave.isPending} onClick={() => leave.mutate()}>
          {say('inviteSwitch')}
        </button>
      </>
    )
  }
  return (
    <>
      <p className="soft">{say('inviteAs', { name, email })}</p>
      <button type="button" className="btn first" disabled={accept.isPending} onClick={() => accept.mutate()}>
        {say('acceptInvitation')}
      </button>
      <ErrorLine error={accept.error} />
    </>
  )
}

export function InvitationPage() {
  const say = useEntryWords()
  const { token } = route.useParams()
  const [accepted, setAccepted] = useState<ReactNode>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    async queryFn() {
      const invitation = await entryApi().auth.readInvitation({ token })
      showTerms(invitation.terms)
      return { invitation, signedIn: (await knownSession()) !== null }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (accepted) return accepted
  if (!data) {
    if (error && failureOf(error).status === 401) return <BadLink />
    return (
      <EntryFrame title={say('acceptInvitation')}>
        {error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} />}
      </EntryFrame>
    )
  }
  const { invitation, signedIn } = data
  const title = say('inviteTitle', { name: nameOf(invitation) })
  if (signedIn || invitation.hasAccount) {
    return (
      <EntryFrame title={title}>
        <Facts invitation={invitation} />
        {signedIn ? (
          <ByAccount token={token} invitation={invitation} onAccepted={setAccepted} />
        ) : (
          <>
            <p>{say('inviteSignIn')}</p>
            <a className="btn first" href={`/login?next=${encodeURIComponent(`/invitations/${token}`)}`}>
              {say('signInToAccept')}
            </a>
          </>
        )}
      </EntryFrame>
    )
  }
  const create = async (password: string, name: string) => {
    const done = await entryApi().auth.acceptInvitation({ token, password, ...(name && { name }) })
    const entered = await startSession({ email: invitation.email, password }).catch(() => null)
    return <Accepted accepted={done} signedIn={entered !== null} />
  }
  return (
    <NewPassword
      title={title}
      lede={say('inviteBody')}
      action={say('acceptInvitation')}
      name={invitation.name ?? ''}
      onSend={create}
    >
      <Facts invitation={invitation} />
    </NewPassword>
  )
}
