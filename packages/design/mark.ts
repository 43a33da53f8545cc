/** The mark of Countersign: a joint seal with three folds, drawn for small sizes. Ink, since the service makes it. */
import { type Drawing, draw, picture } from './drawing.ts'

export interface MarkInput {
  /** The accessible name; empty beside the written name. */
  readonly label: string
  readonly size?: number
  readonly color?: string
}

/** On a square of 24, with lines of 2: two halves that meet at a cut in the middle. */
export const markLines = 'M11.3 3H3v18h8.3M11.3 8H7v4h4.3M11.3 16H6M12.7 3H21v18h-8.3M12.7 8H18M12.7 12H17v4h-4.3'

export const markDrawing = ({ label, size = 24, color = 'currentColor' }: MarkInput): Drawing =>
  picture(
    { className: 'mark', label, width: size, height: size, viewBox: '0 0 24 24' },
    draw('path', {
      fill: 'none',
      stroke: color,
      'stroke-width': 2,
      d: markLines,
    }),
  )
