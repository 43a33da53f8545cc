/**
 * What concerns the whole center, at the top of every page of it: what has happened and a link that ends it, for those who can end it
 * or need to know. The most severe one is shown, until the person asks for the others.
 */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFreezes } from '../app/freezes.ts'
import { type Language, useLanguage } from '../app/i18n.ts'
import { keep, kept } from '../app/kept.ts'
import { type Notices, useNotices } from '../app/notices.ts'
import { useRoles } from '../app/role.ts'
import { type Banner, BannerStack } from './banner-stack.tsx'
import { timeText } from './clock.ts'
import { stoppedText } from './stop.tsx'
import { type UiSay, useUiWords } from './words.ts'

interface Given {
  readonly notices: Notices
  readonly center: string
  readonly isAdmin: boolean
  readonly say: UiSay
  readonly language: Language
}

/** Before that, the end of a trial is news only on the page of the subscription. */
const warnDays = 7
/** The newest generation of each log whose loss was read in this browser. */
const readKey = (log: string) => `countersign-loss ${log}`

export function Banners({ center }: { readonly center: string }) {
  const say = useUiWords()
  const language = useLanguage()
  const isAdmin = useRoles(center).includes('ADMIN')
  const { data: notices } = useNotices(center)
  const freezes = useFreezes(center)
  const [, setRead] = useState(0)
  const [newest] = freezes
  const given = notices && { notices, center, isAdmin, say, language }
  const found: readonly (Banner | null)[] = [
    given ? chainBroken(given) : null,
    given ? subscriptionOver(given) : null,
    newest
      ? {
          key: 'stop',
          tone: 'stopped',
          text: freezes.length > 1 ? say('stoppedMany', { count: freezes.length }) : stoppedText(newest, say),
          more: `${timeText(newest.madeAt, language)} · ${say('stoppedSince')}`,
          act: isAdmin && (
            <Link
              to="/c/$center/stop"
              params={{ center }}
              search={{ freeze: newest.id }}
              className="btn low"
              activeProps={{}}
            >
              {say('stoppedOpen')}
            </Link>
          ),
        }
      : null,
    given ? chainLost(given, () => setRead((count) => count + 1)) : null,
    given ? webhooksFailing(given) : null,
    given ? subscriptionEnds(given) : null,
    given ? ownPasskey(given) : null,
    given ? passkeysToConfirm(given) : null,
  ]
  return <BannerStack banners={found.filter((each) => each !== null)} />
}

function chainBroken({ notices: { chain }, center, say }: Given): Banner | null {
  if (!chain?.broken) return null
  return {
    key: 'broken',
    tone: 'broken',
    text: say('chainBroken'),
    act: (
      <Link
        to="/c/$center/chain"
        params={{ center }}
        search={{ domain: chain.broken }}
        className="btn low"
        activeProps={{}}
      >
        {say('chainOpen')}
      </Link>
    ),
  }
}

function chainLost({ notices: { chain }, center, say }: Given, onRead: () => void): Banner | null {
  const lost = chain?.lost.find(({ log }) => kept(readKey(log)) === null)
  if (!lost || chain?.broken) return null
  const read = () => {
    keep(readKey(lost.log), 'read')
    onRead()
  }
  return {
    key: `lost ${lost.log}`,
    tone: 'broken',
    text: say('chainLost'),
    act: (
      <>
        <Link
          to="/c/$center/chain"
          params={{ center }}
          search={{ domain: lost.domain }}
          className="btn low"
          activeProps={{}}
        >
          {say('chainOpen')}
        </Link>
        <button type="button" className="quiet" onClick={read}>
          {say('chainLostRead')}
        </button>
      </>
    ),
  }
}

function subscriptionBanner(given: Given, tone: Banner['tone']): Banner {
  const { notices, center, isAdmin, say, language } = given
  const { status, currentPeriodEnd, liftedBy } = notices.subscription
  const day = currentPeriodEnd === null ? '' : timeText(currentPeriodEnd, language, 'day')
  const lift = liftedBy.includes('billing_system') ? 'liftedByBilling' : 'liftedByOperator'
  return {
    key: 'subscription',
    tone,
    text: say(`subscription${status as 'TRIAL' | 'PAST_DUE' | 'SUSPENDED' | 'CANCELED'}`, { day }),
    more: say(isAdmin ? lift : 'liftedByAdmin'),
    act: isAdmin && (
      <Link to="/c/$center/subscription" params={{ center }} className="btn low" activeProps={{}}>
        {say('subscriptionOpen')}
      </Link>
    ),
  }
}

function subscriptionOver(given: Given): Banner | null {
  const { status } = given.notices.subscription
  return status === 'SUSPENDED' || status === 'CANCELED' ? subscriptionBanner(given, 'broken') : null
}

/** What can still be paid in time concerns administrators only. */
function subscriptionEnds(given: Given): Banner | null {
  const { status, currentPeriodEnd } = given.notices.subscription
  const days = (Date.parse(currentPeriodEnd ?? '') - Date.now()) / 86_400_000
  const ends = status === 'PAST_DUE' || (status === 'TRIAL' && days < warnDays)
  return given.isAdmin && ends ? subscriptionBanner(given, 'waiting') : null
}

function webhooksFailing({ notices: { webhooks }, center, say, language }: Given): Banner | null {
  const [first] = webhooks
  if (!first) return null
  const one = first.state === 'disabled' ? say('webhookDisabled') : say('webhookFailing')
  return {
    key: 'webhooks',
    tone: 'broken',
    text: webhooks.length > 1 ? say('webhooksFailing', { count: webhooks.length }) : one,
    more: first.since === null ? say('webhookHeld') : say('webhookSince', { time: timeText(first.since, language) }),
    act:
      webhooks.length > 1 ? (
        <Link to="/c/$center/developers/webhooks" params={{ center }} className="btn low" activeProps={{}}>
          {say('webhooksOpen')}
        </Link>
      ) : (
        <Link
          to="/c/$center/developers/webhooks/$webhook"
          params={{ center, webhook: first.id }}
          className="btn low"
          activeProps={{}}
        >
          {say('webhookOpen')}
        </Link>
      ),
  }
}

function ownPasskey({ notices: { passkeys }, say }: Given): Banner | null {
  if (!passkeys?.waiting || passkeys.confirmers === null) return null
  const { by, names } = passkeys.confirmers
  return {
    key: 'own passkey',
    tone: 'waiting',
    text: say('passkeyWaits'),
    more: by === 'operator' ? say('passkeyByOperator') : say('passkeyBy', { names: names.slice(0, 3).join(', ') }),
    act: (
      <a href="/me#passkeys" className="btn low">
        {say('passkeyShow')}
      </a>
    ),
  }
}

function passkeysToConfirm({ notices: { passkeys }, center, say }: Given): Banner | null {
  const count = passkeys?.toConfirm ?? 0
  if (count === 0) return null
  return {
    key: 'passkeys',
    tone: 'waiting',
    text: say('passkeysWait', { count }),
    act: (
      <Link
        to="/c/$center/members"
        params={{ center }}
        search={{ show: 'passkeys' }}
        className="btn low"
        activeProps={{}}
      >
        {say('passkeysOpen')}
      </Link>
    ),
  }
}
