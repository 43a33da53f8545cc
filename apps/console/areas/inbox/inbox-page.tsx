/** The inbox: what waits on the left, one decision on the sheet, what surrounds it in the margin. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useShortcuts } from '../../app/keys.ts'
import { useMe } from '../../app/queries.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { inboxQuery, useSentDrafts } from './data.ts'
import { Margin } from './margin.tsx'
import { InboxSheet, type SheetHandle } from './sheet.tsx'
import { Tray } from './tray.tsx'
import { useInboxWords } from './words.ts'
import './inbox.css'

const route = getRouteApi('/c/$center/inbox')
/** With the words of all workflows, which an inbox without drafts does not load. */
const SentDrafts = lazy(async () => ({ default: (await import('./sent-drafts.tsx')).SentDrafts }))

export function InboxPage() {
  const say = useInboxWords()
  useTitle(say('title'))
  const { center } = route.useParams()
  const { view = 'turn', sort = 'risk', id } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: me } = useMe()
  const inbox = useQuery(inboxQuery(center, view, sort))
  const handle = useRef<SheetHandle>(null)
  const items = inbox.data?.data ?? []
  // A phone shows the list until the person opens an item.
  const narrow = useNarrow()
  const shown = id ?? (!narrow ? items[0]?.eventId : undefined)
  const at = items.findIndex(({ eventId }) => eventId === shown)
  const own = me?.memberships.find(({ centerDomain }) => centerDomain === center)

  const show = (eventId: string | undefined) =>
    void navigate({
      search: (before) => ({ ...before, id: eventId }),
      replace: id !== undefined && !narrow,
      resetScroll: narrow,
    })
  const step = (by: number) => {
    const to = items[at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + by))]
    if (to) show(to.eventId)
  }
  useShortcuts([
    { keys: 'j', label: say('keyNext'), run: () => step(1) },
    { keys: 'k', label: say('keyBefore'), run: () => step(-1) },
    { keys: 'o', label: say('keyOpen'), run: () => handle.current?.focus() },
    { keys: 'a', label: say('keyApprove'), run: () => handle.current?.approve() },
    { keys: 'r', label: say('keyRefuse'), run: () => handle.current?.refuse() },
  ])
  useEffect(() => {
    if (shown) document.querySelector('.tray .item[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [shown])

  const sent = useSentDrafts(center)
  const nothing = inbox.data && items.length === 0 && !id
  const empty = (
    <Empty title={say(view === 'turn' || view === 'all' ? 'emptyTitle' : `empty${view}`)}>
      {(view === 'turn' || view === 'all') && <p className="soft">{say('emptyText')}</p>}
      {own?.role === 'ADMIN' && <p className="soft">{say('emptyPolicies')}</p>}
      <p>
        <Link to={`/c/${center}/decisions` as string} className="link tap">
          {say('toDecisions')}
        </Link>
      </p>
    </Empty>
  )
  const list = (
    <Tray {...{ items, view, sort, shown, center }} counts={inbox.data?.counts}>
      {sent.length > 0 && (
        <Suspense>
          <SentDrafts center={center} drafts={sent} />
        </Suspense>
      )}
      {inbox.error && <ErrorPanel error={inbox.error} onRetry={() => void inbox.refetch()} />}
      {nothing && narrow && empty}
      {inbox.isPending && (
        <div className="inbox-pad">
          <Skeleton rows={6} />
        </div>
      )}
    </Tray>
  )
  return (
    <Desk
      own
      list={list}
      listLabel={say('title')}
      sheet={
        shown && me ? (
          <InboxSheet
            key={shown}
            ref={handle}
            id={shown}
            me={me}
            center={center}
            onClosed={() => show(shown)}
            onNext={() => show(nextOf())}
          />
        ) : nothing && !narrow ? (
          <article className="sheet">{empty}</article>
        ) : undefined
      }
      // Also without a request: whoever is away for a week names a deputy before anything waits.
      margin={<Margin item={items[at]} center={center} />}
    />
  )

  /** The one after this, or the first that is left. */
  function nextOf(): string | undefined {
    const left = items.filter(({ eventId }) => eventId !== shown)
    return (left[Math.max(0, at)] ?? left[0])?.eventId
  }
}
