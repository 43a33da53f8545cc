/** Signing in with a provider of the center: to it, back from it, and linking the account once. */
import { badLink, toSignIn } from './account.ts'
import { call, keepSession } from './api.ts'
import { button, field, form, make } from './dom.ts'
import { loading, notice, show, told, words } from './page.ts'
import { faultOf, pageToReturnTo, signIn } from './sign-in.ts'
import { goBack, noteHandoff } from './site-sign-in.ts'
import type { SignedIn } from './types.ts'

interface Option {
  readonly id: string
  readonly name: string
  readonly url: string
}

interface Unlinked {
  readonly ticket: string
  readonly email: string
  readonly provider: string
}

type Go = (path: string) => Promise<void>

/** Asks for the center, whose page offers its providers. */
export function chooseCenterPage(): void {
  show(() => {
    const center = field(words().centerName, {
      type: 'text',
      autocapitalize: 'none',
      spellcheck: 'false',
      maxlength: '63',
    })
    const open = () => {
      const domain = center.input.value.trim().toLowerCase()
      center.fault(domain === '' ? words().needCenter : '')
      if (domain !== '') location.assign(`/signin/${encodeURIComponent(domain)}`)
    }
    return {
      title: words().throughCenter,
      className: 'narrow',
      band: true,
      body: [
        make('h1', {}, words().throughCenter),
        make('p', { class: 'soft' }, words().throughCenterBody),
        form(async () => open(), center.box, make('button', { type: 'submit', class: 'btn first' }, words().next)),
      ],
    }
  })
}

/** The page of one center: its providers, and the usual sign-in below. */
export async function centerSignInPage(center: string, go: Go): Promise<void> {
  noteHandoff()
  const query = new URLSearchParams({ centerDomain: center })
  const found = await loading(call<readonly Option[]>('GET', `/auth/oidc/providers?${query}`))
  if (!found.ok && found.status === 404) return show(() => notice(words().noPageTitle, [words().noPageBody]))
  await signIn({ lede: 'signInLedeAccount', ways: found.ok ? found.data.map((option) => way(option, center)) : [] })
  if (!(await goBack())) return go(pageToReturnTo())
}

/** A cookie binds the sign-in to the host of `url`, so it begins there. */
const way = (option: Option, center: string) => (fault: (text: string) => void) =>
  button(told('withProvider', { provider: option.name }), 'first', async () => {
    if (new URL(option.url).origin !== location.origin) return location.assign(option.url)
    const body = { providerId: option.id, centerDomain: center }
    const started = await call<{ authorizationUrl: string }>('POST', '/auth/oidc/start', body)
    if (!started.ok) return fault(faultOf(started))
    const { protocol, href } = new URL(started.data.authorizationUrl)
    if (protocol === 'https:' || protocol === 'http:') location.assign(href)
  })

/** The address that the provider redirects to. */
export async function callbackPage(providerId: string, go: Go): Promise<void> {
  const query = location.search.slice(1)
  // The code is used once; it stays in no history.
  history.replaceState(null, '', location.pathname)
  if (query === '') return show(failed)
  const answer = await loading(call<SignedIn | Unlinked>('POST', '/auth/oidc/callback', { providerId, query }))
  if (!answer.ok) return show(() => (answer.status === 403 ? notVouched(answer.code) : failed()))
  if ('ticket' in answer.data) return linkPage(answer.data)
  keepSession({ ok: true, data: answer.data })
  if (!(await goBack())) return go(pageToReturnTo())
}

const failed = () => notice(words().providerFailedTitle, [words().providerFailedBody], toSignIn())
const notVouched = (code: string) =>
  notice(
    words().providerRefusedTitle,
    [code === 'FORBIDDEN' ? words().providerRefusedBody : words().providerNoMember],
    toSignIn(),
  )

function linkPage({ ticket, email, provider }: Unlinked): void {
  const fault = make('p', { class: 'fault', role: 'alert' })
  const bySignIn = async () => {
    await signIn({ lede: 'linkLede' })
    const linked = await call('POST', '/auth/oidc/link', { ticket })
    if (linked.ok) return show(() => notice(words().linkedTitle, [told('linkedBody', { provider })], toAccount()))
    show(() =>
      notice(words().linkFailedTitle, [linked.status === 403 ? words().linkOther : words().providerFailedBody]),
    )
  }
  const byMail = async () => {
    const sent = await call('POST', '/auth/oidc/link/mail', { ticket })
    if (sent.ok) show(() => notice(words().linkMailTitle, [told('linkMailBody', { email })]))
    else fault.textContent = sent.status === 401 ? words().providerFailedBody : faultOf(sent)
  }
  show(() => ({
    ...notice(
      words().linkTitle,
      [told('linkBody', { email, provider })],
      button(words().linkBySignIn, 'first', bySignIn),
      button(words().linkByMail, '', byMail),
    ),
    act: fault,
  }))
}

const toAccount = () => make('a', { class: 'btn first', href: '/account' }, words().accountTitle)

/** The mailed link. Nothing happens before the button: a mail program may open links by itself. */
export function confirmLinkPage(token: string, go: Go): void {
  const confirm = async () => {
    const answer = keepSession(await call<SignedIn>('POST', '/auth/oidc/link/confirm', { token }))
    if (answer.ok) return go(pageToReturnTo())
    show(answer.status === 401 ? badLink : failed)
  }
  show(() => notice(words().linkTitle, [words().linkConfirmBody], button(words().linkConfirm, 'first', confirm)))
}
