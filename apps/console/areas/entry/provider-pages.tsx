/** Signing in with a provider of the center, or from its custom domain: there, back, and linking the account once. */
import type { OidcUnlinked, SignInOption } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { api, entryApi } from '../../app/api.ts'
import { startOf } from '../../app/centers.ts'
import { isLinking } from '../../app/linking.ts'
import { queries } from '../../app/queries.ts'
import { type Session, startSession } from '../../app/session.ts'
import { useSite } from '../../app/site.ts'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { failureOf } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Missing } from '../../ui/standing.tsx'
import { EntryFrame } from './frame.tsx'
import { SiteLeave } from './login-page.tsx'
import { BadLink, Outcome } from './outcome.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { arrived, goBack, noteHandoff, pageToReturnTo } from './site.ts'
import { useGo } from './use-go.ts'
import { useEntryWords } from './words.ts'

/** To the custom domain that waits, or to the page that asked. */
function useOnwards(): (session: Session) => Promise<void> {
  const go = useGo()
  return async (session) => {
    if (!(await goBack())) await go(pageToReturnTo() ?? startOf(session))
  }
}

/** Asks for the center, whose page offers its providers. On a custom domain the center is known. */
export function ChooseProviderPage() {
  const say = useEntryWords()
  const { data: site, isPending } = useSite()
  const [empty, setEmpty] = useState(false)
  if (isPending) return null
  if (site) return <SiteLeave name={site.name} description={site.branding.description} />
  const open = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const domain = String(new FormData(event.currentTarget).get('center')).trim().toLowerCase()
    setEmpty(domain === '')
    if (domain !== '') location.assign(`/signin/${encodeURIComponent(domain)}`)
  }
  return (
    <EntryFrame title={say('throughCenter')} lede={say('throughCenterBody')}>
      <form onSubmit={open} noValidate>
        <Field
          label={say('centerName')}
          name="center"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={63}
          fault={empty ? say('needCenter') : undefined}
        />
        <button type="submit" className="btn first">
          {say('next')}
        </button>
      </form>
    </EntryFrame>
  )
}

const ofCenter = getRouteApi('/signin/$center')

/** The page of one center: its providers, and the usual sign-in below. */
export function CenterSignInPage() {
  const say = useEntryWords()
  const { center } = ofCenter.useParams()
  const onwards = useOnwards()
  const { data: options, error } = useQuery({
    queryKey: ['sign-in', center],
    queryFn: ({ signal }) => entryApi().auth.listSignInOptions({ centerDomain: center }, { signal }),
  })
  useEffect(noteHandoff, [])
  if (failureOf(error).status === 404) return <Missing />
  // Without an answer there is still the password.
  if (!options && !error) return <Loading />
  const ways = options?.map((option) => <Way key={option.id} option={option} center={center} />)
  return <SignInForm lede={say('loginLede')} ways={ways?.length ? ways : undefined} onEntered={onwards} />
}

function Loading() {
  const say = useEntryWords()
  return (
    <EntryFrame title={say('loginTitle')}>
      <Skeleton rows={3} />
    </EntryFrame>
  )
}

/** A cookie binds the sign-in to the host of `url`, so it begins there. */
function Way({ option, center }: { readonly option: SignInOption; readonly center: string }) {
  const say = useEntryWords()
  const [error, setError] = useState<unknown>(null)
  const leave = async () => {
    if (new URL(option.url).origin !== location.origin) return location.assign(option.url)
    const { authorizationUrl } = await entryApi().auth.startOidcLogin({ providerId: option.id, centerDomain: center })
    const { protocol, href } = new URL(authorizationUrl)
    if (protocol === 'https:' || protocol === 'http:') location.assign(href)
  }
  return (
    <>
      <button type="button" className="btn first" onClick={() => leave().catch(setError)}>
        {say('withProvider', { provider: option.name })}
      </button>
      {error !== null && <ErrorLine error={error} />}
    </>
  )
}

/** What an address that works once leads to. It is sent once, also where React runs effects twice. */
function useOnce(work: () => Promise<ReactNode>, refused: (error: unknown) => ReactNode): ReactNode {
  const [shown, setShown] = useState<ReactNode>(null)
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    work().then(setShown, (error: unknown) => setShown(refused(error)))
  }, [work, refused])
  return shown ?? <Loading />
}

function ProviderFailed() {
  const say = useEntryWords()
  return <Outcome title={say('providerFailedTitle')} text={say('providerFailedBody')} />
}

function NotVouched({ code }: { readonly code: string }) {
  const say = useEntryWords()
  const text = say(code === 'FORBIDDEN' ? 'providerRefusedBody' : 'providerNoMember')
  return <Outcome title={say('providerRefusedTitle')} text={text} />
}

