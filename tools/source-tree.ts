/** The server's source as trees: modules, what they declare and import, and where a name is declared. */
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  // biome-ignore lint/suspicious/noExplicitAny: the tree has a hundred kinds of nodes, and each is looked at by its type.
  readonly [key: string]: any
}

export interface Module {
  readonly file: string
  readonly code: string
  readonly nodes: readonly Node[]
  readonly parents: ReadonlyMap<Node, Node>
  /** Functions, classes and constants by name. A name that is declared twice has two. */
  readonly declared: ReadonlyMap<string, readonly Node[]>
  /** Functions by the name that a call of a member uses. */
  readonly methods: ReadonlyMap<string, readonly Node[]>
  /** Name here: file and name there. */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>
}

export type Source = ReadonlyMap<string, Module>

export const isFunction = ({ type }: Node): boolean =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type)
function pathOf(file: string, from: string): string | null {
  if (from.startsWith('.')) return join(dirname(file), from)
  return from.startsWith('@countersign/') ? from.replace('@countersign/', 'packages/') : null
}

export function readModule(file: string, code: string): Module {
  const nodes: Node[] = []
  const parents = new Map<Node, Node>()
  const visit = (value: unknown, parent: Node | null): void => {
    if (typeof value !== 'object' || value === null) return
    const node = 'type' in value && 'start' in value ? (value as Node) : null
    if (node) nodes.push(node)
    if (node && parent) parents.set(node, parent)
    for (const below of Object.values(value)) visit(below, node ?? parent)
  }
  visit(parseSync(file, code).program, null)
  const declared = new Map<string, Node[]>()
  const imports = new Map<string, { file: string; name: string }>()
  const methods = new Map<string, Node[]>()
  const add = (names: Map<string, Node[]>, name: string, node: Node) =>
    names.set(name, [...(names.get(name) ?? []), node])
  const declare = (name: string, node: Node) => {
    add(declared, name, node)
    add(methods, name, node)
  }
  for (const node of nodes) {
    if (node.type === 'Property' && !node.computed && node.value)
      add(methods, node.key.name ?? node.key.value, node.value)
    if (node.type === 'VariableDeclarator' && node.init) declare(node.id.name, node.init)
    if ((node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id)
      declare(node.id.name, node)
    const from = node.source?.value
    const path = typeof from === 'string' ? pathOf(file, from) : null
    if (!node.specifiers || path === null) continue
    for (const { local, imported, exported } of node.specifiers) {
      if (node.type === 'ImportDeclaration') imports.set(local.name, { file: path, name: imported?.name ?? local.name })
      else imports.set(exported.name, { file: path, name: local.name })
    }
  }
  return { file, code, nodes, parents, declared, methods, imports }
}

export interface Declared {
  readonly module: Module
  readonly node: Node
}

/** The declaration that a name means at a place, through imports and re-exports: of several here, the innermost around it. */
export function declaring(source: Source, module: Module, name: string, user?: Node): Declared | null {
  const reaching = (module.declared.get(name) ?? []).filter((node) => {
    const scope = enclosing(module, node, isFunction)
    return !scope || !user || (scope.start <= user.start && user.end <= scope.end)
  })
  const node = reaching.toSorted((a, b) => b.start - a.start).find((each) => !user || each.start !== user.start)
  if (node) return { module, node }
  const from = module.imports.get(name)
  const next = from && source.get(from.file)
  return from && next ? declaring(source, next, from.name) : null
}

const methodIndexes = new WeakMap<Source, ReadonlyMap<string, readonly Declared[]>>()

function methodIndex(source: Source): ReadonlyMap<string, readonly Declared[]> {
  const index = new Map<string, Declared[]>()
  for (const module of source.values())
    for (const [name, nodes] of module.methods)
      index.set(name, [...(index.get(name) ?? []), ...nodes.filter(isFunction).map((node) => ({ module, node }))])
  return index
}

/** A method has no import, so all functions of its name are looked at: an interface has several implementations. */
export function methods(source: Source, name: string): readonly Declared[] {
  const index = methodIndexes.get(source) ?? methodIndex(source)
  methodIndexes.set(source, index)
  return index.get(name) ?? []
}

/** The innermost wanted node around another. */
export function enclosing({ parents }: Module, node: Node, wanted: (each: Node) => boolean): Node | null {
  for (let each = parents.get(node); each; each = parents.get(each)) if (wanted(each)) return each
  return null
}
