/**
 * `npm run test:pgbouncer [-- vitest arguments]` and `npm run test:haproxy`: the suites about tenancy and decisions with
 * PgBouncer, in session and in transaction mode, or HAProxy between the servers and PostgreSQL; with paths, those tests instead.
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
const proxies: Readonly<Record<string, readonly (readonly [what: string, env: Record<string, string>])[]>> = {
  pgbouncer: [
    ['PgBouncer in session mode', { TEST_PGBOUNCER: 'session' }],
    ['PgBouncer in transaction mode', { TEST_PGBOUNCER: 'transaction' }],
  ],
  haproxy: [['HAProxy', { TEST_HAPROXY: '1' }]],
}
const vitest = new URL('../node_modules/vitest/vitest.mjs', import.meta.url).pathname
const [proxy = '', ...given] = process.argv.slice(2)
const chosen = given.some((word) => !word.startsWith('-')) ? given : [...suites, ...given]
for (const [what, env] of proxies[proxy] ?? []) {
  process.stdout.write(`${what}\n`)
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...chosen], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (status !== 0) process.exitCode = 1
}
