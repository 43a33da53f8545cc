/** The chain of a center: single entries, all of them as a strip, and the verdict of this browser beside the server's. */
import type { ChainEntry, ChainOverview } from '@countersign/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useShortcuts } from '../../app/keys.ts'
import { useChainReason } from '../../ui/chain-reason.ts'
import { numberText } from '../../ui/clock.ts'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Hash } from '../../ui/hash.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import './chain.css'
import { EntryTable } from './entry-table.tsx'
import { Slips } from './slips.tsx'
import { Standing } from './standing.tsx'
import { Strip } from './strip.tsx'
import { useVerification } from './use-verification.ts'
import { useChainWords } from './words.ts'

const route = getRouteApi('/c/$center/chain')
/** How many slips stand on the desk; a phone scrolls. */
const slips = 7
const domains = ['proof', 'dpu', 'history'] as const

const useEntries = (chain: ChainOverview | undefined, from: number) =>
  useQuery({
    queryKey: ['chain', 'entries', chain?.domain, from, chain?.length],
    queryFn: async ({ signal }) => {
      const entries: ChainEntry[] = []
      const query = { from, limit: slips + 1 }
      for await (const entry of api.chains.listEntries(chain?.domain ?? 'proof', query, { signal })) entries.push(entry)
      return entries
    },
    enabled: chain !== undefined && chain.length > 0,
    placeholderData: keepPreviousData,
  })

