/** Signing in on the page itself: no address is followed afterwards. */
import { type Answer, call, keepSession } from './api.ts'
import { field, form, make } from './dom.ts'
import { duration } from './format.ts'
import { show, spoken, told, words } from './page.ts'
import { signInWithPasskey } from './passkey.ts'
import type { SignedIn } from './types.ts'

export type Way = (fault: (text: string) => void) => HTMLElement

export interface SignInReason {
  readonly lede: 'signInLede' | 'signInLedeAccount' | 'passkeyStale' | 'linkLede'
  readonly ended?: boolean
  /** Buttons of the providers of a center; without them the page offers to choose a center. */
  readonly ways?: readonly Way[]
}

/** What is said about a call that failed. */
export function faultOf({ status, code, retryAfter }: Exclude<Answer<never>, { ok: true }>): string {
  if (code === 'INVALID_CREDENTIALS' || code === 'INVALID_EMAIL' || status === 401) return words().wrongPassword
  if (status === 429) return told('tooMany', { time: duration(retryAfter * 1000, spoken()) })
  return status === 0 ? words().noAnswer : words().wentWrong
}

let typed = ''

const returnKey = 'countersign-return'

/** Leads to the providers of a center, and remembers the page that asked to sign in. */
const toProviders = (): HTMLElement =>
  make(
    'a',
    { class: 'link tap', href: '/signin', click: () => sessionStorage.setItem(returnKey, location.pathname) },
    words().throughCenter,
  )

/** An address of the console. */
export const isOfConsole = (path: string): boolean => /^\/((c|p|me|operator)(\/[\w/-]*)?)?$/.test(path)

/** The page that asked to sign in: a local path of these pages or of the console, and the account otherwise. */
export function pageToReturnTo(): string {
  const kept = sessionStorage.getItem(returnKey) ?? ''
  sessionStorage.removeItem(returnKey)
  return /^\/(approve|account)(\/[\w-]+)?$/.test(kept) || isOfConsole(kept) ? kept : '/account'
}

/** Resolves when a person is signed in. */
export function signIn({ lede, ended = false, ways }: SignInReason): Promise<void> {
  return new Promise((resolve) => {
    show(() => {
      const email = field(words().email, {
        type: 'email',
        autocomplete: 'username webauthn',
        inputmode: 'email',
        autocapitalize: 'none',
        spellcheck: 'false',
      })
      email.input.value = typed
      email.input.addEventListener('input', () => {
        typed = email.input.value
      })
      const password = field(words().password, { type: 'password', autocomplete: 'current-password' })
      const fault = make('p', { class: 'fault', role: 'alert' })
      const send = async () => {
        email.fault('')
        password.fault('')
        fault.textContent = ''
        if (password.input.value === '') password.fault(words().needPassword)
        if (email.input.value.trim() === '') email.fault(words().needEmail)
        if (email.input.value.trim() === '' || password.input.value === '') return
        const body = { email: email.input.value.trim(), password: password.input.value }
        const answer = keepSession(await call<SignedIn>('POST', '/auth/login', body))
        if (answer.ok) resolve()
        else fault.textContent = faultOf(answer)
      }
      const tell = (text: string) => {
        fault.textContent = text
      }
      const byPasskey = signInWithPasskey(() => resolve(), tell)
      const byProvider = ways?.map((way) => way(tell)) ?? []
      return {
        title: words().signInTitle,
        className: 'narrow',
        band: true,
        body: [
          make('h1', {}, words().signInTitle),
          make('p', { class: 'soft' }, ended ? words().sessionEnded : words()[lede]),
          byProvider,
          byPasskey && [byPasskey, make('p', { class: 'or' }, make('span', {}, words().orPassword))],
          form(
            send,
            email.box,
            password.box,
            fault,
            make(
              'button',
              {
                type: 'submit',
                class: `btn${byPasskey || byProvider.length > 0 ? '' : ' first'}`,
                'data-busy': words().working,
              },
              words().signIn,
            ),
          ),
          make('p', {}, make('a', { class: 'link tap', href: '/password' }, words().forgot)),
          ways === undefined && lede !== 'linkLede' && make('p', {}, toProviders()),
        ],
      }
    })
  })
}
