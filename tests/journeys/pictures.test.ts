/**
 * Pictures of every page with demo data, and what axe and the layout check find on them. TEST_PICTURES=1 takes all of them into
 * `.dev/pictures`, another value those whose names match it. tests/pictures/README.md says more.
 */
import { expect, it } from 'vitest'

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
      expect(await takePictures(desk, story, { folder, only, widths, references, readme })).toEqual([])
      expect([desk.complaints, desk.foreign]).toEqual([[], []])
    } finally {
      await close()
    }
  },
  3_600_000,
)
