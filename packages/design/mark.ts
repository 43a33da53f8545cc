/** The mark of Countersign: a joint seal with three folds, drawn for small sizes. Ink, since the service makes it. */
import { type Drawing, draw, picture } from './drawing.ts'

export interface MarkInput {
  /** The accessible name; empty beside the written name. */
  readonly label: string
  readonly size?: number
  readonly color?: string
}

export const markDrawing = ({ label, size = 24, color = 'currentColor' }: MarkInput): Drawing =>
  picture(
    { className: 'mark', label, width: size, height: size, viewBox: '0 0 24 24' },
    draw('path', {
      fill: 'none',
      stroke: color,
      'stroke-width': 2,
      'stroke-linecap': 'square',
      d: 'M11 3H3v18h8M13 3h8v18h-8M11 8H7v4h4M13 8h4M13 12h4v4h-4M11 16H7',
    }),
  )
