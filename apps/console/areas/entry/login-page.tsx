/** Sign in, and go on to the page that asked for it. */
import { useState } from 'react'
import { startOf } from '../../app/centers.ts'
import { safeNext } from '../../app/next.ts'
import { useSite } from '../../app/site.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { EntryFrame } from './frame.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { leaveToProvider, leaveToService } from './site.ts'
import { useGo } from './use-go.ts'
import { useEntryWords } from './words.ts'

const nextPage = (): string => safeNext(new URLSearchParams(location.search).get('next')) ?? '/'

export function LoginPage() {
  const { data: site, isPending } = useSite()
  if (isPending) return null
  return site ? <SiteLogin name={site.name} description={site.branding.description} /> : <ServiceLogin />
}

interface SiteProperties {
  readonly name: string
  readonly description: string
}

/** On the domain of a center: its name, and a session of that center only. Passkeys belong to another host. */
function SiteLogin({ name, description }: SiteProperties) {
  const say = useEntryWords()
  const go = useGo()
  const [error, setError] = useState<unknown>(null)
  const next = nextPage()
  return (
    <SignInForm
      title={name}
      lede={description || say('loginLede')}
      hasPasskeys={false}
      onEntered={(session) => go(next === '/' ? startOf(session) : next)}
    >
      <p className="entry-links">
        <a href="/password">{say('forgot')}</a>
        <button type="button" className="link" onClick={() => leaveToService(next).catch(setError)}>
          {say('siteOther')}
        </button>
      </p>
      <p className="soft small">{say('siteOtherText')}</p>
      <ErrorLine error={error} />
    </SignInForm>
  )
}

/** On the domain of a center: the way to the host where passkeys and providers are. */
export function SiteLeave({ name, description }: SiteProperties) {
  const say = useEntryWords()
  const [error, setError] = useState<unknown>(null)
  return (
    <EntryFrame title={name} lede={description || say('loginLede')}>
      <p>{say('siteLeave')}</p>
      <button type="button" className="btn first" onClick={() => leaveToService(nextPage()).catch(setError)}>
        {say('enter')}
      </button>
      <ErrorLine error={error} />
    </EntryFrame>
  )
}

function ServiceLogin() {
  const say = useEntryWords()
  const go = useGo()
  const next = nextPage()
  return (
    <SignInForm lede={say('loginLede')} onEntered={(session) => go(next === '/' ? startOf(session) : next)}>
      <p className="entry-links">
        <a href="/password">{say('forgot')}</a>
        <button type="button" className="link" onClick={() => leaveToProvider(next)}>
          {say('byProvider')}
        </button>
        <a href="/signup">{say('signUp')}</a>
      </p>
    </SignInForm>
  )
}
