/**
 * Pictures of every page with demo data, and what axe and the layout check find on them. TEST_PICTURES=1 takes all of them into
 * `.dev/pictures`, another value those whose names match it. TEST_KEEP=1 stores what a run over all pages found in results/.
 * tests/pictures/README.md says more.
 */
import { expect, it } from 'vitest'
import { keepResult } from '../bench/keep.ts'
import { phone, screen, views } from '../pictures/views.ts'
import { testSeed } from '../support/seed.ts'

const { TEST_PICTURES: wanted, TEST_WIDTHS, TEST_REFERENCES: references, TEST_README: forReadme } = process.env
const widths = TEST_WIDTHS?.split(',').map(Number)

it.runIf(wanted)(
  'takes every page in both themes and both languages',
  async () => {
    const { prepare } = await import('../pictures/stage.ts')
    const { takePictures } = await import('../pictures/take.ts')
    const { desk, story, close } = await prepare()
    try {
      const folder = new URL('../../.dev/pictures', import.meta.url).pathname
      const readme = forReadme && new URL('../../docs/pictures', import.meta.url).pathname
      const only = wanted === '1' ? undefined : new RegExp(String(wanted))
      const at = new Date().toISOString()
      const { pages, found } = await takePictures(desk, story, { folder, only, widths, references, readme })
      if (process.env.TEST_KEEP && !only) {
        const states = views.map(({ theme, language }) => `${theme} ${language}`)
        const taken = [screen.width, phone.width, ...(widths ?? [])]
        // At 320 pixels and at 200 % zoom each page is measured, and not pictured.
        keepResult('journey', 'pictures', {
          at,
          seed: testSeed(),
          pages: pages.length,
          states,
          widths: taken,
          violations: found,
        })
      }
      expect(found).toEqual([])
      expect([desk.complaints, desk.foreign]).toEqual([[], []])
    } finally {
      await close()
    }
  },
  3_600_000,
)
