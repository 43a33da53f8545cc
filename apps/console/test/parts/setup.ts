/** Before the first module of the console: the document says its language, and nothing is kept from the test before. */
import { afterEach, beforeEach, vi } from 'vitest'
import { cleanup } from 'vitest-browser-react'

document.documentElement.lang = 'en'
beforeEach(() => localStorage.clear())
afterEach(async () => {
  await cleanup()
  vi.unstubAllGlobals()
})
