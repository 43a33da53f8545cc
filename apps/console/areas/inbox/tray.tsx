/** The list of what waits, by risk or by deadline, and the row of seals that were pressed in this tab. */
import type { InboxCounts, InboxItem, InboxOrder, InboxView } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useStore } from '../../app/use-store.ts'
import { durationText, numberText, timeText } from '../../ui/clock.ts'
import { Seal } from '../../ui/picture.tsx'
import { groupsOf } from './groups.ts'
import { pressedStore } from './pressed.ts'
import { inboxViews } from './views.ts'
import { useInboxWords } from './words.ts'

interface Properties {
  readonly items: readonly InboxItem[]
  readonly counts: InboxCounts | undefined
  readonly view: InboxView
  readonly sort: InboxOrder
  readonly shown: string | undefined
  readonly center: string
  readonly children: ReactNode
}

const soonMs = 86_400_000

function When({ expiresAt, status }: Pick<InboxItem, 'expiresAt' | 'status'>) {
  const say = useInboxWords()
  const language = useLanguage()
  if (status === 'sealed' || status === 'rejected') return <span className="when soft">{say(`ended${status}`)}</span>
  if (expiresAt === null) return <span className="when soft">{say('noEnd')}</span>
  const left = Date.parse(expiresAt) - Date.now()
  if (left <= 0) return <span className="when soft">{say('over')}</span>
  if (left > soonMs) return <span className="when soft">{timeText(expiresAt, language, 'short')}</span>
  return (
    <span className="when waiting">
      <span aria-hidden="true">◷ </span>
      {say('left', { time: durationText(left, language) })}
    </span>
  )
}

function Row({ item, shown }: { readonly item: InboxItem } & Pick<Properties, 'shown'>) {
  const say = useInboxWords()
  const language = useLanguage()
  const more = [
    ...(item.approvals > 0 ? [say('given', { count: numberText(item.approvals, language) })] : []),
    ...(item.riskScore === null ? [] : [say('agentRisk', { risk: numberText(item.riskScore, language) })]),
    ...(item.opened ? [say('isOpened')] : []),
  ]
  return (
    <li className="inbox-row">
      <Link
        className="item"
        to="."
        search={(before: object) => ({ ...before, id: item.eventId })}
        aria-current={item.eventId === shown ? 'true' : undefined}
        activeProps={{}}
        resetScroll={false}
      >
        <b className={item.opened ? 'read' : undefined}>{item.headline[language]}</b>
        <When expiresAt={item.expiresAt} status={item.status} />
        <span className="sub">{more.join(' · ')}</span>
      </Link>
    </li>
  )
}

function Stamps() {
  const say = useInboxWords()
  const pressed = useStore(pressedStore)
  if (pressed.length === 0) return null
  const approved = pressed.filter(({ result }) => result === 'approved').length
  return (
    <>
      <p className="group">{say('pressed', { approved, refused: pressed.length - approved })}</p>
      <div className="inbox-stamps" aria-hidden="true">
        {pressed.map(({ id, hash, name, level, result }) =>
          result === 'approved' ? (
            <Seal key={id} level={level} name={name} hash={hash} size={38} label="" />
          ) : (
            <span key={id} className="broken">
              ✕
            </span>
          ),
        )}
      </div>
    </>
  )
}

const countOf = (counts: InboxCounts, view: InboxView): number => (view === 'all' ? counts.waiting : counts[view])

export function Tray(properties: Properties) {
  // The sentence of the decision is the first heading where there is one.
  const Heading = properties.shown ? 'h2' : 'h1'
  const { items, counts, view, sort, center, children } = properties
  const isWaiting = view === 'all' || view === 'turn' || view === 'soon'
  // Few centers have emergency approvals: their tab is there when one waits.
  const shownViews = inboxViews.filter((each) => each !== 'confirm' || view === 'confirm' || (counts?.confirm ?? 0) > 0)
  const together = items.filter(({ opened }) => opened).length
  const say = useInboxWords()
  const language = useLanguage()
  const shared = view === 'turn' ? {} : { view }
  const groups = isWaiting ? groupsOf(items, sort, Date.now()) : [{ key: null, items }]
  return (
    <div className="inbox-tray">
      <div className="tray-head">
        <Heading className="inbox-title">{say('title')}</Heading>
        {counts && isWaiting && <span className="n">{numberText(countOf(counts, view), language)}</span>}
      </div>
      <nav className="inbox-views" aria-label={say('views')}>
        {shownViews.map((each) => (
          <Link
            key={each}
            to="."
            search={{ ...(each !== 'turn' && { view: each }), ...(sort === 'expiry' && { sort }) }}
            className="quiet"
            aria-current={each === view ? 'page' : undefined}
            activeProps={{}}
          >
            {say(`view${each}`)} {counts && numberText(countOf(counts, each), language)}
          </Link>
        ))}
      </nav>
      <div className="inbox-bar">
        {isWaiting && (
          <fieldset>
            <legend className="unseen">{say('order')}</legend>
            <Link
              to="."
              search={shared}
              className="quiet"
              aria-current={sort === 'risk' ? 'true' : undefined}
              activeOptions={{ exact: true }}
            >
              {say('byRisk')}
            </Link>
            <Link
              to="."
              search={{ ...shared, sort: 'expiry' }}
              className="quiet"
              aria-current={sort === 'expiry' ? 'true' : undefined}
              activeOptions={{ exact: true }}
            >
              {say('byExpiry')}
            </Link>
          </fieldset>
        )}
        <Link to="/c/$center/oversight" params={{ center }} className="quiet">
          {say('oversight')}
        </Link>
      </div>
      {view === 'turn' && counts && counts.expiringWithinHour + counts.unopened > 0 && (
        <p className="inbox-counts small">
          {counts.expiringWithinHour > 0 && (
            <span className="waiting">
              <span aria-hidden="true">◷ </span>
              {say('soon', { count: counts.expiringWithinHour })}
            </span>
          )}
          {counts.unopened > 0 && <span className="soft">{say('unopened', { count: counts.unopened })}</span>}
        </p>
      )}
      {children}
      {groups.map((group) => (
        <section key={group.key} aria-label={group.key ? say(group.key) : say(`view${view}`)}>
          {group.key && <p className="group">{say(group.key)}</p>}
          <ul>
            {group.items.map((item) => (
              <Row key={item.eventId} item={item} shown={properties.shown} />
            ))}
          </ul>
        </section>
      ))}
      <Stamps />
      {view === 'turn' && together > 1 && (
        <div className="inbox-batch">
          <Link to="/c/$center/inbox/batch" params={{ center }} className="btn low">
            {say('batch')}
          </Link>
        </div>
      )}
    </div>
  )
}
