/** Elements from values. Text only ever becomes a text node, with hidden characters escaped: a document can say what it
 *  likes, is not run, and cannot reorder or hide what stands beside it. */
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
  yes: 'M7 12.5l3.5 3.5 6.5-8',
  no: 'M8 8l8 8M16 8l-8 8',
  unknown: 'M8 12h8',
} as const
const svg = 'http://www.w3.org/2000/svg'

/** Drawn beside a word that says the same: never alone, and silent. */
export function sign(status: keyof typeof paths): SVGElement {
  const drawing = document.createElementNS(svg, 'svg')
  drawing.setAttribute('viewBox', '0 0 24 24')
  drawing.setAttribute('aria-hidden', 'true')
  drawing.setAttribute('class', `sign ${status}`)
  const circle = document.createElementNS(svg, 'circle')
  for (const [name, value] of [
    ['cx', '12'],
    ['cy', '12'],
    ['r', '11'],
  ] as const)
    circle.setAttribute(name, value)
  const line = document.createElementNS(svg, 'path')
  line.setAttribute('d', paths[status])
  drawing.append(circle, line)
  return drawing
}

/** Redraws without losing the place of whoever uses a keyboard: what had the focus has it again. */
export function keepingFocus(redraw: () => void): void {
  const id = document.activeElement?.id
  redraw()
  if (id && document.activeElement?.id !== id) document.getElementById(id)?.focus({ preventScroll: true })
}
