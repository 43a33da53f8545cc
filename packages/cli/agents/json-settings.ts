/** Our hooks in a settings file of JSON, with comments and trailing commas. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { inserted, removed } from './json-edits.ts'

/** The file isn't touched. */
export class UnusableSettingsError extends Error {}

/** One element of the array at this path. */
export interface Entry {
  readonly path: readonly string[]
  readonly value: unknown
}

const mark = '\ufeff'

function parsed(text: string): Node | undefined {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first && text.trim() !== '') {
    const line = text.slice(0, first.offset).split('\n').length
    throw new UnusableSettingsError(`line ${line}: ${printParseErrorCode(first.error)}`)
  }
  return tree
}

/** Programs disagree on which of two members with one name counts. */
function childOf(node: Node, name: string): Node | undefined {
  const found = (node.children ?? []).filter(({ children }) => children?.[0]?.value === name)
  if (found.length > 1) throw new UnusableSettingsError(`"${name}" is there twice`)
  return found[0]?.children?.[1]
}

/** The array at a path; undefined where nothing is. */
function arrayAt(root: Node | undefined, path: readonly string[]): Node | undefined {
  if (root?.type !== 'object') throw new UnusableSettingsError("the file isn't an object")
  let node: Node | undefined = root
  for (const [at, name] of path.entries()) {
    if (node === undefined) return undefined
    if (node.type !== 'object')
      throw new UnusableSettingsError(`${at === 0 ? 'the file' : path.slice(0, at).join('.')} isn't an object`)
    node = childOf(node, name)
  }
  if (node !== undefined && node.type !== 'array') throw new UnusableSettingsError(`${path.join('.')} isn't an array`)
  return node
}

const textOf = (text: string, node: Node): string => text.slice(node.offset, node.offset + node.length)

/** An element of an array, and the array. */
interface Found {
  readonly parent: Node
  readonly child: Node
}

/** Every handler of ours: an element of the event's array, or of the `hooks` of a group in it. */
function oursIn(text: string, array: Node | undefined, isOurs: (text: string) => boolean): Found[] {
  return (array?.children ?? []).flatMap((child): Found[] => {
    if (!isOurs(textOf(text, child))) return []
    const handlers = child.type === 'object' ? childOf(child, 'hooks') : undefined
    const all = handlers?.type === 'array' ? (handlers.children ?? []) : []
    const ours = all.filter((handler) => isOurs(textOf(text, handler)))
    if (!handlers || ours.length === 0 || ours.length === all.length) return [{ parent: array as Node, child }]
    return ours.map((handler) => ({ parent: handlers, child: handler }))
  })
}

/** Without our handlers of one event. */
function cleared(given: string, path: readonly string[], isOurs: (text: string) => boolean): string {
  let text = given
  for (;;) {
    const [found] = oursIn(text, arrayAt(parsed(text), path), isOurs)
    if (!found) return text
    text = removed(text, found.parent, found.child)
  }
}

/** Without the array at this path and the objects around it, as far as they are empty. */
function pruned(given: string, path: readonly string[]): string {
  let text = given
  for (let length = path.length; length > 0; length--) {
    const root = parsed(text)
    const parent = path.slice(0, length - 1).reduce((at, name) => at && childOf(at, name), root)
    const member = parent?.children?.find(({ children }) => children?.[0]?.value === path[length - 1])
    const value = member?.children?.[1]
    if (!parent || !member || !value || (value.children ?? []).length > 0 || /\/[/*]/.test(textOf(text, value))) break
    text = removed(text, parent, member)
  }
  return text
}

const isBare = (text: string): boolean => /^\s*\{\s*\}\s*$/.test(text)

/** Without ours, and without what is empty then. Null if nothing is left. */
export function withoutEntries(
  before: string,
  paths: readonly (readonly string[])[],
  isOurs: (text: string) => boolean,
): string | null {
  const start = before.startsWith(mark) ? mark : ''
  let text = before.slice(start.length)
  if (isBare(text)) return before
  for (const path of paths) {
    const without = cleared(text, path, isOurs)
    if (without !== text) text = pruned(without, path)
  }
  return isBare(text) ? null : start + text
}

/** With these entries, and without earlier ones of ours that differ. The same text if it has exactly these already. */
export function withEntries(
  before: string | null,
  entries: readonly Entry[],
  isOurs: (text: string) => boolean,
): string {
  const given = before?.trim() ? before : '{}\n'
  const start = given.startsWith(mark) ? mark : ''
  let text = given.slice(start.length)
  for (const { path, value } of entries) {
    const array = arrayAt(parsed(text), path)
    const ours = oursIn(text, array, isOurs)
    const isThere = ours.length === 1 && ours.every(({ parent, child }) => parent === array && isSame(child, value))
    if (!isThere) text = added(cleared(text, path, isOurs), path, value)
  }
  return start + text
}

const isSame = (node: Node, value: unknown): boolean => JSON.stringify(dataOf(node)) === JSON.stringify(value)

function added(text: string, path: readonly string[], value: unknown): string {
  let parent = parsed(text) as Node
  for (const [at, name] of path.entries()) {
    const node = childOf(parent, name)
    if (!node) {
      // The array with its one element, in the objects that are missing around it.
      const missing = path.slice(at + 1).reduceRight<unknown>((inside, each) => ({ [each]: inside }), [value])
      return inserted(text, parent, name, missing)
    }
    parent = node
  }
  return inserted(text, parent, null, value)
}

function dataOf({ type, children = [], value }: Node): unknown {
  if (type === 'array') return children.map(dataOf)
  if (type !== 'object') return value
  return Object.fromEntries(children.map(({ children: [key, inner] = [] }) => [key?.value, inner && dataOf(inner)]))
}

/** A member of the settings, by path; undefined where nothing is, or for a file that can't be read. */
export function settingIn(text: string | null, path: readonly string[]): unknown {
  try {
    let node = text === null ? undefined : parsed(text.replace(mark, ''))
    for (const name of path) node = node?.type === 'object' ? childOf(node, name) : undefined
    return node && dataOf(node)
  } catch {
    return undefined
  }
}
