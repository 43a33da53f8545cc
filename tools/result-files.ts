/** The page of the newest results, made from results/*.json. */
import { globSync, readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)

interface Result {
  readonly kind: 'bench' | 'chaos'
  readonly name: string
  readonly commit: string
  readonly at: string
  readonly load?: number
  readonly steal?: number | null
  readonly value?: number
  readonly unit?: string
  readonly bare?: number
  readonly ratio?: number
  readonly rounds?: number
  readonly violations?: number
  readonly seed?: number
}

const read = (kind: Result['kind']): readonly Result[] =>
  globSync(`results/${kind}-*.json`, { cwd: root.pathname })
    .sort()
    .map((file) => JSON.parse(readFileSync(new URL(file, root), 'utf8')) as Result)

const number = (value: number | null | undefined): string => (value == null ? '' : value.toLocaleString('en-US'))
const link = ({ kind, name }: Result): string => `[\`${name}\`](../results/${kind}-${name}.json)`
const when = ({ at, commit }: Result): string => `${at.slice(0, 10)}, \`${commit}\``

export const resultsPage = (): string => `# Results

How fast it is, and how it was attacked: the newest run of each bench and each chaos test that was kept, made from [results/](../results/) by
\`npm run generate\`. Earlier ones are in the history of the files. \`npm run bench -- NAME --keep\` and \`npm run chaos -- NAME --keep\` write them.
Figures from before 18 November 2026 were copied from tables that we kept by hand: some lack the time of day, and some are medians of several runs.

The machine has two shared cores: PostgreSQL, Redis, the server and the load generator share them, and the same work varies by a factor of up to 2.5
from minute to minute. Therefore each figure has a reference from the same run, in interleaved windows, and ratios mean more than rates.

## Benches

Each figure stands beside a reference of the same run. The load is that of the machine before it, the steal what its host gave to others.

| bench | value | unit | reference | ratio | load | steal, % | when, commit |
| --- | --- | --- | --- | --- | --- | --- | --- |
${read('bench')
  .map(
    (each) =>
      `| ${link(each)} | ${number(each.value)} | ${each.unit} | ${number(each.bare)} | ${number(each.ratio)} | ${number(each.load && Math.round(each.load * 10) / 10)} | ${number(each.steal)} | ${when(each)} |`,
  )
  .join('\n')}

## Chaos tests

| test | rounds | violations | seed | when, commit |
| --- | --- | --- | --- | --- |
${read('chaos')
  .map(
    (each) => `| ${link(each)} | ${number(each.rounds)} | ${number(each.violations)} | ${each.seed} | ${when(each)} |`,
  )
  .join('\n')}
`
