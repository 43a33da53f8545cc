/** Elements from values. Text only ever becomes a text node, with hidden characters escaped: a document can say what it
 *  likes, is not run, and cannot reorder or hide what stands beside it. */
import { type Drawing, draw, svgElement } from '@countersign/design/drawing.ts'
import { shown } from '@countersign/proof/shown.ts'

type Child = Node | string | null | false | undefined | readonly Child[]
type Attributes = Readonly<Record<string, string | boolean | null | ((event: Event) => void)>>

export function make(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElement {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false && value !== null) element.setAttribute(name, value)
  }
  append(element, children)
  return element
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child as readonly Child[])
    else if (typeof child === 'string') element.append(shown(child))
    else if (child !== null && child !== undefined && child !== false) element.append(child as Node)
  }
}

/** A text of several lines. */
export const linesOf = (text: string): Text => document.createTextNode(text.split('\n').map(shown).join('\n'))

export const byId = <T extends HTMLElement = HTMLElement>(id: string): T => document.getElementById(id) as T

const paths = {
  yes: 'M4 13l5 5L20 6',
  no: 'M5 5l14 14M19 5L5 19',
  unknown: 'M5 12h14',
} as const

/** Drawn beside a word that says the same: never alone, and silent. */
export const sign = (status: keyof typeof paths): Element =>
  drawn(
    draw(
      'svg',
      { viewBox: '0 0 24 24', width: 16, height: 16, 'aria-hidden': 'true', class: `sign ${status}` },
      draw('path', { d: paths[status] }),
    ),
  )

/** Names in a drawing are attribute values and texts: nothing of it is parsed as markup. */
export const drawn = (drawing: Drawing): Element => svgElement<Element>(drawing, document)

/** Redraws without losing the place of whoever uses a keyboard: what had the focus has it again. */
export function keepingFocus(redraw: () => void): void {
  const id = document.activeElement?.id
  redraw()
  if (id && document.activeElement?.id !== id) document.getElementById(id)?.focus({ preventScroll: true })
}
