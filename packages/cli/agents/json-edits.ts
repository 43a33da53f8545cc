/**
 * Adds to and removes from a JSON text with comments, at one place, and leaves every other byte as it is. `modify` of jsonc-parser
 * formats the neighbors again, and drops comments beside what it removes.
 */
import { createScanner, type Node } from 'jsonc-parser'

const endOf = ({ offset, length }: Node): number => offset + length

interface Style {
  readonly indent: string
  readonly eol: string
}

export const styleOf = (text: string): Style => ({
  indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ',
  eol: text.includes('\r\n') ? '\r\n' : '\n',
})

/** The blanks that the line of this place begins with. */
const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? ''

/** Behind the last child of an array or object. */
export function inserted(text: string, parent: Node, name: string | null, value: unknown): string {
  const { indent, eol } = styleOf(text)
  const last = parent.children?.at(-1)
  const outer = indentAt(text, parent.offset)
  const inner =
    last && text.slice(parent.offset, last.offset).includes('\n') ? indentAt(text, last.offset) : outer + indent
  const written = JSON.stringify(value, null, indent).replaceAll('\n', `${eol}${inner}`)
  const member = name === null ? written : `${JSON.stringify(name)}: ${written}`
  if (last) return `${text.slice(0, endOf(last))},${eol}${inner}${member}${text.slice(endOf(last))}`
  const open = parent.offset + 1
  const rest = text.slice(open)
  const closes = /^\s*[\]}]/.test(rest) ? `${eol}${outer}${rest.trimStart()}` : rest
  return `${text.slice(0, open)}${eol}${inner}${member}${closes}`
}

/** Of the next comma, if nothing but comments and blanks stands before it. */
function commaBehind(text: string, offset: number): number | null {
  const scanner = createScanner(text)
  scanner.setPosition(offset)
  for (let token = scanner.scan(); ; token = scanner.scan()) {
    // SyntaxKind is a const enum: 5 a comma, 12 and 13 comments, 14 a line end, 15 blanks.
    if (token === 5) return scanner.getTokenOffset()
    if (token < 12 || token > 15) return null
  }
}

/** One child of an array or object, with its comma and no comment. */
export function removed(text: string, parent: Node, child: Node): string {
  const all = parent.children ?? []
  const at = all.indexOf(child)
  const [previous, next] = [all[at - 1], all[at + 1]]
  const cut = (from: number, to: number, inside: string): string => text.slice(0, from) + inside + text.slice(to)
  const withoutComma = (part: string, offset: number): string => {
    const comma = commaBehind(text, offset)
    const here = comma === null ? -1 : comma - offset
    return here < 0 || here >= part.length ? part : part.slice(0, here) + part.slice(here + 1)
  }
  if (previous) {
    const between = withoutComma(text.slice(endOf(previous), child.offset), endOf(previous))
    return cut(endOf(previous), endOf(child), between.trim() === '' ? '' : between.trimEnd())
  }
  if (next) {
    const between = withoutComma(text.slice(endOf(child), next.offset), endOf(child))
    return cut(child.offset, next.offset, between.trim() === '' ? '' : between.trimStart())
  }
  const close = endOf(parent) - 1
  const behind = withoutComma(text.slice(endOf(child), close), endOf(child))
  const inside = text.slice(parent.offset + 1, child.offset) + behind
  return cut(parent.offset + 1, close, inside.trim() === '' ? '' : inside)
}
