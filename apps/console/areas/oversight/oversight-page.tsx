/** How people decide, over time: plots of a center, or of one policy, person or agent; each with its numbers as a table. */
import type { OversightPeriod, OversightStep } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useLanguage } from '../../app/i18n.ts'
import { useRoles } from '../../app/role.ts'
import { numberText } from '../../ui/clock.ts'
import { Desk, Sheet, useTitle } from '../../ui/desk.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { AttentionList } from './attention-list.tsx'
import { groupsQuery, oversightQuery, type Whose } from './data.ts'
import { Groups, useGroupName } from './groups.tsx'
import './oversight.css'
import { Plots } from './plots.tsx'
import { useOversightWords } from './words.ts'

const route = getRouteApi('/c/$center/oversight')
const periods = ['month', 'quarter', 'year'] as const

export function OversightPage() {
  const say = useOversightWords()
  const language = useLanguage()
  const { center } = route.useParams()
  const search = route.useSearch()
  const isAdmin = useRoles(center).includes('ADMIN')
  useTitle(say('title'))
  const period = search.period ?? 'quarter'
  const step = search.step ?? (period === 'month' ? 'day' : 'week')
  const whose = isAdmin && search.by && search.id ? { by: search.by, id: search.id } : null
  const query = useQuery(oversightQuery(center, period, step, whose))
  return (
    <Desk
      listLabel={say('title')}
      keepList
      list={
        <>
          <div className="oversight-lede">
            <h1>{say('title')}</h1>
            <p className="soft">{isAdmin ? say('lede') : say('ledeOwn')}</p>
          </div>
          <Choices period={period} step={step} whose={whose} />
          {isAdmin && <AttentionList center={center} period={period} />}
        </>
      }
      sheet={
        <Sheet label={say('plots')}>
          <Loaded query={query} skeletonRows={8}>
            {(data) => (
              <>
                {data.behind > 0 && (
                  <p className="oversight-behind soft" role="status">
                    {say('behind', { count: numberText(data.behind, language) })}
                  </p>
                )}
                <Plots data={data} step={step} withTables={search.tables ?? false} />
              </>
            )}
          </Loaded>
          {isAdmin && (
            <>
              <Groups period={period} by="policy" />
              <Groups period={period} by="person" />
              <Groups period={period} by="agent" />
            </>
          )}
        </Sheet>
      }
    />
  )
}

interface Chosen {
  readonly period: OversightPeriod
  readonly step: OversightStep
  readonly whose: Whose | null
}

function Choices({ period, step, whose }: Chosen) {
  const say = useOversightWords()
  const navigate = route.useNavigate()
  const { tables } = route.useSearch()
  return (
    <div className="oversight-choices">
      <label>
        <span className="label">{say('period')}</span>
        <select
          className="field"
          value={period}
          onChange={({ target: { value } }) =>
            void navigate({
              search: ({ period: _, step: __, ...kept }) => ({
                ...kept,
                ...(value !== 'quarter' && { period: value as 'month' | 'year' }),
              }),
            })
          }
        >
          {periods.map((each) => (
            <option key={each} value={each}>
              {say(`period${each}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="label">{say('step')}</span>
        <select
          className="field"
          value={step}
          onChange={({ target: { value } }) =>
            void navigate({ search: (kept) => ({ ...kept, step: value as OversightStep }) })
          }
        >
          <option value="day">{say('stepday')}</option>
          <option value="week">{say('stepweek')}</option>
        </select>
      </label>
      <label className="oversight-tables">
        <input
          type="checkbox"
          checked={tables ?? false}
          onChange={({ target: { checked } }) =>
            void navigate({
              search: ({ tables: _, ...kept }) => ({ ...kept, ...(checked && { tables: true as const }) }),
              replace: true,
            })
          }
        />
        {say('withTables')}
      </label>
      {whose && <OnlyOne period={period} whose={whose} />}
    </div>
  )
}

function OnlyOne({ period, whose }: { readonly period: OversightPeriod; readonly whose: Whose }) {
  const say = useOversightWords()
  const { center } = route.useParams()
  const nameOf = useGroupName(whose.by)
  const { data } = useQuery(groupsQuery(center, period, whose.by))
  const group = data?.groups.find(({ id }) => id === whose.id)
  return (
    <p className="oversight-only">
      <span>
        <span className="label">{say(`by${whose.by}`)}</span>
        <b>{nameOf(group ?? { id: whose.id, name: null })}</b>
      </span>
      <Link
        to="/c/$center/oversight"
        params={{ center }}
        search={({ by: _, id: __, ...kept }) => kept}
        className="btn plain"
      >
        {say('showAll')}
      </Link>
    </p>
  )
}
