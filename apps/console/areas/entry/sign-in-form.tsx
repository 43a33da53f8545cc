/** The one form to sign in: by passkey first, by password, and by what a page adds. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { hasPasskeys as browserHasPasskeys, PasskeyCanceled } from '../../app/passkeys.ts'
import { e164 } from '../../app/phone.ts'
import { queries } from '../../app/queries.ts'
import { type Session, SessionRefusal, startSession } from '../../app/session.ts'
import { durationText } from '../../ui/clock.ts'
import { useErrorWords } from '../../ui/error-words.ts'
import { failureOf } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { EntryFrame } from './frame.tsx'
import { signInByPasskey } from './passkey-sign-in.ts'
import { useEntryWords } from './words.ts'

interface Properties {
  readonly title?: string
  readonly lede: string
  /** False where the host is none that passkeys belong to. */
  readonly hasPasskeys?: boolean
  /** Other ways, above the form. */
  readonly ways?: ReactNode
  /** Below the form. */
  readonly children?: ReactNode
  /** Somebody is signed in. What was read before is forgotten. */
  readonly onEntered: (session: Session) => Promise<unknown>
}

export function SignInForm({ title, lede, hasPasskeys = browserHasPasskeys(), ways, children, onEntered }: Properties) {
  const say = useEntryWords()
  const told = useErrorWords()
  const language = useLanguage()
  const [empty, setEmpty] = useState<readonly string[]>([])
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  const [kind, setKind] = useState<'email' | 'phone'>('email')

  function sentenceOf(error: unknown, passkey: boolean): string {
    if (error instanceof PasskeyCanceled) return say('passkeyCanceled')
    const { status, code, cause } = failureOf(error)
    if (passkey && status === 401) return say('passkeyRefused')
    if (status === 429 && error instanceof SessionRefusal) {
      return say('tooMany', { time: durationText(error.retryAfter * 1000, language) })
    }
    const { what, next } = told(code, cause)
    return `${what} ${next}`
  }

  async function enter(sign: () => Promise<Session>, passkey = false) {
    setFault('')
    setBusy(true)
    try {
      const session = await sign()
      queries.clear()
      await onEntered(session)
    } catch (error) {
      setFault(sentenceOf(error, passkey))
      setBusy(false)
    }
  }

  const byPassword = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [who, password] = [String(form.get(kind)).trim(), String(form.get('password'))]
    const missing = [who === '' && kind, password === '' && 'password'].filter((each) => each !== false)
    setEmpty(missing)
    const named = kind === 'email' ? { email: who } : { phone: e164(who) }
    if (missing.length === 0) void enter(() => startSession({ ...named, password }))
  }

  const isFirst = !hasPasskeys && !ways
  return (
    <EntryFrame title={title ?? say('loginTitle')} lede={lede}>
      {ways}
      {hasPasskeys && (
        <button
          type="button"
          className={ways ? 'btn' : 'btn first'}
          disabled={busy}
          onClick={() => void enter(signInByPasskey, true)}
        >
          {say('byPasskey')}
        </button>
      )}
      {!isFirst && (
        <p className="or">
          <span>{say('orPassword')}</span>
        </p>
      )}
      <form onSubmit={byPassword} noValidate>
        {kind === 'email' ? (
          <Field
            key="email"
            label={say('email')}
            name="email"
            type="email"
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            fault={empty.includes('email') ? say('needEmail') : undefined}
          />
        ) : (
          <Field
            key="phone"
            label={say('phone')}
            name="phone"
            type="tel"
            autoComplete="tel"
            fault={empty.includes('phone') ? say('needPhone') : undefined}
          />
        )}
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
        <button type="submit" className={isFirst ? 'btn first' : 'btn'} disabled={busy}>
          {busy ? say('working') : say('enter')}
        </button>
      </form>
      <p className="entry-links">
        <button type="button" className="link" onClick={() => setKind(kind === 'email' ? 'phone' : 'email')}>
          {say(kind === 'email' ? 'byPhone' : 'byEmail')}
        </button>
      </p>
      {children}
    </EntryFrame>
  )
}
