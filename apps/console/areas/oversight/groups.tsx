/** The same figures for each policy, person or agent; a row's name shows its plots. */
import type { OversightGroup, OversightGrouping, OversightPeriod } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Part } from '../../ui/desk.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Sparkline } from '../../ui/plot/sparkline.tsx'
import { closedOf } from './attention.ts'
import { groupsQuery } from './data.ts'
import { spentText } from './times.ts'
import { useOversightWords } from './words.ts'

const route = getRouteApi('/c/$center/oversight')
const often = 0.1

interface Properties {
  readonly period: OversightPeriod
  readonly by: OversightGrouping
}

export function useGroupName(by: OversightGrouping): (group: Pick<OversightGroup, 'id' | 'name'>) => string {
  const say = useOversightWords()
  return ({ id, name }) => name ?? (by === 'policy' ? say('deletedPolicy') : by === 'agent' ? id : say('noName'))
}

export function Groups({ period, by }: Properties) {
  const say = useOversightWords()
  const language = useLanguage()
  const { center } = route.useParams()
  const chosen = route.useSearch()
  const nameOf = useGroupName(by)
  const query = useQuery(groupsQuery(center, period, by))
  const share = (part: number, of: number) =>
    of === 0 ? '–' : new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(part / of)
  const people = ({ approved, refused }: OversightGroup) => approved + refused
  const right = (id: string, title: string, cell: (row: OversightGroup) => string): Column<OversightGroup> => ({
    id,
    title,
    align: 'right',
    cell,
  })
  const columns: readonly Column<OversightGroup>[] = [
    {
      id: 'name',
      title: say(`by${by}`),
      cell: (row) => (
        <Link
          to="/c/$center/oversight"
          params={{ center }}
          search={({ period: kept, step, tables }) => ({
            ...(kept && { period: kept }),
            ...(step && { step }),
            ...(tables && { tables }),
            by,
            id: row.id,
          })}
          className="oversight-name"
        >
          {nameOf(row)}
        </Link>
      ),
    },
    { id: 'weeks', title: say('weeks'), cell: ({ weeks }) => <Sparkline values={weeks} /> },
    right('closed', say('decided'), (row) => numberText(closedOf(row), language)),
    right('time', say('timeToDecide'), (row) => spentText(row.medianSecondsToDecide, language)),
    right('opened', say('openedShort'), (row) => share(row.opened, people(row))),
    right('open', say('timeOpen'), (row) => spentText(row.medianSecondsOpen, language)),
    right('void', say('void'), (row) => numberText(row.void, language)),
    right('refused', say('refused'), (row) => share(row.refused, people(row))),
    ...(by === 'person'
      ? []
      : [
          {
            id: 'expired',
            title: say('expired'),
            align: 'right' as const,
            cell: (row: OversightGroup) => {
              const text = share(row.expired, closedOf(row))
              return row.expired / closedOf(row) < often ? text : <span className="broken">✕ {text}</span>
            },
          },
        ]),
  ]
  return (
    <Part title={say(`part${by}`)}>
      <Loaded query={query} skeletonRows={3}>
        {({ groups, leftOut }) =>
          groups.length === 0 ? (
            <p className="soft">{say('none')}</p>
          ) : (
            <>
              <DataTable
                label={say(`part${by}`)}
                columns={columns}
                rows={groups}
                keyOf={({ id }) => id}
                selected={({ id }) => chosen.by === by && chosen.id === id}
              />
              {leftOut > 0 && <p className="small soft">{say('leftOut', { count: numberText(leftOut, language) })}</p>}
            </>
          )
        }
      </Loaded>
    </Part>
  )
}
