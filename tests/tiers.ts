/**
 * Which command runs a test file: `npm test` what needs nothing but PostgreSQL and Redis and is done in minutes, `npm run
 * test:browser` what opens Chromium, `npm run test:release` the rest. `.ci/run` runs all of them.
 */
const anyTest = '*.test.{ts,tsx}'

/** Parts of the console, each by itself in a page. */
const parts = ['apps/console/test/parts/*.test.tsx']

const browser = [
  ...[
    'account-pages',
    'approval-page',
    'approval-page-states',
    'console-*',
    'docs-page',
    'docs-pages',
    'hostile-content',
  ],
  ...['first-passkey', 'one-sitting', 'passkey-offline', 'passkey-pages', 'shown-*', 'step-up', 'verifier-page'],
].map((name) => `tests/journeys/${name}.test.ts`)

/** What starts other programs, clusters, packages or images, or breaks things on purpose. */
const programs = [
  ...['bench', 'crash', 'fuzz', 'interop', 'python', 'races', 'skew', 'tamper'].map(
    (folder) => `tests/${folder}/**/${anyTest}`,
  ),
  `tests/journeys/${anyTest}`,
  'tests/docs/{contributing,durability,guides,incidents,one-machine,other-blocks,runbook,several-machines,webhook-frameworks,*-guide}.test.ts',
  'tests/isolation/pgbouncer.test.ts',
  `tools/test/${anyTest}`,
  `packages/{cli,gateway,mcp,witness}/test/${anyTest}`,
  'apps/server/sealing/test/{fence,fence-crashes,generations,store}.test.ts',
]

/** Seconds each: loads, outages and waits, months of due times, every operation by every caller, every forgery of a file. */
const long = [
  'apps/server/access/test/{covered-lookups,passwords,tokens}.test.ts',
  'apps/server/audit/test/entries.test.ts',
  'apps/server/features/automation/webhooks/test/{emitted,emitted-together,fairness,holding,retry-schedule}.test.ts',
  'apps/server/features/automation/webhooks/test/{rotation-with-consumers,secrets}.test.ts',
  'apps/server/features/automation/workflows/test/{ai-faults,due-times,schedule-month}.test.ts',
  'apps/server/features/centers/leaving/test/export.test.ts',
  'apps/server/features/centers/sandboxes/test/sandboxes.test.ts',
  'apps/server/features/centers/subscription/test/end-trials.test.ts',
  'apps/server/features/evidence/decisions/test/passkey.test.ts',
  'apps/server/features/evidence/dpu/test/raise.test.ts',
  'apps/server/features/evidence/evidence/test/chain-entries.test.ts',
  'apps/server/features/evidence/policies/test/shared.test.ts',
  'apps/server/features/evidence/transparency/test/proofs.test.ts',
  'apps/server/features/evidence/verification/test/{memory,verify-chain,verify-chains.job}.test.ts',
  'apps/server/features/identity/auth/test/{login-limit,login-load}.test.ts',
  'apps/server/http/test/{redis-away,shared}.test.ts',
  'apps/server/jobs/test/{due-work,jobs}.test.ts',
  'apps/server/lib/test/lookup-cache.test.ts',
  'apps/server/sealing/test/sequencer.test.ts',
  'packages/proof/test/{database-and-log-key,exhaustive,verify-export}.test.ts',
  'packages/sdk/test/{failures,methods}.test.ts',
  'tests/isolation/access/{matrix,promises}.test.ts',
  'tests/isolation/{interleaved,two-cells}.test.ts',
]

const all = ['packages', 'apps', 'tests', 'tools'].map((folder) => `${folder}/**/${anyTest}`)
const never = ['**/node_modules/**', 'tools/test/fixtures/**']

export interface Tier {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

const release = [...programs, ...long]

/** The projects of vitest; `npm run test:browser` runs `browser` and `parts`. */
export const tiers: Readonly<Record<'test' | 'browser' | 'parts' | 'release', Tier>> = {
  test: { include: all, exclude: [...never, ...browser, ...parts, ...release] },
  browser: { include: browser, exclude: never },
  parts: { include: parts, exclude: never },
  release: { include: release, exclude: [...never, ...browser] },
}

/** These also run on PostgreSQL 18 in the last tier; `npm run test:18` runs everything there. */
export const closeToTheDatabase = {
  include: ['apps/server/sealing', 'apps/server/data', 'tests/isolation/isolation'],
  exclude: ['apps/server/sealing/test/{fence,fence-crashes,generations,store}.test.ts'],
}

/** A run ends soonest when these begin first: no file that takes a minute is then the last one. */
export const longest = [
  'tests/journeys/image.test.ts',
  'tests/bench/shortest.test.ts',
  'tests/crash/shortest.test.ts',
  'tests/isolation/access/matrix.test.ts',
  'tests/journeys/console-routes.test.ts',
  'tests/journeys/packages.test.ts',
  'tests/journeys/quickstart.test.ts',
  'tests/journeys/console-inbox.test.ts',
  'tests/journeys/console-center.test.ts',
  'tests/races/races.test.ts',
  'packages/cli/test/audit.test.ts',
  'tests/interop/generated-clients.test.ts',
  'tests/journeys/approval-page-states.test.ts',
  'tests/crash/process.test.ts',
  'tests/crash/alerts.test.ts',
  'tests/interop/forged-files.test.ts',
  'apps/server/audit/test/entries.test.ts',
  'tests/journeys/shown-values.test.ts',
  'tests/crash/execute.test.ts',
  'tests/journeys/observability.test.ts',
  'tests/crash/passkeys.test.ts',
  'tests/crash/rewrite.test.ts',
  'tests/journeys/cli-audit.test.ts',
  'apps/server/jobs/test/due-work.test.ts',
  'tests/journeys/verifier-page.test.ts',
]