const callback = getRouteApi('/signin/callback/$provider')

/** The address that the provider redirects to. */
export function CallbackPage() {
  const { provider } = callback.useParams()
  const onwards = useOnwards()
  const finish = async (): Promise<ReactNode> => {
    if (arrived === '') return <ProviderFailed />
    const answer = await entryApi().auth.finishOidcLogin({ providerId: provider, query: arrived })
    const wasLinking = isLinking()
    if ('ticket' in answer) {
      // Signed in a moment ago, the person need not do it again.
      const linked = wasLinking && (await api.auth.linkOidcAccount({ ticket: answer.ticket }).catch(() => null))
      return <LinkAccount unlinked={answer} isLinked={Boolean(linked)} backTo={wasLinking ? '/me#linked' : '/'} />
    }
    await onwards(await entered(answer))
    return null
  }
  return useOnce(finish, (error) => {
    const { status, code } = failureOf(error)
    return status === 403 ? <NotVouched code={code} /> : <ProviderFailed />
  })
}

async function entered({ refreshToken }: { readonly refreshToken: string }): Promise<Session> {
  const session = await startSession({ refreshToken })
  queries.clear()
  return session
}

interface LinkProperties {
  readonly unlinked: OidcUnlinked
  readonly isLinked: boolean
  /** Where the person goes on. */
  readonly backTo: string
}

function LinkAccount({ unlinked: { ticket, email, provider }, isLinked, backTo }: LinkProperties) {
  const say = useEntryWords()
  const [step, setStep] = useState<'ask' | 'signIn' | 'mailed' | 'linked' | 'other' | 'failed'>(
    isLinked ? 'linked' : 'ask',
  )
  const [error, setError] = useState<unknown>(null)
  const link = () =>
    api.auth.linkOidcAccount({ ticket }).then(
      () => setStep('linked'),
      (failure) => setStep(failureOf(failure).status === 403 ? 'other' : 'failed'),
    )
  const mail = () =>
    entryApi()
      .auth.mailOidcLink({ ticket })
      .then(() => setStep('mailed'), setError)
  if (step === 'signIn') return <SignInForm lede={say('linkLede')} onEntered={link} />
  if (step === 'mailed')
    return <Outcome title={say('mailTitle')} text={say('linkMailBody', { email })} signIn={false} />
  if (step === 'linked') {
    return (
      <EntryFrame title={say('linkedTitle')}>
        <p role="status">{say('linkedBody', { provider })}</p>
        <a className="btn first" href={backTo}>
          {say('next')}
        </a>
      </EntryFrame>
    )
  }
  if (step !== 'ask') {
    const text = say(step === 'other' ? 'linkOther' : 'providerFailedBody')
    return <Outcome title={say('linkFailedTitle')} text={text} signIn={false} />
  }
  return (
    <EntryFrame title={say('linkTitle')}>
      <p>{say('linkBody', { email, provider })}</p>
      <button type="button" className="btn first" onClick={() => setStep('signIn')}>
        {say('linkBySignIn')}
      </button>
      <button type="button" className="btn" onClick={() => void mail()}>
        {say('linkByMail')}
      </button>
      {failureOf(error).status === 401 ? (
        <p role="alert" className="fault">
          {say('providerFailedBody')}
        </p>
      ) : (
        <ErrorLine error={error} />
      )}
    </EntryFrame>
  )
}

const mailed = getRouteApi('/signin/link/$token')

/** The mailed link. Nothing happens before the button: a mail program may open links by itself. */
export function ConfirmLinkPage() {
  const say = useEntryWords()
  const { token } = mailed.useParams()
  const onwards = useOnwards()
  const [error, setError] = useState<unknown>(null)
  const confirm = async () => onwards(await entered(await entryApi().auth.confirmOidcLink({ token })))
  if (error !== null) return failureOf(error).status === 401 ? <BadLink /> : <ProviderFailed />
  return (
    <EntryFrame title={say('linkTitle')}>
      <p>{say('linkConfirmBody')}</p>
      <button type="button" className="btn first" onClick={() => confirm().catch(setError)}>
        {say('linkConfirm')}
      </button>
    </EntryFrame>
  )
}

const returned = getRouteApi('/signin/return/$code')

/** On the custom domain again. */
export function ReturnPage() {
  const { code } = returned.useParams()
  const go = useGo()
  const redeem = async (): Promise<ReactNode> => {
    const session = await entered(await entryApi().auth.redeemHandoff({ token: code }))
    await go(pageToReturnTo() ?? startOf(session))
    return null
  }
  return useOnce(redeem, (error) => (failureOf(error).status === 401 ? <BadLink /> : <ErrorPanel error={error} />))
}
