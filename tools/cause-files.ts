/**
 * Which messages an operation can give, by code: those that its handler reaches in the server's source, the nearest first. A
 * function is followed by its name, so a message is listed if a path in the source leads to it, whether or not a request can.
 * What every operation can answer (its credential, its form, its limits) isn't listed.
 */
import { type Definition, mountsOf, type Operation } from '@countersign/contract/operation.ts'
import { type ApiMessage, answersOf, lineOf, sourceOf } from './api-messages.ts'
import { rowOf } from './error-files.ts'
import { type Declared, declaring, type Module, methods, type Node, type Source } from './source-tree.ts'

const root = new URL('../', import.meta.url).pathname

type Causes = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** Parts that every request passes. */
const shared = /^apps\/server\/(http|access|data|idempotency|lib)\//

const keyOf = ({ module, node }: Declared): string => `${module.file}:${node.start}`

/** The names that each module uses, and what each part of the source was found to lead to. */
interface Graph {
  readonly source: Source
  readonly uses: ReadonlyMap<Module, readonly Node[]>
  readonly edges: Map<string, readonly Declared[]>
}

function graphOf(source: Source): Graph {
  const isUse = (module: Module, { type, name, callee }: Node) =>
    type === 'Identifier'
      ? module.declared.has(name) || module.imports.has(name)
      : type === 'CallExpression' && callee.type === 'MemberExpression' && !callee.computed
  const usesOf = (module: Module) => module.nodes.filter((node) => isUse(module, node))
  return { source, uses: new Map([...source.values()].map((each) => [each, usesOf(each)])), edges: new Map() }
}

/** The only function that a method's name can mean. */
function methodOf(source: Source, name: string): Declared | null {
  const [only, ...others] = methods(source, name)
  return only && others.length === 0 ? only : null
}

/** What a part of the source names: functions and constants declared outside of it, and methods that only one function has. */
function namedIn({ source, uses }: Graph, { module, node: part }: Declared): readonly Declared[] {
  const isInside = (node: Node) => node.start >= part.start && node.end <= part.end
  const found = new Map<string, Declared>()
  for (const node of (uses.get(module) ?? []).filter(isInside)) {
    const named =
      node.type === 'Identifier'
        ? declaring(source, module, node.name, node)
        : methodOf(source, node.callee.property.name)
    if (named && !(named.module === module && isInside(named.node))) found.set(keyOf(named), named)
  }
  return [...found.values()]
}

/** Of `route(contract.revokeKey, …)`: the operation that the contract has under this name, or those that it mounts. */
async function operationsOf(module: Module, argument: Node): Promise<readonly string[]> {
  const [local, member] =
    argument.type === 'MemberExpression' ? [argument.object.name, argument.property.name] : [argument.name, null]
  const from = module.imports.get(local)
  if (!from?.file.startsWith('packages/contract/')) return []
  const contract = (await import(root + from.file)) as Record<string, Operation | Definition>
  const value = contract[member ?? from.name]
  return value ? mountsOf(value as Definition).map(({ id }) => id) : []
}

function reachedFrom(graph: Graph, start: Declared): readonly Declared[] {
  const reached = new Map([[keyOf(start), start]])
  for (const each of reached.values()) {
    const next = graph.edges.get(keyOf(each)) ?? namedIn(graph, each).filter(({ module }) => !shared.test(module.file))
    graph.edges.set(keyOf(each), next)
    for (const other of next) if (!reached.has(keyOf(other))) reached.set(keyOf(other), other)
  }
  return [...reached.values()]
}

async function causes(): Promise<Causes> {
  const graph = graphOf(sourceOf(root))
  const byFile = Map.groupBy(answersOf(root), ({ file }) => file)
  const all: Record<string, Record<string, string[]>> = {}
  for (const module of graph.source.values()) {
    for (const node of module.nodes) {
      if (node.type !== 'CallExpression' || node.callee.name !== 'route' || node.arguments.length < 2) continue
      const ids = await operationsOf(module, node.arguments[0])
      if (ids.length === 0) continue
      const found = reachedFrom(graph, { module, node: node.arguments[1] }).flatMap((each) => within(each, byFile))
      const codes: Record<string, string[]> = {}
      for (const message of found) {
        const row = rowOf(message)
        if (row !== undefined) codes[message.code] = [...new Set([...(codes[message.code] ?? []), row])]
      }
      for (const id of ids) all[id] = codes
    }
  }
  return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function within({ module, node }: Declared, byFile: ReadonlyMap<string, readonly ApiMessage[]>): readonly ApiMessage[] {
  const [from, to] = [lineOf(module, node), lineOf(module, { ...node, start: node.end })]
  return (byFile.get(module.file) ?? []).filter(({ line }) => line >= from && line <= to)
}

export const causesFile = async (): Promise<string> => `${JSON.stringify(await causes(), null, 2)}\n`
