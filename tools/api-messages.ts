/**
 * The messages that the API can give, read from the server's source: each `new Problem(code, message)`. Where a message is
 * built by a function, passed through a parameter or taken from a constant, what can be in it is followed to where it is
 * written. A value that isn't text in the source stays `{name}`.
 */
import { globSync, readFileSync } from 'node:fs'
import {
  type Declared,
  declaring,
  enclosing,
  isFunction,
  type Module,
  methods,
  type Node,
  readModule,
  type Source,
} from './source-tree.ts'

export interface ApiMessage {
  readonly file: string
  readonly line: number
  readonly code: string
  /** With `{name}` where a value is put in. */
  readonly text: string
  /** What `details.reason` can be, with `.{by}` where `details.by` is beside it. */
  readonly reasons: readonly string[]
  /** Whether the details name a field, or the issues of several. */
  readonly hasField: boolean
}

type Origin = Pick<ApiMessage, 'file' | 'line'>

/** Where an expression is, and what its function's parameters were given. */
interface Place {
  readonly module: Module
  /** Where the message comes from: the outermost call that passes a part of it. */
  readonly origin?: Origin | undefined
  readonly given: ReadonlyMap<string, { readonly node: Node; readonly at: Place }>
}

type Calls = readonly { readonly node: Node; readonly module: Module }[]

const wrappers = /^(Await|Chain|Parenthesized|TSAs|TSNonNull|TSSatisfies)Expression$/
const maxDepth = 24

/** Names that calls of a function use: its own, or that of its class. */
function nameOf(module: Module, node: Node): string | null {
  const parent = module.parents.get(node)
  if (node.type === 'FunctionDeclaration') return node.id?.name ?? null
  if (parent?.type === 'VariableDeclarator') return parent.id.name ?? null
  if (parent?.type === 'MethodDefinition' && parent.kind === 'constructor')
    return enclosing(module, parent, ({ type }) => type === 'ClassDeclaration')?.id.name ?? null
  return null
}

function callsOf(source: Source, module: Module, fn: Node): Calls {
  const name = nameOf(module, fn)
  if (name === null) return []
  return [...source.values()].flatMap((other) => {
    const locals = [...other.imports].filter(([, there]) => there.name === name).map(([local]) => local)
    const here = (other === module ? [name] : locals).filter(
      (local) => declaring(source, other, local)?.module === module,
    )
    if (here.length === 0) return []
    return other.nodes
      .filter(({ type, callee }) => /^(Call|New)Expression$/.test(type) && here.includes(callee.name))
      .map((node) => ({ node, module: other }))
  })
}

const paramName = (param: Node): string | null =>
  param.type === 'Identifier' ? param.name : param.type === 'AssignmentPattern' ? (param.left.name ?? null) : null

function bind(fn: Node, args: readonly Node[], at: Place, within: Place): Place {
  const given = new Map(within.given)
  for (const [index, param] of (fn.params as Node[]).entries()) {
    const name = paramName(param)
    const own = args[index]?.name === 'undefined' ? undefined : args[index]
    const node = own ?? (param.type === 'AssignmentPattern' ? param.right : undefined)
    if (name === null || !node) continue
    given.set(name, { node, at: own ? at : { module: within.module, given } })
  }
  return { module: within.module, given }
}

/** The last name in an expression stands for its value. */
const placeholder = (node: Node, { code }: Module): string => {
  const text = code
    .slice(node.start, node.end)
    .replaceAll(/'[^']*'|\.(join|format|slice|toISOString|get|map)\b.*$/g, '')
  return `{${/([A-Za-z_]\w*)\W*$/.exec(text)?.[1] ?? 'value'}}`
}

function returned(module: Module, fn: Node): readonly Node[] {
  if (fn.body.type !== 'BlockStatement') return [fn.body]
  return module.nodes
    .filter(({ type, argument }) => type === 'ReturnStatement' && argument)
    .filter((node) => enclosing(module, node, isFunction) === fn)
    .map(({ argument }) => argument)
}

