/** Invitations, passwords, and the page of one's own account. */
import { call, forgetSession } from './api.ts'
import { button, type Child, field, form, make } from './dom.ts'
import { loading, notice, show, told, type View, words } from './page.ts'
import { faultOf, signIn } from './sign-in.ts'
import type { Me } from './types.ts'

export const toSignIn = () => make('a', { class: 'btn first', href: '/login' }, words().toSignIn)
export const badLink = () => notice(words().badLinkTitle, [words().badLinkBody], toSignIn())
const shortest = 10

/** A form with one new password; the token is that of the address. */
export function passwordForm(
  texts: { title: string; body: string; send: string },
  work: (password: string) => Promise<string | null>,
): View {
  const password = field(
    words().newPassword,
    { type: 'password', autocomplete: 'new-password', minlength: String(shortest), maxlength: '1024' },
    { note: words().passwordNote },
  )
  const fault = make('p', { class: 'fault', role: 'alert' })
  const send = async () => {
    fault.textContent = ''
    const { value } = password.input
    const isShort = value.replaceAll(/\s/g, '').length < shortest
    password.fault(isShort ? words().passwordShort : '')
    if (isShort) return
    const problem = await work(value)
    if (problem !== null) fault.textContent = problem
  }
  return {
    title: texts.title,
    className: 'narrow',
    band: true,
    body: [
      make('h1', {}, texts.title),
      make('p', { class: 'soft' }, texts.body),
      form(
        send,
        password.box,
        fault,
        make('button', { type: 'submit', class: 'btn first', 'data-busy': words().working }, texts.send),
      ),
    ],
  }
}

/** A link that is there and a password that is long enough: what is left of 400 is a password that is easy to guess. */
export const passwordFault = (answer: Parameters<typeof faultOf>[0]): string =>
  answer.status === 400 ? words().passwordWeak : faultOf(answer)

export function invitationPage(token: string): void {
  show(() =>
    passwordForm({ title: words().inviteTitle, body: words().inviteBody, send: words().accept }, async (password) => {
      const answer = await call<{ status: string; centerDomain: string | null; partnerName: string | null }>(
        'POST',
        '/auth/invitations/accept',
        {
          token,
          password,
        },
      )
      if (answer.ok) {
        const { status, centerDomain, partnerName } = answer.data
        const center = centerDomain ?? partnerName ?? ''
        const active = status === 'ACTIVE'
        show(() =>
          notice(
            words().acceptedTitle,
            [told(active ? 'acceptedActive' : 'acceptedPending', { center })],
            active && toSignIn(),
          ),
        )
        return null
      }
      if (answer.status === 401) show(badLink)
      return answer.status === 409 ? words().inviteConflict : passwordFault(answer)
    }),
  )
}

export function resetPage(token: string): void {
  show(() =>
    passwordForm({ title: words().resetTitle, body: words().resetBody, send: words().resetSave }, async (password) => {
      const answer = await call('POST', '/auth/password/reset', { token, password })
      if (answer.ok) show(() => notice(words().resetDoneTitle, [words().resetDoneBody], toSignIn()))
      else if (answer.status === 401) show(badLink)
      return answer.ok ? null : passwordFault(answer)
    }),
  )
}

export function forgotPage(): void {
  show(() => {
    const email = field(words().email, { type: 'email', autocomplete: 'username', inputmode: 'email' })
    const fault = make('p', { class: 'fault', role: 'alert' })
    const send = async () => {
      const address = email.input.value.trim()
      email.fault(address === '' ? words().needEmail : '')
      if (address === '') return
      const answer = await call('POST', '/auth/password/forgot', { email: address })
      if (answer.ok) show(() => notice(words().forgotDoneTitle, [words().forgotDoneBody]))
      else fault.textContent = answer.status === 400 ? words().needEmail : faultOf(answer)
    }
    return {
      title: words().forgotTitle,
      className: 'narrow',
      band: true,
      body: [
        make('h1', {}, words().forgotTitle),
        make('p', { class: 'soft' }, words().forgotBody),
        form(
          send,
          email.box,
          fault,
          make('button', { type: 'submit', class: 'btn first', 'data-busy': words().working }, words().forgotSend),
        ),
      ],
    }
  })
}

/** Runs a page for the person who is signed in, and asks to sign in without a session. */
export async function signedIn(page: (me: Me) => Promise<void> | void): Promise<void> {
  const me = await loading(call<Me>('GET', '/auth/me'))
  if (me.ok) return page(me.data)
  if (me.status === 401) {
    await signIn({ lede: 'signInLedeAccount' })
    return signedIn(page)
  }
  show(() =>
    notice(
      words().offlineTitle,
      [words().offlineBody],
      button(words().again, 'first', () => signedIn(page), words().working),
    ),
  )
}

export const signOutButton = (then: () => Promise<void>): HTMLElement =>
  button(words().signOut, 'quiet', async () => {
    await call('POST', '/auth/logout')
    forgetSession()
    await then()
  })

export function accountPage(me: Me): void {
  const centers: Child = me.memberships.map(({ centerName, status }) => make('li', {}, centerName, ' · ', status))
  show(() => ({
    title: words().accountTitle,
    body: [
      make('h1', { class: 'notice-title' }, words().accountTitle),
      make(
        'p',
        {},
        told('signedInAs', { name: me.name }),
        ' ',
        signOutButton(() => signedIn(accountPage)),
      ),
      make(
        'section',
        { class: 'part' },
        make('h2', {}, words().accountCenters),
        me.memberships.length === 0 ? make('p', {}, words().accountNone) : make('ul', {}, centers),
      ),
      make('p', {}, make('a', { class: 'link tap', href: '/account/passkeys' }, words().passkeysTitle)),
      me.role === 'ADMIN' &&
        me.centerId !== null &&
        make('p', {}, make('a', { class: 'link tap', href: '/account/members' }, words().confirmLink)),
    ],
  }))
}
