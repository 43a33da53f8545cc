/**
 * What is too long for every run of CI takes turns by the day, in UTC, and not by chance: two runs of a day run the same. Only
 * CI sets TEST_TURNS=today; every other command runs all.
 */
const day = Math.floor(Date.now() / 86_400_000)

/** Whether the item at this place has its turn in this run. */
export const hasTurn = (at: number, days: number): boolean =>
  process.env.TEST_TURNS !== 'today' || at % days === day % days

/** Files that take a minute or more. Of each list one file runs. */
const inTurn = [
  ['tests/journeys/image.test.ts', 'tests/journeys/packages.test.ts'],
  ['tests/interop/generated-clients.test.ts', 'tests/docs/new-field.test.ts', 'tests/crash/alerts.test.ts'],
  ['tests/interop/litewitness.test.ts', 'tests/interop/helm.test.ts', 'tests/interop/agent-governance.test.ts'],
  ['tests/journeys/examples.test.ts', 'tests/docs/agents-guide.test.ts'],
]

export const notInThisRun = inTurn.flatMap((files) => files.filter((_, at) => !hasTurn(at, files.length)))
