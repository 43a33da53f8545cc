/** The characters on a stone, carved with one knife. */
import { carvedStrokes } from './carving.ts'
import { colors, type Drawing, draw, short } from './drawing.ts'
import { type Glyph, glyph } from './glyph.ts'
import type { Stone } from './stone.ts'
import type { Uneven } from './uneven.ts'

export const stoneHeight = 100

export function carvedMarks(stone: Stone, width: number, filled: boolean, next: Uneven): readonly Drawing[] {
  const { columns, rows } = stone
  const latin = rows === 1
  // From the edge to the middle of the first stroke.
  const inset = (filled ? 13.5 : 16.5) + (latin ? 6 : 0)
  const gap = latin ? 17 : filled ? 11.5 : 11
  const cellWidth = (width - 2 * inset - gap * (columns - 1)) / columns
  const cellHeight = (stoneHeight - 2 * inset - gap * (rows - 1)) / rows
  const knife = latin ? (filled ? 9.4 : 8) : filled ? 6 : 5.2
  const fitting = (found: Glyph | null) => Math.max(3.3, Math.min(knife, cellHeight / ((found?.bars ?? 3) * 1.55)))
  const glyphs = stone.characters.map((place) => ({ ...place, found: glyph(place.character) }))
  // One knife for the whole stone, a little broader where strokes are few.
  const finest = Math.min(...glyphs.map(({ found }) => fitting(found)))
  return glyphs.map(({ character, column, row, found }) => {
    const x0 = inset + column * (cellWidth + gap)
    const y0 = inset + row * (cellHeight + gap)
    if (found) {
      const cell = { x0, y0, x1: x0 + cellWidth, y1: y0 + cellHeight }
      return draw('path', {
        d: carvedStrokes(next, found.strokes, cell, 1.15),
        'stroke-width': finest + (fitting(found) - finest) * 0.35,
      })
    }
    // A script that is not carved (Han, Cyrillic): the serif of the page, in the same cell.
    const [glyphWidth, glyphHeight, base] = latin ? [74, 72, 1] : [94, 94, 0.87]
    const place = `translate(${short(x0 + cellWidth / 2)} ${short(y0 + cellHeight * base)})`
    return draw(
      'text',
      {
        transform: `${place} scale(${short(cellWidth / glyphWidth)} ${short(cellHeight / glyphHeight)})`,
        'text-anchor': 'middle',
        'font-family': 'var(--serif,serif)',
        'font-weight': 900,
        'font-size': 100,
        stroke: 'none',
        fill: filled ? '#000' : colors.seal,
      },
      character,
    )
  })
}
