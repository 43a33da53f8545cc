/** The chains of all centers: one cell each, broken ones first, and the same as a table. */
import type { CenterIntegrity } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Joint } from '../../ui/picture.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import './partner.css'
import { centersQuery } from './stop-data.ts'
import { usePartnerWords } from './words.ts'

export function IntegrityPage() {
  const say = usePartnerWords()
  const language = useLanguage()
  const { data, error, refetch } = useQuery(centersQuery)
  const broken = data?.filter((each) => each.broken.length > 0).length ?? 0
  const unchecked = data?.filter((each) => !isVerified(each)).length ?? 0
  const columns: readonly Column<CenterIntegrity>[] = [
    {
      id: 'center',
      title: say('center'),
      cell: ({ centerId, name }) => (
        <Link to="/p" search={{ q: undefined, center: String(centerId) }}>
          {name}
        </Link>
      ),
    },
    {
      id: 'state',
      title: say('state'),
      cell: (each) => <Verdict of={each} />,
    },
    { id: 'entries', title: say('entries'), align: 'right', cell: ({ entries }) => numberText(entries, language) },
    {
      id: 'at',
      title: say('verifiedAt'),
      cell: ({ verifiedAt }) => (verifiedAt ? <Time at={verifiedAt} /> : <span className="soft">{say('never')}</span>),
    },
  ]
  const ledeOf = () => {
    if (broken > 0) return say('brokenCount', { count: broken })
    if (unchecked > 0) return say('uncheckedCount', { count: unchecked })
    return say('allIntact', { count: data?.length ?? 0 })
  }
  return (
    <Page title={say('integrity')} lede={data && ledeOf()}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={6} />}
      {data?.length === 0 && <Empty title={say('noCenters')}>{say('noCentersText')}</Empty>}
      {data && data.length > 0 && (
        <>
          <ul className="partner-map" aria-label={say('integrity')}>
            {data.map((each) => (
              <li key={each.centerId} className={each.broken.length > 0 ? 'partner-cell broken' : 'partner-cell'}>
                {each.broken.length > 0 || isVerified(each) ? (
                  <Joint
                    hashA={`center ${each.centerId}`}
                    hashB={each.broken.length > 0 ? 'broken' : `center ${each.centerId}`}
                    size={44}
                    label=""
                  />
                ) : (
                  <span className="partner-unchecked" aria-hidden="true" />
                )}
                <span>
                  <b>{each.name}</b>
                  <small>
                    <Verdict of={each} />
                  </small>
                </span>
              </li>
            ))}
          </ul>
          <DataTable label={say('integrity')} columns={columns} rows={data} keyOf={({ centerId }) => centerId} />
        </>
      )}
    </Page>
  )
}

/** A joined seal says that the chain was verified: a center that was not has none. */
const isVerified = ({ broken, reachable, verifiedAt }: CenterIntegrity): boolean =>
  broken.length === 0 && reachable && verifiedAt !== null

function Verdict({ of: { broken, reachable, verifiedAt } }: { readonly of: CenterIntegrity }) {
  const say = usePartnerWords()
  const [first] = broken
  if (first)
    return (
      <StatusWord tone="broken">
        {say('brokenAt', { domain: say(`chain${first.domain}`), index: first.brokenAt + 1 })}
      </StatusWord>
    )
  if (!reachable) return <StatusWord tone="waiting">{say('unreachable')}</StatusWord>
  return <StatusWord tone={verifiedAt ? 'verified' : 'plain'}>{say(verifiedAt ? 'intact' : 'unchecked')}</StatusWord>
}
