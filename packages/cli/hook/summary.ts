/** `countersign hook` as people call it: what agents would have been held for. The hook itself is in main.ts. */
import { UsageError } from '../command-line.ts'
import type { Given } from '../given.ts'
import { agents } from './agents.ts'
import { type Observed, readObserved } from './observed.ts'
import { stateFolder } from './places.ts'
import { type HookWord, hookWords } from './words.ts'

function counted(rows: readonly string[]): readonly { readonly text: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1)
  return [...counts].map(([text, count]) => ({ text, count })).sort((one, other) => other.count - one.count)
}

export async function hookSummary(given: Given): Promise<number> {
  const [word, ...more] = given.words
  if (word !== 'summary' || more.length > 0) {
    throw new UsageError(given.say('hookUsage', { agents: agents.map(({ id }) => id).join(', ') }), given.command)
  }
  const say = hookWords(given.spoken.language)
  const all = readObserved(stateFolder())
  const asked = all.filter(({ asks }) => asks.length > 0)
  const reasons = counted(
    asked.flatMap(({ asks }) => asks.map(({ rule, what }) => say('summaryRow', { name: rule, what }))),
  )
  const problems = counted(all.flatMap(({ problem }) => (problem === undefined ? [] : [problem])))
  const [first] = all as readonly [Observed?]
  given.print(
    { since: first?.at ?? null, calls: all.length, asked: asked.length, reasons, problems },
    first === undefined
      ? [say('summaryNone')]
      : [
          say('summaryCalls', { count: all.length, asked: asked.length, since: first.at }),
          ...reasons.map(({ text, count }) => `${String(count).padStart(7)}  ${text}`),
          ...problems.map(({ text, count }) =>
            say('summaryProblem', {
              count,
              problem: say(text as HookWord, { agent: '', version: '', file: '', why: '' }),
            }),
          ),
        ],
  )
  return 0
}
