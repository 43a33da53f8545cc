import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'tests/**/*.test.ts', 'tools/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'tools/test/fixtures/**'],
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/each-file.ts'],
    pool: 'forks',
    // Files share what they import, and nothing else: each has its own server and database. Loading everything anew for
    // each of them would take as long as the tests.
    isolate: false,
    // Two cores: more at a time would only make timing tests lie.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
