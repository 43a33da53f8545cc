/**
 * What is too long for every run of CI takes turns by the day, in UTC, and not by chance: two runs of a day run the same. Only
 * CI sets TEST_TURNS=today; every other command runs all.
 */
const day = Math.floor(Date.now() / 86_400_000)

/** Whether the item at this place has its turn in this run. */
export const hasTurn = (at: number, days: number): boolean =>
  process.env.TEST_TURNS !== 'today' || at % days === day % days

/** Files that take half a minute or more, with others that look at similar things. Of each list one file runs. */
const inTurn = [
  ['tests/journeys/image.test.ts', 'tests/journeys/packages.test.ts'],
  ['tests/interop/generated-clients.test.ts', 'tests/docs/new-field.test.ts', 'tests/crash/alerts.test.ts'],
  ['tests/interop/litewitness.test.ts', 'tests/interop/helm.test.ts', 'tests/interop/agent-governance.test.ts'],
  ['tests/journeys/examples.test.ts', 'tests/docs/agents-guide.test.ts'],
  ['tests/interop/coding-agents.test.ts', 'tests/journeys/white-label.test.ts'],
  ['tests/journeys/quickstart.test.ts', 'tests/journeys/director-who-teaches.test.ts'],
  ['packages/cli/test/audit.test.ts', 'packages/cli/test/audit-rules.test.ts', 'tests/journeys/cli-audit.test.ts'],
  ['tests/journeys/standing.test.ts', 'tests/journeys/command.test.ts'],
  ['tests/interop/gateway.test.ts', 'tests/crash/gateway.test.ts', 'packages/gateway/test/faults.test.ts'],
  ['packages/gateway/test/calls.test.ts', 'packages/gateway/test/hostile.test.ts'],
  ['tests/crash/process.test.ts', 'tests/crash/deliver.test.ts'],
  ['tests/interop/forged-files.test.ts', 'tests/interop/python.test.ts'],
  ['tests/journeys/observability.test.ts', 'tests/journeys/demo.test.ts', 'tests/journeys/agents-connect.test.ts'],
  ['tests/crash/passkeys.test.ts', 'tests/crash/write-faults.test.ts', 'tests/crash/database-away.test.ts'],
  ['tests/docs/runbook.test.ts', 'packages/witness/test/program.test.ts'],
  ['tests/crash/stolen-key.test.ts', 'tests/crash/rewrite.test.ts', 'tests/crash/standby.test.ts'],
]

export const notInThisRun = inTurn.flatMap((files) => files.filter((_, at) => !hasTurn(at, files.length)))
