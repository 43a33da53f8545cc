/** Sign in: by passkey first, by password, or with the provider of a center. */
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { startOf } from '../../app/centers.ts'
import { useLanguage } from '../../app/i18n.ts'
import { safeNext } from '../../app/next.ts'
import { hasPasskeys, PasskeyCanceled } from '../../app/passkeys.ts'
import { queries } from '../../app/queries.ts'
import { type Session, SessionRefusal, startSession } from '../../app/session.ts'
import { useSite } from '../../app/site.ts'
import { durationText } from '../../ui/clock.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { useErrorWords } from '../../ui/error-words.ts'
import { failureOf } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { EntryFrame } from './frame.tsx'
import { signInByPasskey } from './passkey-sign-in.ts'
import { leaveToProvider, leaveToService } from './site.ts'
import { useEntryWords } from './words.ts'

const nextPage = (): string => safeNext(new URLSearchParams(location.search).get('next')) ?? '/'

export function LoginPage() {
  const { data: site, isPending } = useSite()
  if (isPending) return null
  return site ? <SiteLogin name={site.name} description={site.branding.description} /> : <ServiceLogin />
}

/** On the domain of a center: its name, and the way to the host where passwords and passkeys are. */
function SiteLogin({ name, description }: { readonly name: string; readonly description: string }) {
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
  const told = useErrorWords()
  const language = useLanguage()
  const navigate = useNavigate()
  const [empty, setEmpty] = useState<readonly string[]>([])
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)

  function sentenceOf(error: unknown, passkey: boolean): string {
    if (error instanceof PasskeyCanceled) return say('passkeyCanceled')
    const { status, code } = failureOf(error)
    if (passkey && status === 401) return say('passkeyRefused')
    if (status === 429 && error instanceof SessionRefusal) {
      return say('tooMany', { time: durationText(error.retryAfter * 1000, language) })
    }
    const { what, next } = told(code)
    return `${what} ${next}`
  }

  async function enter(sign: () => Promise<Session>, passkey = false) {
    setFault('')
    setBusy(true)
    try {
      const session = await sign()
      queries.clear()
      const next = nextPage()
      await navigate({ href: next === '/' ? startOf(session) : next, replace: true })
    } catch (error) {
      setFault(sentenceOf(error, passkey))
      setBusy(false)
    }
  }

  const byPassword = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [email, password] = [String(form.get('email')).trim(), String(form.get('password'))]
    const missing = [email === '' && 'email', password === '' && 'password'].filter((each) => each !== false)
    setEmpty(missing)
    if (missing.length === 0) void enter(() => startSession({ email, password }))
  }

  return (
    <EntryFrame title={say('loginTitle')} lede={say('loginLede')}>
      {hasPasskeys() && (
        <>
          <button type="button" className="btn first" disabled={busy} onClick={() => void enter(signInByPasskey, true)}>
            {say('byPasskey')}
          </button>
          <p className="or">
            <span>{say('orPassword')}</span>
          </p>
        </>
      )}
      <form onSubmit={byPassword} noValidate>
        <Field
          label={say('email')}
          name="email"
          type="email"
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          fault={empty.includes('email') ? say('needEmail') : undefined}
        />
        <Field
          label={say('password')}
          name="password"
          type="password"
          autoComplete="current-password"
          fault={empty.includes('password') ? say('needPassword') : undefined}
        />
        <p className="fault" role="alert">
          {fault}
        </p>
        <button type="submit" className={hasPasskeys() ? 'btn' : 'btn first'} disabled={busy}>
          {busy ? say('working') : say('enter')}
        </button>
      </form>
      <p className="entry-links">
        <a href="/password">{say('forgot')}</a>
        <button type="button" className="link" onClick={() => leaveToProvider(nextPage())}>
          {say('byProvider')}
        </button>
        <a href="/signup">{say('signUp')}</a>
      </p>
    </EntryFrame>
  )
}
