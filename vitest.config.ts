import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'cli/**/*.test.ts',
      'contract/**/*.test.ts',
      'proof/**/*.test.ts',
      'server/**/*.test.ts',
      'tests/**/*.test.ts',
      'verifier/**/*.test.ts',
      'witness/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', 'tests/fixtures/**'],
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    // Two cores: more at a time would only make timing tests lie.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
