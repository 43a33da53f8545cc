/**
 * `npm run test:pgbouncer [-- vitest arguments]`: the suites about tenancy and decisions with PgBouncer between the servers
 * and PostgreSQL, in session and in transaction mode; with paths, those tests instead.
 */
import { spawnSync } from 'node:child_process'

const suites = [
  'tests/isolation',
  'apps/server/features/evidence/decision-events',
  'apps/server/features/evidence/decisions',
  'apps/server/features/evidence/agents',
  'apps/server/features/evidence/dpu',
  'apps/server/features/evidence/executions',
]
const vitest = new URL('../node_modules/vitest/vitest.mjs', import.meta.url).pathname
const given = process.argv.slice(2)
const chosen = given.some((word) => !word.startsWith('-')) ? given : [...suites, ...given]
for (const mode of ['session', 'transaction']) {
  process.stdout.write(`PgBouncer in ${mode} mode\n`)
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...chosen], {
    stdio: 'inherit',
    env: { ...process.env, TEST_PGBOUNCER: mode },
  })
  if (status !== 0) process.exitCode = 1
}
