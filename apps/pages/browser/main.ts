/** Which page an address is. */
import { accountPage, forgotPage, invitationPage, resetPage, signedIn } from './account.ts'
import { onStepUp, passSessionOn } from './api.ts'
import { approvePage } from './approve.ts'
import { confirmPage } from './confirm-page.ts'
import { make } from './dom.ts'
import { notice, show, words } from './page.ts'
import { passkeysPage } from './passkeys-page.ts'
import { callbackPage, centerSignInPage, chooseCenterPage, confirmLinkPage } from './provider-sign-in.ts'
import { isOfConsole } from './sign-in.ts'
import { confirmSignUpPage, signUpPage } from './sign-up-page.ts'
import { leavePage, returnPage } from './site-sign-in.ts'
import { askStepUp } from './step-up.ts'
import type { Me } from './types.ts'

const accountPages: Readonly<Record<string, (me: Me) => Promise<void> | void>> = {
  passkeys: passkeysPage,
  members: confirmPage,
}

/** Another page of the same document, so that what renews the session stays in memory; or the console, which takes it over. */
async function go(path: string): Promise<void> {
  if (isOfConsole(path) && (await passSessionOn())) return location.assign(path)
  history.replaceState(null, '', isOfConsole(path) ? '/account' : path)
  return start()
}

async function signInPage(value: string): Promise<void> {
  const [kind, id = ''] = value.split('/')
  if (kind === 'callback') return callbackPage(id, go)
  if (kind === 'link') return confirmLinkPage(id, go)
  if (kind === 'return') return returnPage(id, go)
  if (value !== '') return centerSignInPage(value, go)
  if (!(await leavePage())) chooseCenterPage()
}

async function start(): Promise<void> {
  const [, area = '', rest = ''] = /^\/([^/]+)(?:\/(.+))?$/.exec(location.pathname) ?? []
  const value = decodeURIComponent(rest)
  if (area === 'signin') return signInPage(value)
  if (area === 'approve') return approvePage(value)
  if (area === 'invitations') return invitationPage(value)
  if (area === 'signup') return value === '' ? signUpPage() : confirmSignUpPage(value)
  if (area === 'password') return value === '' ? forgotPage() : resetPage(value)
  if (area === 'account') return signedIn(accountPages[value] ?? accountPage)
  show(() => notice(words().noPageTitle, [words().noPageBody]))
}

// After the page, which is readable without them.
const { fonts } = document.documentElement.dataset
if (fonts) document.head.append(make('link', { rel: 'stylesheet', href: fonts }))

onStepUp(askStepUp)
void start()
