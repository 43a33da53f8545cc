/** The page of the newest results, made from results/*.json. */
import { existsSync, globSync, readFileSync } from 'node:fs'

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

interface TaskResult {
  readonly role: string
  readonly what: string
  readonly limit: number
  readonly clicks: number
  readonly seconds: number
  readonly onPhone: boolean
  /** Results from before 20 November 2026 have only those by pointer. */
  readonly by?: 'pointer' | 'keyboard'
  readonly keys?: number
}

/** Empty until a run of the journeys stored them. */
function tasks(): string {
  const file = new URL('results/journey-tasks.json', root)
  if (!existsSync(file)) return ''
  const result = JSON.parse(readFileSync(file, 'utf8')) as Result & { readonly tasks: readonly TaskResult[] }
  return `
## Tasks in the console

How many clicks or taps a person needs for a task, from the page after signing in and by menus alone. A task fails if it needs more than its
limit. Tasks of a desk are done a second time by keyboard alone: every control is reached by Tab or the arrows and shows the focus. "Keys" are
those presses, without typing. Seconds are those of a script, on the same two shared cores under load. Stored with \`TEST_LONG=1 TEST_KEEP=1 npx vitest run
tests/journeys/tasks.test.ts\`; ${when(result)}.

| who | task | clicks | limit | seconds | keys | seconds |
| --- | --- | --- | --- | --- | --- | --- |
${result.tasks
  .filter(({ by }) => by !== 'keyboard')
  .map(({ role, what, clicks, limit, seconds, onPhone }) => {
    const typed = result.tasks.find((each) => each.by === 'keyboard' && each.role === role && each.what === what)
    const byKeyboard = `${typed?.keys ?? ''} | ${typed?.seconds ?? ''}`
    return `| ${role} | ${what}${onPhone ? ', on a phone' : ''} | ${clicks} | ${limit} | ${seconds} | ${byKeyboard} |`
  })
  .join('\n')}
`
}

export const resultsPage = (): string => `# Results

This page shows how fast Countersign is and how it withstands attacks, with the latest stored run of each benchmark and chaos test.
\`npm run generate\` creates this page from [results/](../results/), whose git history has the earlier runs. \`npm run bench -- NAME --keep\`
and \`npm run chaos -- NAME --keep\` store a run. Figures from before 18 November 2026 were copied from tables that we kept by hand. Some
of them lack the time of day, and some are medians of several runs.

The machine has two shared cores. PostgreSQL, Redis, the server and the load generator share them, and the time for the same work varies by
a factor of up to 2.5 from minute to minute. That's why each figure has a reference from the same run, in interleaved windows, and why
ratios mean more than rates.

## Benchmarks

"Reference" is from the same run. "Load" is the machine's load before the run, and "steal" is the CPU time that its host gave to others.

| benchmark | value | unit | reference | ratio | load | steal, % | when, commit |
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
${tasks()}`
