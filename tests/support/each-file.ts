/** Runs before each test file: files share a process, so the clock is reset and random choices restart from the seed. */
import { useClock } from '@countersign/server/lib/clock.ts'
import fc from 'fast-check'
import { beforeEach, vi } from 'vitest'
import { restartRandom, testSeed } from './seed.ts'

vi.restoreAllMocks()
useClock(Date.now)
restartRandom()
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed() })

beforeEach(({ onTestFailed }) => {
  onTestFailed(() => {
    process.stderr.write(`To make the same random choices again, run with TEST_SEED=${testSeed()}\n`)
  })
})
