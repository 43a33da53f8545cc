import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('../tokens.css', import.meta.url), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
const colorsIn = (block: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color]))
const [light = {}, bySystem = {}, byChoice = {}] = [...css.matchAll(/:root[^{]*\{([^}]*)\}/g)]
  .map(([, block = '']) => colorsIn(block))
  .filter((colors) => 'ink' in colors)

/** WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

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
