/** The list of what waits, by risk or by deadline, and the row of seals that were pressed in this tab. */
import type { InboxCounts, InboxItem, InboxOrder } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useStore } from '../../app/use-store.ts'
import { durationText, numberText, timeText } from '../../ui/clock.ts'
import { Seal } from '../../ui/picture.tsx'
import { groupsOf } from './groups.ts'
import { pressedStore } from './pressed.ts'
import { useInboxWords } from './words.ts'

interface Properties {
  readonly items: readonly InboxItem[]
  readonly counts: InboxCounts | undefined
  readonly sort: InboxOrder
  readonly shown: string | undefined
  readonly center: string
  readonly isAdmin: boolean
  readonly children: ReactNode
}

const soonMs = 86_400_000

function When({ expiresAt }: Pick<InboxItem, 'expiresAt'>) {
  const say = useInboxWords()
  const language = useLanguage()
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
    ...(item.approvals > 0 ? [say('second')] : []),
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
        <When expiresAt={item.expiresAt} />
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

export function Tray(properties: Properties) {
  // The sentence of the decision is the first heading where there is one.
  const Heading = properties.shown ? 'h2' : 'h1'
  const { items, counts, sort, center, isAdmin, children } = properties
  const together = items.filter(({ opened }) => opened).length
  const say = useInboxWords()
  const language = useLanguage()
  return (
    <div className="inbox-tray">
      <div className="tray-head">
        <Heading className="inbox-title">{say('title')}</Heading>
        {counts && <span className="n">{numberText(counts.waiting, language)}</span>}
      </div>
      <div className="inbox-bar">
        <fieldset>
          <legend className="unseen">{say('order')}</legend>
          <Link
            to="."
            search={{}}
            className="quiet"
            aria-current={sort === 'risk' ? 'true' : undefined}
            activeOptions={{ exact: true }}
          >
            {say('byRisk')}
          </Link>
          <Link
            to="."
            search={{ sort: 'expiry' }}
            className="quiet"
            aria-current={sort === 'expiry' ? 'true' : undefined}
            activeOptions={{ exact: true }}
          >
            {say('byExpiry')}
          </Link>
        </fieldset>
        {isAdmin && (
          <Link to="/c/$center/inbox/oversight" params={{ center }} className="quiet">
            {say('oversight')}
          </Link>
        )}
      </div>
      {counts && counts.expiringWithinHour + counts.unopened > 0 && (
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
      {groupsOf(items, sort, Date.now()).map((group) => (
        <section key={group.key} aria-label={say(group.key)}>
          <p className="group">{say(group.key)}</p>
          <ul>
            {group.items.map((item) => (
              <Row key={item.eventId} item={item} shown={properties.shown} />
            ))}
          </ul>
        </section>
      ))}
      <Stamps />
      {together > 1 && (
        <div className="inbox-batch">
          <Link to="/c/$center/inbox/batch" params={{ center }} className="btn low">
            {say('batch')}
          </Link>
        </div>
      )}
    </div>
  )
}
