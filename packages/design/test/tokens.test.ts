import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast } from '../../../tests/support/contrast.ts'

const css = readFileSync(new URL('../tokens.css', import.meta.url), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
const colorsIn = (block: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color]))
const [light = {}, bySystem = {}, byChoice = {}] = [...css.matchAll(/:root[^{]*\{([^}]*)\}/g)]
  .map(([, block = '']) => colorsIn(block))
  .filter((colors) => 'ink' in colors)

const grounds = ['paper', 'sheet', 'fold']
const texts = ['ink', 'soft', 'pencil', 'verified', 'waiting', 'broken', 'link']
/** Lines and drawings that carry meaning. */
const lines = ['line', 'seal', 'seal-ink', 'focus']

it('dark is the same by system setting and by choice, and names every color of light', () => {
  expect(byChoice).toEqual(bySystem)
  expect(Object.keys(byChoice)).toEqual(Object.keys(light))
})

describe.each([
  ['light', light],
  ['dark', byChoice],
])('in %s', (_, colors) => {
  const low = (names: readonly string[], least: number) =>
    grounds.flatMap((ground) =>
      names
        .map((name) => [name, ground, contrast(colors[name] ?? '', colors[ground] ?? '')] as const)
        .filter(([, , ratio]) => !(ratio >= least)),
    )

  it('text has a contrast of 4.5 on every ground, and a line that carries meaning of 3', () => {
    expect([low(texts, 4.5), low(lines, 3)]).toEqual([[], []])
    expect(contrast(colors['on-ink'] ?? '', colors.ink ?? '')).toBeGreaterThan(7)
  })
})
