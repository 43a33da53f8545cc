/**
 * The joint seal of two neighbors in a chain, as SVG: one seal across their common edge. Each half is drawn from the
 * hash that its side names. If the two hashes differ, the halves are apart, plum, and their strokes do not meet.
 */
import { carvedEdge } from './carving.ts'
import { colors, type Drawing, draw, picture, short, svgText } from './drawing.ts'
import { uneven } from './uneven.ts'

export interface JointInput {
  /** Of the earlier entry. */
  readonly hashA: string
  /** The one that the later entry names as its previous. */
  readonly hashB: string
  /** The accessible name, in the language of the page; empty where words beside it say the same. */
  readonly label: string
  /** Also true where the hashes agree and something else about the pair does not. */
  readonly broken?: boolean
  readonly size?: number
}

export const joint = (input: JointInput): string => svgText(jointDrawing(input))

/** CSS pixels between the halves. */
const apart = 6
const fewRowsBelow = 34
const calmAbove = 160

export function jointDrawing({ hashA, hashB, label, broken = false, size = 44 }: JointInput): Drawing {
  const parted = broken || hashA !== hashB
  const perPixel = 100 / size
  const shift = parted ? apart * perPixel : 0
  const rows = size < fewRowsBelow ? 5 : 7
  const wear = size > calmAbove ? 1 : 1.6
  const next = uneven(`edge:${hashA}`)
  const edges =
    carvedEdge(next, { x0: 3, y0: 3, x1: 97, y1: 97 }, wear, true) +
    carvedEdge(next, { x0: 7.6, y0: 7.6, x1: 92.4, y1: 92.4 }, wear / 2, false)
  const color = parted ? colors.broken : colors.joint
  // The clip depends on size and state only, and so does its id.
  const id = `joint-${short(size)}${parted ? '-parted' : ''}`
  const cut = (parted ? 1.2 : 0.5) * perPixel
  const side = (to: -1 | 1, hash: string) =>
    draw(
      'g',
      { transform: `translate(0 ${short((to * shift) / 2)})` },
      draw(
        'g',
        { 'clip-path': `url(#${id}${to < 0 ? 'a' : 'b'})` },
        draw('path', { d: edges, fill: color, 'fill-rule': 'evenodd' }),
        draw('path', {
          d: half(hash, to, rows, wear / 2),
          fill: 'none',
          stroke: color,
          'stroke-width': rows === 5 ? 7.5 : 5.2,
          'stroke-linecap': 'square',
        }),
      ),
    )
  return picture(
    {
      className: parted ? 'joint joint-broken' : 'joint',
      label,
      width: size,
      height: size + (parted ? apart : 0),
      viewBox: `0 ${short(-shift / 2)} 100 ${short(100 + shift)}`,
    },
    draw('clipPath', { id: `${id}a` }, draw('path', { d: `M-2-2H${short(50 - cut)}V102H-2Z` })),
    draw('clipPath', { id: `${id}b` }, draw('path', { d: `M${short(50 + cut)}-2H102V102H${short(50 + cut)}Z` })),
    side(-1, hashA),
    side(1, parted && hashA === hashB ? `${hashB}!` : hashB),
  )
}

/** Half of a folded pattern, after the script of official seals. Which rows reach the cut depends on the hash alone. */
function half(hash: string, to: -1 | 1, rows: number, shake: number): string {
  const link = uneven(`link:${hash}`)
  const drawn = Array.from({ length: rows }, () => link() < 0.62)
  if (drawn.filter((reaches) => reaches).length < rows / 2) drawn.fill(true, 0, Math.ceil(rows / 2))
  const own = uneven(`${to}:${hash}`)
  const x = (away: number) => 50 + to * away
  const y = (row: number) => 14 + (row * 72) / (rows - 1)
  const at = (away: number, row: number) =>
    `${short(x(away) + (own() - 0.5) * shake)} ${short(y(row) + (own() - 0.5) * shake)}`
  const fold = (away: number, row: number) => `M${at(away, row)}L${at(away, row + 1)}`
  return drawn
    .map((reaches, row) => {
      const line = `M${reaches ? `${x(-1)} ${short(y(row))}` : at(11, row)}L${at(22, row)}L${at(35, row)}`
      const which = own()
      if (row === rows - 1) return line
      if (which < 0.42) return line + fold(35, row)
      if (which < 0.72) return line + fold(23, row)
      return reaches && drawn[row + 1] ? line : line + fold(11, row)
    })
    .join('')
}