export function ChainPage() {
  const say = useChainWords()
  const reasonOf = useChainReason()
  const language = useLanguage()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery({
    queryKey: ['chain', 'integrity'],
    queryFn: ({ signal }) => api.console.getIntegrity({ signal }),
  })
  // A chain grows while a reader looks at it; what is verified is the chain as it was when the button was pressed.
  const [pinned, setPinned] = useState<ChainOverview | null>(null)
  const fresh = data?.chains.find(({ domain }) => domain === (search.domain ?? 'proof'))
  const chain = useMemo(
    () => (pinned && fresh && pinned.domain === fresh.domain ? { ...fresh, length: pinned.length } : fresh),
    [pinned, fresh],
  )
  const own = useVerification(chain)
  const number = (value: number) => numberText(value, language)
  const length = chain?.length ?? 0
  const serverBroken = fresh?.brokenAt ?? fresh?.checks.find(({ brokenAt }) => brokenAt !== null)?.brokenAt ?? null
  const brokenAt = own.verdict ? own.verdict.brokenAt : serverBroken
  const at = Math.min(Math.max(0, length - 1), search.at ?? brokenAt ?? Math.max(0, length - 1))
  const span = Math.min(Math.max(1, length), search.span ?? length)
  const first = Math.max(0, Math.min(length - span, at - Math.floor(span / 2)))
  const from = Math.max(0, Math.min(length - slips, at - Math.floor(slips / 2)))
  const { data: entries, error: entryError } = useEntries(chain, from)

  const go = (to: number) =>
    void navigate({ search: (old) => ({ ...old, at: Math.max(0, Math.min(length - 1, to)) }), replace: true })
  const zoom = (by: number) =>
    void navigate({
      search: ({ span: _, ...old }) => {
        const next = Math.max(1, Math.min(100_000, Math.round(span * by)))
        return next >= length ? old : { ...old, at, span: next }
      },
      replace: true,
    })
  const turn = () =>
    void navigate({ search: ({ view, ...old }) => (view ? old : { ...old, view: 'table' }), replace: true })
  const start = () => {
    setPinned(fresh ?? null)
    own.start()
  }
  const jump = (to: number) => () => go(to)
  useShortcuts([
    { keys: 't', label: say('table'), run: turn },
    { keys: 'v', label: say('verify'), run: start },
    { keys: '=', label: say('zoomIn'), run: () => zoom(0.1) },
    { keys: '-', label: say('zoomOut'), run: () => zoom(10) },
    { keys: 'h', label: say('earlier'), run: jump(at - 1) },
    { keys: 'l', label: say('later'), run: jump(at + 1) },
    { keys: 'Home', label: say('toFirst'), run: jump(0) },
    { keys: 'End', label: say('toLast'), run: jump(length - 1) },
  ])

  if (!data || !chain) {
    return (
      <Page title={say('title')} wide>
        {error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton rows={8} />}
      </Page>
    )
  }
  const running = own.state === 'running'
  const title =
    length === 0
      ? say('empty')
      : brokenAt !== null
        ? say('broken', { index: number(brokenAt + 1) })
        : say(own.verdict ? 'intact' : 'unread', { count: number(length) })
  const lede = (
    <span role="status">
      {running &&
        `${say('running', { done: number(own.checked), total: number(length) })} · ${say('rate', { rate: number(Math.round((own.checked / Math.max(1, own.ms)) * 1000)) })}`}
      {own.state === 'failed' && say('failed', { message: own.failure ?? '' })}
      {own.state === 'idle' && length > 0 && say('notYet')}
      {own.verdict &&
        [
          say('byBrowser', { count: number(own.verdict.chainLength) }),
          brokenAt !== null && brokenAt > 0 && say('upTo', { index: number(brokenAt) }),
          fresh &&
            (fresh.checks.length > 0 || serverBroken !== null) &&
            say(serverBroken === own.verdict.brokenAt ? 'agrees' : 'disagrees'),
        ]
          .filter(Boolean)
          .join(' ')}
    </span>
  )
  const actions = (
    <>
      <button type="button" className="btn plain" onClick={turn}>
        {say(search.view ? 'strip' : 'table')} <kbd>T</kbd>
      </button>
      {running ? (
        <button type="button" className="btn" onClick={own.stop}>
          {say('stop')}
        </button>
      ) : (
        <button type="button" className="btn first" disabled={length === 0} onClick={start}>
          {say(own.verdict ? 'again' : 'verify')}
        </button>
      )}
    </>
  )
  const before = brokenAt !== null ? entries?.find(({ index }) => index === brokenAt - 1) : undefined
  const after = brokenAt !== null ? entries?.find(({ index }) => index === brokenAt) : undefined
  return (
    <div className={`chain-page${brokenAt !== null ? ' is-broken' : ''}`}>
      <Page title={title} lede={lede} actions={actions} wide>
        <nav className="chain-domains" aria-label={say('chainOf')}>
          {domains.map((domain) => (
            <Link key={domain} to="." search={{ domain }} aria-current={domain === chain.domain ? 'true' : undefined}>
              {say(`domain${domain}`)}{' '}
              <span className="soft">{number(data.chains.find((each) => each.domain === domain)?.length ?? 0)}</span>
            </Link>
          ))}
        </nav>
        {running && <progress className="chain-progress" max={length} value={own.checked} aria-label={say('verify')} />}
        {length === 0 && (
          <Empty title={say('empty')}>
            <p className="soft">{say('emptyNext')}</p>
          </Empty>
        )}
        {entryError && <ErrorPanel error={entryError} />}
        {length > 0 && entries && search.view === 'table' && (
          <EntryTable entries={entries.slice(0, slips)} brokenAt={brokenAt} />
        )}
        {length > 0 && entries && search.view !== 'table' && (
          <section
            className="chain-scroll"
            aria-label={say('entries', { from: number(from), to: number(Math.min(length, from + slips) - 1) })}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            tabIndex={0}
          >
            <Slips entries={entries} at={at} brokenAt={brokenAt} />
          </section>
        )}
        {length > 0 && (
          <section className="part chain-whole">
            <h2>
              {say('whole')}
              <small>
                {say('perBar', { count: number(Math.max(1, Math.ceil(span / 340))) })} · {say('taller')} ·{' '}
                {say('hollow')}
              </small>
            </h2>
            <Strip
              levels={own.levels}
              checked={own.checked}
              window={{ from: first, to: first + span }}
              at={at}
              brokenAt={brokenAt}
              onGo={go}
            />
            <div className="chain-zoom">
              <button type="button" className="btn low plain" disabled={span <= 1} onClick={() => zoom(0.1)}>
                {say('zoomIn')}
              </button>
              <button type="button" className="btn low plain" disabled={span >= length} onClick={() => zoom(10)}>
                {say('zoomOut')}
              </button>
              <button type="button" className="btn low plain" onClick={jump(0)}>
                {say('toFirst')}
              </button>
              <button type="button" className="btn low plain" onClick={jump(length - 1)}>
                {say('toLast')}
              </button>
              <span className="soft small">{say('zoom', { count: number(span) })}</span>
            </div>
          </section>
        )}
        {brokenAt !== null && (
          <div className="chain-standing">
            {before && (
              <section className="part">
                <h2>{say('left', { index: number(before.index + 1) })}</h2>
                <Hash value={before.hash.replace('sha256:', '')} copy />
                <p className="soft small">{say('leftNote')}</p>
              </section>
            )}
            {after && (
              <section className="part">
                <h2 className="broken">{say('wrote', { index: number(after.index + 1) })}</h2>
                <Hash value={(after.previousHash ?? '').replace('sha256:', '')} copy />
                <p className="soft small">{say('wroteNote', { reason: reasonOf(own.verdict?.reason ?? '') })}</p>
              </section>
            )}
            {brokenAt > 0 && (
              <section className="part">
                <h2>{say('safe')}</h2>
                <p className="soft small">{say('safeNote', { index: number(brokenAt) })}</p>
              </section>
            )}
          </div>
        )}
        <Standing chain={chain} alarms={data.alarms} own={own.verdict} />
      </Page>
    </div>
  )
}
