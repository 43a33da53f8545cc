/** The table of failures for the guard and the adapters in Python; with `TEST_LONG=1`, in event loops too. Each attempt is a process. */
import { afterAll, vi } from 'vitest'
import { failureTable } from '../../packages/sdk/test/failure-table.ts'
import { python } from './environment.ts'
import { endAll, frameworks, shortList, usePython } from './frameworks.ts'

// Some attempts load a framework.
vi.setConfig({ testTimeout: 180_000 })
afterAll(() => {
  endAll()
  vi.resetConfig()
})

failureTable(process.env.TEST_LONG ? frameworks : shortList, async () => usePython(await python()))
