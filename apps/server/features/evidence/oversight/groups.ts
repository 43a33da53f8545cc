/** The same figures for each policy, person or agent, with the most decisions first. */
import type { listOversightGroups } from '@countersign/contract/console-oversight.ts'
import type { Context } from '../../../http/route.ts'
import { namesOfMembers } from '../../identity/members/api.ts'
import { policyCopy } from '../decision-events/api.ts'
import { namesOfPolicies } from '../decisions/api.ts'
import { addTo } from './buckets.ts'
import { keysOf, namesOfAgents, type SumRow, sumsOfMost } from './queries.ts'
import { firstDay, type OversightNeeds, standing, startsOf, timesOf } from './read.ts'

const most = 50
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

type Row = SumRow & { readonly example: string | null }

/** A few of each key, the newest: one may have lost its name in a redaction. */
const examplesOf = (rows: readonly Row[]): string[] =>
  [...Map.groupBy(rows, ({ key }) => key).values()].flatMap((own) =>
    own.flatMap(({ example }) => example ?? []).slice(-3),
  )

async function namesOf(
  { directory }: OversightNeeds,
  { tx, query }: Context<typeof listOversightGroups.spec>,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  if (query.by === 'policy') return namesOfPolicies((await policyCopy(tx)).policies)
  if (query.by === 'agent') return namesOfAgents(tx, examplesOf(rows))
  const ids = [...new Set(rows.map(({ key }) => key))].filter((key) => uuid.test(key))
  return directory.asCenter(tx.caller, (within) => namesOfMembers(within, ids), 'read')
}

export async function readGroups(needs: OversightNeeds, context: Context<typeof listOversightGroups.spec>) {
  const { tx, query } = context
  const { today } = await standing(needs, context as never)
  const from = firstDay(query.period, today)
  const weeks = startsOf('week', from, today)
  const rows = await sumsOfMost(tx, query.by, from, most)
  const names = await namesOf(needs, context, rows)
  const groups = [...Map.groupBy(rows, ({ key }) => key)].map(([key, own]) => {
    const sum = (of: (row: Row) => number) => own.reduce((all, row) => all + of(row), 0)
    const merged = (of: (row: Row) => readonly number[]) => {
      const sums: number[] = []
      for (const row of own) addTo(sums, of(row))
      return sums
    }
    const decided = ({ approved, refused, expired, withdrawn }: Row) => approved + refused + expired + withdrawn
    const byWeek = new Map(own.map((row) => [row.starts, decided(row)]))
    return {
      id: key,
      name: names.get(key) ?? null,
      approved: sum((row) => row.approved),
      refused: sum((row) => row.refused),
      expired: sum((row) => row.expired),
      withdrawn: sum((row) => row.withdrawn),
      void: sum((row) => row.void),
      opened: sum((row) => row.opened),
      ...timesOf({ to_decide: merged((row) => row.to_decide), open: merged((row) => row.open) }),
      weeks: weeks.map((week) => byWeek.get(week) ?? 0),
    }
  })
  const total = ({ approved, refused, expired, withdrawn }: (typeof groups)[number]) =>
    approved + refused + expired + withdrawn
  groups.sort((a, b) => total(b) - total(a) || (a.id < b.id ? -1 : 1))
  return { groups, leftOut: Math.max(0, (await keysOf(tx, query.by, from)) - groups.length) }
}
