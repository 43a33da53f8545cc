/** Before each file of tests: files share a process, and a clock that one has turned must not be the next one's. */
import { useClock } from '@countersign/server/lib/clock.ts'
import { vi } from 'vitest'

vi.restoreAllMocks()
useClock(Date.now)
