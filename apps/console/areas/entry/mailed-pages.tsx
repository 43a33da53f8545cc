/** What the addresses in mails open: an invitation, a new account, a new password. */
import { getRouteApi } from '@tanstack/react-router'
import { entryApi } from '../../app/api.ts'
import { NewPassword } from './new-password.tsx'
import { Outcome } from './outcome.tsx'
import { useEntryWords } from './words.ts'

const invitation = getRouteApi('/invitations/$token')
const account = getRouteApi('/signup/$token')
const reset = getRouteApi('/password/$token')

export function InvitationPage() {
  const say = useEntryWords()
  const { token } = invitation.useParams()
  const accept = async (password: string) => {
    const { status } = await entryApi().auth.acceptInvitation({ token, password })
    const isActive = status === 'ACTIVE'
    const text = say(isActive ? 'acceptedActive' : 'acceptedPending')
    return <Outcome title={say('acceptedTitle')} text={text} signIn={isActive} />
  }
  return (
    <NewPassword
      title={say('inviteTitle')}
      lede={say('inviteBody')}
      action={say('acceptInvitation')}
      onSend={accept}
      refused={(status) => status === 409 && say('inviteConflict')}
    />
  )
}

/** Opens the account that was asked for. */
export function OpenAccountPage() {
  const say = useEntryWords()
  const { token } = account.useParams()
  const open = async (password: string) => {
    await entryApi().auth.confirmSignUp({ token, password })
    return <Outcome title={say('accountDoneTitle')} text={say('accountDoneBody')} />
  }
  const refused = (status: number) => {
    if (status === 409) return <Outcome title={say('accountTakenTitle')} text={say('accountTakenBody')} />
    return status === 403 && say('signUpClosed')
  }
  return (
    <NewPassword
      title={say('accountTitle')}
      lede={say('accountBody')}
      action={say('accountSave')}
      onSend={open}
      refused={refused}
    />
  )
}

export function ResetPage() {
  const say = useEntryWords()
  const { token } = reset.useParams()
  const save = async (password: string) => {
    await entryApi().auth.resetPassword({ token, password })
    return <Outcome title={say('resetDoneTitle')} text={say('resetDoneBody')} />
  }
  return <NewPassword title={say('resetTitle')} lede={say('resetBody')} action={say('resetSave')} onSend={save} />
}
