/** Elements from values. Text only ever becomes a text node, with hidden characters escaped: a record can say what it
 *  likes, is not run, and cannot reorder or hide what stands beside it. */
import { type Drawing, pageElement, svgElement } from '@countersign/design/drawing.ts'
import { shown } from '@countersign/proof/shown.ts'
import type { ViewNode } from '@countersign/proof/view-tree.ts'

export type Child = Node | string | null | false | undefined | readonly Child[]
type Attributes = Readonly<Record<string, string | boolean | null | undefined | ((event: Event) => void)>>

export function make<T extends HTMLElement = HTMLElement>(
  tag: string,
  attributes: Attributes = {},
  ...children: readonly Child[]
): T {
  const element = document.createElement(tag) as T
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value === true) element.setAttribute(name, '')
    else if (typeof value === 'string') element.setAttribute(name, value)
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

/** A tree whose texts are escaped already. */
export const nodeOf = (tree: ViewNode | string): Node =>
  typeof tree === 'string' ? document.createTextNode(tree) : (pageElement(tree, document as never) as unknown as Node)

/** Drawings of the design as elements. */
export const picture = (drawing: Drawing): SVGElement => svgElement(drawing, document as never) as unknown as SVGElement

export const byId = <T extends HTMLElement = HTMLElement>(id: string): T => document.getElementById(id) as T

let fields = 0

/** A field with its label, and a place for what is wrong with it. */
export function field(
  label: string,
  attributes: Attributes,
  { tag = 'input', note }: { tag?: 'input' | 'textarea'; note?: string } = {},
): { readonly box: HTMLElement; readonly input: HTMLInputElement; fault(text: string): void } {
  const id = `field-${++fields}`
  const fault = make('p', { class: 'fault', id: `${id}-fault` })
  const hint = note === undefined ? null : make('p', { class: 'small soft', id: `${id}-note` }, note)
  const input = make<HTMLInputElement>(tag, { class: 'field', id, ...attributes })
  input.setAttribute('aria-describedby', [hint?.id, fault.id].filter(Boolean).join(' '))
  const box = make('div', { class: 'labeled' }, make('label', { class: 'label', for: id }, label), input, hint, fault)
  return {
    box,
    input,
    fault(text) {
      fault.textContent = text
      input.setAttribute('aria-invalid', String(text !== ''))
      if (text !== '') input.focus({ preventScroll: true })
    },
  }
}

/** One action at a time: while it runs, the button says so and does nothing. */
export function button(label: string, kind: string, work: () => unknown, busy = label): HTMLButtonElement {
  const element = make<HTMLButtonElement>('button', { type: 'button', class: `btn ${kind}`.trim() }, label)
  element.addEventListener('click', () => {
    if (element.getAttribute('aria-disabled') === 'true') return
    element.setAttribute('aria-disabled', 'true')
    element.textContent = busy
    void Promise.resolve(work()).finally(() => {
      element.removeAttribute('aria-disabled')
      element.textContent = label
    })
  })
  return element
}

/** A form that is sent by Enter too. */
export function form(work: () => unknown, ...children: readonly Child[]): HTMLFormElement {
  const element = make<HTMLFormElement>('form', { novalidate: true, class: 'form' }, ...children)
  const submit = element.querySelector<HTMLButtonElement>('button[type=submit]')
  const label = submit?.textContent ?? ''
  element.addEventListener('submit', (event) => {
    event.preventDefault()
    if (submit?.getAttribute('aria-disabled') === 'true') return
    submit?.setAttribute('aria-disabled', 'true')
    if (submit?.dataset.busy) submit.textContent = submit.dataset.busy
    void Promise.resolve(work()).finally(() => {
      submit?.removeAttribute('aria-disabled')
      if (submit) submit.textContent = label
    })
  })
  return element
}