const isText = ({ type, value }: Node): boolean => type === 'TemplateLiteral' || typeof value === 'string'
/** Text beside text, and not a sum. */
const isJoined = ({ operator, left, right }: Node): boolean => operator === '+' && (isText(left) || isText(right))

/** Not only values. */
const hasWords = (text: string): boolean => /[a-z]{2}/i.test(text.replaceAll(/\{\w+\}/g, ''))

/** A value that is passed on was written elsewhere, and is found there. */
const either = (all: readonly string[]): string[] =>
  all.some(hasWords) ? all.filter((text) => text === '' || hasWords(text)) : [...all]

const product = (parts: readonly (readonly string[])[]): string[] =>
  parts.reduce<string[]>((texts, next) => texts.flatMap((text) => next.map((each) => text + each)), [''])

function texts(source: Source, node: Node, at: Place, depth = 0): string[] {
  const { module, given } = at
  const below = (each: Node): string[] => texts(source, each, at, depth + 1)
  const unknown = (): string[] => [placeholder(node, module)]
  if (depth > maxDepth) return unknown()
  if (wrappers.test(node.type)) return below(node.expression ?? node.argument)
  switch (node.type) {
    case 'Literal':
      return ['string', 'number'].includes(typeof node.value) ? [String(node.value)] : []
    case 'TemplateLiteral': {
      const values = node.expressions.map((each: Node) => {
        const found = below(each)
        return found.length > 0 ? found : [placeholder(each, module)]
      })
      return product(node.quasis.flatMap(({ value }: Node, index: number) => [[value.cooked], values[index] ?? ['']]))
    }
    case 'ConditionalExpression':
      return either([...below(node.consequent), ...below(node.alternate)])
    case 'LogicalExpression':
      return node.operator === '&&' ? below(node.right) : either([...below(node.left), ...below(node.right)])
    case 'BinaryExpression':
      return isJoined(node) ? product([below(node.left), below(node.right)]) : unknown()
    case 'Identifier': {
      const bound = given.get(node.name)
      if (bound) return texts(source, bound.node, bound.at, depth + 1)
      if (node.name === 'undefined') return []
      return ofName(source, node, at, depth) ?? unknown()
    }
    case 'ArrayExpression':
      return node.elements.flatMap((each: Node) => below(each))
    case 'MemberExpression':
      return ofMember(source, node, at, depth) ?? unknown()
    case 'CallExpression':
      return ofCall(source, node, at, depth) ?? unknown()
    default:
      return unknown()
  }
}

function ofName(source: Source, node: Node, at: Place, depth: number): string[] | null {
  const found = declaring(source, at.module, node.name, node)
  if (!found || isFunction(found.node)) return null
  return texts(source, found.node, within(found, at), depth + 1)
}

/** A place in the same module keeps what its parameters were given. */
const within = ({ module }: Declared, at: Place): Place => (module === at.module ? at : { module, given: new Map() })

const bare = (node: Node | undefined): Node | undefined =>
  node && wrappers.test(node.type) ? bare(node.expression ?? node.argument) : node

/** A member of an object that the source writes out; all of them where the name is computed. */
function ofMember(source: Source, node: Node, at: Place, depth: number): string[] | null {
  const { object, property, computed } = node
  if (property.name === 'message') return ofCaught(source, node, at, depth)
  const found = foundList(object)
  if (found) return texts(source, found, at, depth + 1)
  const bound = at.given.get(object.name)
  const declared = bound
    ? { module: bound.at.module, node: bound.node }
    : object.type === 'Identifier'
      ? declaring(source, at.module, object.name, node)
      : null
  const written = bare(declared?.node)
  if (!declared || written?.type !== 'ObjectExpression') return null
  const members = (written.properties as Node[]).filter(
    ({ key, value }) => value && (computed || (key.name ?? key.value) === property.name),
  )
  if (members.length === 0) return null
  return members.flatMap(({ value }) => texts(source, value, within(declared, at), depth + 1))
}

