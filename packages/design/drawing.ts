/**
 * A picture as a tree of elements. What a caller passes as a name is only ever an attribute value or a text, so it
 * cannot become markup, whether the tree is written as text or made of elements in a browser.
 */
export interface Drawing {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (Drawing | string)[]
}

/** From tokens.css, with values for places without it. */
export const colors = {
  seal: 'var(--seal-ink,#B9331F)',
  pencil: 'var(--pencil,#656B71)',
  joint: 'var(--joint,var(--ink,#1B1F23))',
  broken: 'var(--broken,#7D1D52)',
}

export const draw = (
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: (Drawing | string)[]
): Drawing => ({
  tag,
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'number' ? short(value) : value]),
  ),
  children,
})

/** Two decimals are finer than any screen. */
export const short = (value: number): string => String(Math.round(value * 100) / 100)

const svgNamespace = 'http://www.w3.org/2000/svg'

/** The outermost element. An empty label makes the picture decoration. */
export function picture(
  { className, label, ...size }: { className: string; label: string; width: number; height: number; viewBox: string },
  ...children: (Drawing | string)[]
): Drawing {
  const naming: Record<string, string> =
    label === '' ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': visible(label) }
  return draw('svg', { xmlns: svgNamespace, class: className, ...naming, ...size }, ...children)
}

/** Controls, bidirectional marks and lone surrogates move or hide their neighbors, and some are not allowed in XML. */
export const visible = (text: string): string =>
  text.replaceAll(/\s/gu, ' ').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\u2028\u2029]/gu, '\ufffd')

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

export function svgText({ tag, attributes, children }: Drawing): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`)
  const inside = children.map((child) => (typeof child === 'string' ? escaped(child) : svgText(child)))
  return inside.length === 0 ? `<${tag}${written.join('')}/>` : `<${tag}${written.join('')}>${inside.join('')}</${tag}>`
}

interface ElementOf<E> {
  setAttribute(name: string, value: string): void
  append(...nodes: (E | string)[]): void
}

/** Elements of a page: works where trusted types forbid markup from text. */
export function svgElement<E extends ElementOf<E>>(
  { tag, attributes, children }: Drawing,
  page: { createElementNS(namespace: string, tag: string): E },
): E {
  const element = page.createElementNS(svgNamespace, tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== 'xmlns') element.setAttribute(name, value)
  }
  element.append(...children.map((child) => (typeof child === 'string' ? child : svgElement(child, page))))
  return element
}

/** The same for a tree of a page, in which a drawing may be. */
export function pageElement<E extends ElementOf<E>>(
  tree: Drawing,
  page: { createElement(tag: string): E; createElementNS(namespace: string, tag: string): E },
): E {
  if (tree.tag === 'svg') return svgElement(tree, page)
  const element = page.createElement(tree.tag)
  for (const [name, value] of Object.entries(tree.attributes)) element.setAttribute(name, value)
  element.append(...tree.children.map((child) => (typeof child === 'string' ? child : pageElement(child, page))))
  return element
}
