import { execFileSync } from 'node:child_process'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { notInThisRun } from './tests/support/turn.ts'
import { longest, type Tier, tiers } from './tests/tiers.ts'

const files = ({ include, exclude }: Tier) => ({ include: [...include], exclude: [...exclude, ...notInThisRun] })

const onNode = (name: 'test' | 'browser' | 'release') => ({
  extends: true as const,
  test: { name, ...files(tiers[name]), setupFiles: ['tests/support/each-file.ts'] },
})

/** Debian's Chromium, as in the journeys. Asked for when a page is opened, because the other tiers do not need it. */
const chromium = () => {
  try {
    return execFileSync('which', ['chromium-headless-shell'], { encoding: 'utf8' }).trim()
  } catch {
    return '/usr/bin/chromium-headless-shell'
  }
}

const inPages = {
  extends: true as const,
  plugins: [react()],
  resolve: { conditions: ['browser', 'import', 'default'] },
  // Known before the first page opens: one that is found later would load the page again in the middle of a test.
  optimizeDeps: {
    include: [
      ...['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime', 'react/jsx-dev-runtime'],
      ...['@mantine/core', '@tanstack/react-query', '@tanstack/react-router'],
      ...['@noble/hashes/sha2.js', '@noble/hashes/utils.js', 'vitest-browser-react'],
    ],
  },
  test: {
    name: 'parts',
    testTimeout: 30_000,
    ...files(tiers.parts),
    setupFiles: ['apps/console/test/parts/setup.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath: chromium(), args: ['--no-sandbox', '--disable-gpu'] } }),
      instances: [{ browser: 'chromium' as const, viewport: { width: 1280, height: 800 } }],
    },
  },
}

const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
  return at < 0 ? longest.length : at
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    // Files share what they import, and nothing else: each has its own server and database. Loading everything anew for
    // each of them would take as long as the tests.
    isolate: false,
    // Three for two cores: tests wait for servers more than they compute.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [onNode('test'), onNode('browser'), inPages, onNode('release')],
  },
})