/** The list of `list.find(…)[1]`, any text of which can be the one. */
function foundList(object: Node): Node | null {
  const call = bare(object)
  return call?.type === 'CallExpression' && call.callee.property?.name === 'find' ? call.callee.object : null
}

/** The message of a caught error, if the function asks for its class: what that class was made with. */
function ofCaught(source: Source, node: Node, { module }: Place, depth: number): string[] | null {
  const fn = enclosing(module, node, isFunction)
  const asked = module.nodes.findLast(
    ({ type, operator, left, right, start, end }) =>
      type === 'BinaryExpression' &&
      operator === 'instanceof' &&
      left.name === node.object.name &&
      !['Error', 'Problem'].includes(right.name) &&
      fn &&
      start >= fn.start &&
      end <= node.start,
  )
  const made = asked ? thrown(source, asked.right.name, depth) : []
  return made.length > 0 ? made : null
}

const thrown = (source: Source, name: string, depth: number): string[] =>
  [...source.values()].flatMap((module) =>
    module.nodes
      .filter(({ type, callee }) => type === 'NewExpression' && callee.name === name)
      .flatMap((node) =>
        placesOf(source, module, node, node.arguments).flatMap((at) => texts(source, node.arguments[0], at, depth + 1)),
      ),
  )

/** What a function of the server returns. */
function ofCall(source: Source, node: Node, at: Place, depth: number): string[] | null {
  const { callee } = node
  const found =
    callee.type === 'Identifier'
      ? [declaring(source, at.module, callee.name, node)]
      : callee.type === 'MemberExpression' && !callee.computed
        ? methods(source, callee.property.name)
        : []
  const all = found.flatMap((each) => {
    if (!each || !isFunction(each.node)) return []
    const inside = bind(each.node, node.arguments, at, { module: each.module, given: new Map() })
    return returned(each.module, each.node).flatMap((value) => texts(source, value, inside, depth + 1))
  })
  const written = [...new Set(all)].filter(hasWords)
  return written.length > 0 ? written : null
}

export const lineOf = ({ code }: Module, { start }: Node): number => code.slice(0, start).split('\n').length

/** The names in expressions, and in the constants of the same function that they use. */
function namesIn(module: Module, fn: Node, nodes: readonly Node[], seen = new Set<string>()): ReadonlySet<string> {
  for (const node of nodes) {
    for (const { type, name, start, end } of module.nodes) {
      if (type !== 'Identifier' || start < node.start || end > node.end || seen.has(name)) continue
      seen.add(name)
      const constants = (module.declared.get(name) ?? []).filter((each) => each.start > fn.start && each.end < fn.end)
      namesIn(module, fn, constants, seen)
    }
  }
  return seen
}

/** The place of a problem once for each call that passes a part of it, through all functions around it. */
function placesOf(source: Source, module: Module, node: Node, args: readonly Node[], depth = 0): Place[] {
  const fn = enclosing(module, node, isFunction)
  const plain: Place = { module, given: new Map(), origin: { file: module.file, line: lineOf(module, node) } }
  if (!fn || depth > 3) return [plain]
  const names = namesIn(module, fn, args)
  const isPassed = (fn.params as Node[]).some((param) => names.has(paramName(param) ?? ''))
  const calls = isPassed ? callsOf(source, module, fn) : []
  if (calls.length === 0) return [plain]
  return calls.flatMap(({ module: caller, node: call }) =>
    placesOf(source, caller, call, call.arguments, depth + 1).map((at) => ({
      ...bind(fn, call.arguments, at, plain),
      origin: at.origin,
    })),
  )
}

