/** The messages that the API can give, read from the source of the server: each `new Problem(code, message)` and its helpers. */
import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'

export interface ApiMessage {
  readonly file: string
  readonly line: number
  readonly code: string
  /** With `{name}` where a value is put in. */
  readonly text: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  // biome-ignore lint/suspicious/noExplicitAny: the tree has a hundred kinds of nodes, and each is looked at by its type.
  readonly [key: string]: any
}

/** Which argument is the message. */
const makers: Readonly<Record<string, { readonly code?: string; readonly at: number }>> = {
  Problem: { at: 1 },
  refusedField: { code: 'VALIDATION_ERROR', at: 1 },
  unavailable: { code: 'SERVICE_UNAVAILABLE', at: 0 },
  stepUpNeeded: { code: 'FORBIDDEN', at: 0 },
}

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && 'start' in value) yield value as Node
  for (const below of Object.values(value)) yield* nodesIn(below)
}

/** The texts that an expression can be: a text, a template, either side of a condition, or a constant of the same file. */
function textsOf(node: Node, code: string, constants: ReadonlyMap<string, Node>): string[] {
  const below = (each: Node): string[] => textsOf(each, code, constants)
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : []
    case 'TemplateLiteral': {
      const values = node.expressions.map(({ start, end }: Node) => `{${code.slice(start, end)}}`)
      return [node.quasis.map(({ value }: Node, at: number) => value.cooked + (values[at] ?? '')).join('')]
    }
    case 'ConditionalExpression':
      return [...below(node.consequent), ...below(node.alternate)]
    case 'LogicalExpression':
    case 'BinaryExpression':
      return [...below(node.left), ...below(node.right)]
    case 'Identifier': {
      const value = constants.get(node.name)
      return value ? textsOf(value, code, new Map()) : []
    }
    default:
      return []
  }
}

function messagesIn(file: string, code: string): ApiMessage[] {
  const all = [...nodesIn(parseSync(file, code).program)]
  const constants = new Map(
    all
      .filter(({ type, init }) => type === 'VariableDeclarator' && init)
      .map(({ id, init }) => [id.name as string, init as Node]),
  )
  return all
    .filter(({ type }) => type === 'NewExpression' || type === 'CallExpression')
    .flatMap(({ callee, arguments: given, start }) => {
      const maker = callee.type === 'Identifier' ? makers[callee.name] : undefined
      const message: Node | undefined = maker && given[maker.at]
      if (!maker || !message) return []
      return textsOf(message, code, constants).map((text) => ({
        file,
        line: code.slice(0, start).split('\n').length,
        code: maker.code ?? String(given[0].value ?? ''),
        text,
      }))
    })
}

export const messagesOf = (root: string): ApiMessage[] =>
  globSync('apps/server/**/*.ts', { cwd: root, exclude: ['**/test', '**/node_modules'] })
    .toSorted()
    .flatMap((file) => messagesIn(file, readFileSync(root + file, 'utf8')))
