/** Asking for an account, and choosing its password with the mailed link. */
import { badLink, passwordFault, passwordForm, toSignIn } from './account.ts'
import { call } from './api.ts'
import { field, form, make } from './dom.ts'
import { notice, show, words } from './page.ts'
import { faultOf } from './sign-in.ts'

function signUpFault(answer: Parameters<typeof faultOf>[0]): string {
  if (answer.status === 403) return words().signUpClosed
  if (answer.code === 'INVALID_EMAIL') return words().needEmail
  return answer.status === 400 ? words().nameLink : faultOf(answer)
}

export function signUpPage(): void {
  show(() => {
    const name = field(words().yourName, { type: 'text', autocomplete: 'name', maxlength: '200' })
    const email = field(words().email, { type: 'email', autocomplete: 'username', inputmode: 'email' })
    const fault = make('p', { class: 'fault', role: 'alert' })
    const send = async () => {
      fault.textContent = ''
      const body = { name: name.input.value.trim(), email: email.input.value.trim() }
      name.fault(body.name === '' ? words().needName : '')
      email.fault(body.email === '' ? words().needEmail : '')
      if (body.name === '' || body.email === '') return
      const answer = await call('POST', '/auth/signup', body)
      if (answer.ok) show(() => notice(words().signUpDoneTitle, [words().signUpDoneBody]))
      else fault.textContent = signUpFault(answer)
    }
    return {
      title: words().signUpTitle,
      className: 'narrow',
      band: true,
      body: [
        make('h1', {}, words().signUpTitle),
        make('p', { class: 'soft' }, words().signUpBody),
        form(
          send,
          name.box,
          email.box,
          fault,
          make('button', { type: 'submit', class: 'btn first', 'data-busy': words().working }, words().signUpSend),
        ),
      ],
    }
  })
}

export function confirmSignUpPage(token: string): void {
  const texts = { title: words().openTitle, body: words().openBody, send: words().openSave }
  show(() =>
    passwordForm(texts, async (password) => {
      const answer = await call('POST', '/auth/signup/confirm', { token, password })
      if (answer.ok) show(() => notice(words().openDoneTitle, [words().openDoneBody], toSignIn()))
      else if (answer.status === 401) show(badLink)
      else if (answer.status === 403) return words().signUpClosed
      else if (answer.status === 409) show(() => notice(words().openTakenTitle, [words().openTakenBody], toSignIn()))
      return answer.ok ? null : passwordFault(answer)
    }),
  )
}