function isProblem(module: Module, node: Node): boolean {
  const { type, callee } = node
  if (type === 'NewExpression') return callee.name === 'Problem'
  if (type !== 'CallExpression' || callee.type !== 'Super') return false
  const superClass = enclosing(module, node, (each) => each.type === 'ClassDeclaration')?.superClass
  return superClass?.name === 'Problem'
}

interface Details {
  readonly reason: Node | undefined
  readonly by: Node | undefined
  readonly hasField: boolean
}

/** What the third argument of a problem names, wherever in it. */
function detailsIn(module: Module, options: Node | undefined): Details {
  const inside = module.nodes.filter(
    ({ type, start, end }) => type === 'Property' && options && start >= options.start && end <= options.end,
  )
  const named = (wanted: string) => inside.find(({ key }) => key.name === wanted)?.value as Node | undefined
  return { reason: named('reason'), by: named('by'), hasField: Boolean(named('field') ?? named('issues')) }
}

/** Who suspended a center is known when it happens. */
const whoSuspends = ['partner', 'operator']

function reasonsOf(source: Source, { reason, by }: Details, at: Place): string[] {
  const written = (node: Node) => texts(source, node, at)
  const reasons = reason ? written(reason) : []
  if (!by) return reasons
  const found = written(by)
  const people = found.length > 0 && found.every((person) => /^\w+$/.test(person)) ? found : whoSuspends
  return reasons.flatMap((each) => people.map((person) => `${each}.${person}`))
}

const modulesOf = (files: ReadonlyMap<string, string>): Source =>
  new Map([...files].map(([file, code]) => [file, readModule(file, code)]))

export const readMessages = (files: ReadonlyMap<string, string>): ApiMessage[] => messagesIn(modulesOf(files))

function messagesIn(source: Source): ApiMessage[] {
  const found = [...source.values()].flatMap((module) =>
    module.nodes
      .filter((node) => isProblem(module, node))
      .flatMap((node) => {
        const [code, message, options] = node.arguments as [Node, Node, Node | undefined]
        const details = detailsIn(module, options)
        return placesOf(source, module, node, [code, message, ...(details.reason ? [details.reason] : [])]).flatMap(
          (at) => {
            const more = { reasons: reasonsOf(source, details, at), hasField: details.hasField }
            return texts(source, code, at).flatMap((each) =>
              texts(source, message, at)
                .filter(hasWords)
                .map((text) => ({ ...(at.origin as Origin), code: each, text, ...more })),
            )
          },
        )
      }),
  )
  return [...new Map(found.map((each) => [`${each.file} ${each.line} ${each.code} ${each.text}`, each])).values()]
}

/** The server, and the parts of packages that write messages for it. */
const read = ['apps/server/**/*.ts', 'packages/contract/moves.ts', 'packages/proof/parse.ts']

/** Read by operators and in logs: no request is answered with them. */
const unanswered =
  /\/operator\/|\/fence\/accept\.ts|\/generations\/(declare|losses)\.ts|\/leaving\/(api|manifest)\.ts|\/confirmed-messages\.ts|\/policies\/shared\.ts/

const sources = new Map<string, Source>()

/** Read once: the source is large. */
export function sourceOf(root: string): Source {
  const files = () =>
    globSync(read, { cwd: root, exclude: ['**/test', '**/node_modules'] })
      .toSorted()
      .map((file) => [file, readFileSync(root + file, 'utf8')] as const)
  const source = sources.get(root) ?? modulesOf(new Map(files()))
  sources.set(root, source)
  return source
}

const messages = new Map<string, readonly ApiMessage[]>()

export function messagesOf(root: string): readonly ApiMessage[] {
  const found = messages.get(root) ?? messagesIn(sourceOf(root))
  messages.set(root, found)
  return found
}

/** Without those of the operator's commands and of jobs. */
export const answersOf = (root: string): readonly ApiMessage[] =>
  messagesOf(root).filter(({ file }) => !unanswered.test(file))
