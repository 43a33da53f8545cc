/** What the addresses in mails open: a new account, a new password. */
import { getRouteApi } from '@tanstack/react-router'
import { entryApi } from '../../app/api.ts'
import { NewPassword } from './new-password.tsx'
import { Outcome } from './outcome.tsx'
import { useEntryWords } from './words.ts'

const account = getRouteApi('/signup/$token')
const reset = getRouteApi('/password/$token')

/** Opens the account that was asked for. */
export function OpenAccountPage() {
  const say = useEntryWords()
  const { token } = account.useParams()
  const open = async (password: string) => {
    await entryApi().auth.confirmSignUp({ token, password })
    return <Outcome title={say('accountDoneTitle')} text={say('accountDoneBody')} />
  }
  const refused = (status: number) =>
    status === 409 && <Outcome title={say('accountTakenTitle')} text={say('accountTakenBody')} />
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

/** After the account is gone. */
export function DeletedPage() {
  const say = useEntryWords()
  return <Outcome title={say('erasedTitle')} text={say('erasedBody')} signIn={false} />
}
