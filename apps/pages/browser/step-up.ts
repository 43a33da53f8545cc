/** Asks for the password or a passkey over the page; the call that needed it is then sent again. */
import { isChallengeOf } from '@countersign/proof/deciding.ts'
import type { StepUpStatement } from '@countersign/proof/passkey-statement.ts'
import { call } from './api.ts'
import { button, field, form, make } from './dom.ts'
import { words } from './page.ts'
import { assertWith, hasPasskeys } from './passkey.ts'
import type { RequestOptions } from './passkey-types.ts'

interface Challenge {
  readonly statement: StepUpStatement
  readonly publicKey: RequestOptions
}

/** False: the person did not want to. */
export function askStepUp(): Promise<boolean> {
  return new Promise((resolve) => {
    const password = field(words().password, { type: 'password', autocomplete: 'current-password' })
    const done = (isShown: boolean) => {
      dialog.close()
      dialog.remove()
      resolve(isShown)
    }
    const send = async (body: object) => {
      const answer = await call('POST', '/auth/step-up', body)
      if (answer.ok) return done(true)
      const isWrong = answer.status === 400 || answer.status === 401
      password.fault(isWrong ? words().stepUpWrong : answer.status === 0 ? words().noAnswer : words().wentWrong)
    }
    const byPassword = () => {
      password.fault(password.input.value === '' ? words().needPassword : '')
      return password.input.value === '' ? undefined : send({ password: password.input.value })
    }
    const byPasskey = async () => {
      const begun = await call<Challenge>('POST', '/auth/step-up/options')
      if (!begun.ok) return password.fault(begun.status === 409 ? words().stepUpNoPasskey : words().noAnswer)
      const { statement, publicKey } = begun.data
      if (!isChallengeOf(statement, publicKey, location.hostname)) return password.fault(words().challengeOther)
      const assertion = await assertWith(publicKey)
      return assertion ? send({ assertion }) : password.fault(words().passkeyCanceled)
    }
    const submit = { type: 'submit', class: 'btn first', 'data-busy': words().working }
    const dialog = make<HTMLDialogElement>(
      'dialog',
      {
        class: 'ask',
        'aria-labelledby': 'step-up-title',
        cancel: (event) => {
          event.preventDefault()
          done(false)
        },
      },
      make('h2', { id: 'step-up-title' }, words().stepUpTitle),
      make('p', { class: 'soft' }, words().stepUpBody),
      form(byPassword, password.box, make('button', submit, words().stepUpDo)),
      hasPasskeys() && button(words().withPasskey, '', byPasskey, words().working),
      button(words().back, 'plain', () => done(false)),
    )
    document.body.append(dialog)
    dialog.showModal()
  })
}
