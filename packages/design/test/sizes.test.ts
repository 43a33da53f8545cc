/** No style sheet and no drawing of the product has text that is smaller than 14 px. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../../', import.meta.url).pathname
const smallest = 14

/** Files whose numbers aren't pixels of a screen, and why. */
const notPixels: Readonly<Record<string, string>> = {
  'packages/design/seal.ts': 'units of the drawing of a typed name, which is enlarged as a whole',
  'packages/design/marks.ts': 'units of the drawing of a stone, whose characters fill its cells',
}

const sizes = (text: string): readonly number[] => [
  ...[...text.matchAll(/(?:font-size|--[\w-]*(?:font-size|text|-t)-[\w-]+|--t-[\w-]+|\bfont):\s*([^;}]+)/g)].flatMap(
    ([, value = '']) => {
      // The size stands before the height of the line.
      const found = /(\d*\.?\d+)(px|rem|em)(?![^/]*\()/.exec(value.replace(/\/.*$/s, ''))
      return found ? [Number(found[1]) * (found[2] === 'px' ? 1 : found[2] === 'rem' ? 16 : 15)] : []
    },
  ),
  ...[...text.matchAll(/fontSize[=:]\s*\{?['"]?(\d+)/g)].map(([, size]) => Number(size)),
  ...[...text.matchAll(/(?:font-size|font):\s*[^;}]*\b(?:x+-small|small|smaller)\b/g)].map(() => 0),
]

it('finds small text where it is planted', () => {
  expect(sizes('a{font-size:13px}')).toEqual([13])
  expect(sizes('a { font: 500 12px / 20px var(--sans); }')).toEqual([12])
  expect(sizes('--t-small: 500 13px / 20px var(--sans);')).toEqual([13])
  expect(sizes('--mantine-font-size-xs: 12px; --sl-text-code: 13px;')).toEqual([12, 13])
  expect(sizes('small { font-size: smaller } code { font-size: 0.8em }')).toEqual([12, 0])
  expect(sizes('<text fontSize={11}>')).toEqual([11])
})

it('text is 14 px or larger in every style sheet', () => {
  const files = execFileSync('git', ['ls-files', '*.css', '*.ts', '*.tsx', '*.astro', '*.html'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /^(apps|packages)\//.test(file) && !/\/(test|dist)\//.test(file) && !(file in notPixels))
  expect(files.filter((file) => file.endsWith('.css')).length).toBeGreaterThan(25)
  const small = files.flatMap((file) =>
    sizes(readFileSync(root + file, 'utf8'))
      // Zero hides a word beside its drawing.
      .filter((size) => size > 0 && size < smallest)
      .map((size) => `${file}: ${size}`),
  )
  expect(small).toEqual([])
})
