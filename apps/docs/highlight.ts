/**
 * Colors of code, found at build time. The content security policy refuses the style attribute that Shiki writes for
 * each token, so a token has one of five classes, and site/code.css has their colors. A block in a language that Shiki
 * does not know is plain text.
 */
import type { ShikiConfig } from 'astro'

type Transformer = NonNullable<ShikiConfig['transformers']>[number]
type CodeElement = Parameters<NonNullable<Transformer['code']>>[0]
type Child = CodeElement['children'][number]
type Token = { readonly content: string; readonly color?: string }

/** Scopes of TextMate grammars. What has none of them is plain: names, punctuation, keys of JSON, arguments. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  plain: [
    'keyword.operator',
    'storage.type.function.arrow',
    'support.type.property-name',
    'string.unquoted.argument',
    'string.unquoted.shell',
    'string.unquoted.plain',
    'meta.template.expression',
    'meta.scope.subshell',
    'constant.character.escape.line-continuation',
    'constant.other.database-name',
    'constant.other.table-name',
  ],
  comment: ['comment'],
  keyword: [
    'keyword',
    'storage',
    'support.type',
    'keyword.operator.new',
    'keyword.operator.expression',
    'entity.name.command',
    'entity.name.section',
    'entity.name.tag',
  ],
  string: ['string'],
  value: ['constant', 'variable.other.normal.shell', 'variable.parameter.positional'],
}
const kinds = Object.keys(scopes)

/** Shiki gives a token the color of its scope: here the number of its kind, which the page never contains. */
const colorOf = (kind: string): string => `#${String(kinds.indexOf(kind)).padStart(6, '0')}`
const kindOf = new Map(kinds.slice(1).map((kind) => [colorOf(kind), kind]))

const theme = {
  name: 'kinds',
  settings: [
    { settings: { foreground: colorOf('plain'), background: '#ffffff' } },
    ...kinds.map((kind) => ({ scope: [...(scopes[kind] ?? [])], settings: { foreground: colorOf(kind) } })),
  ],
}

interface Part {
  readonly kind: string | undefined
  readonly value: string
}

/** Neighbors of one kind are one element, and spaces belong to what is before them. */
function joined(parts: readonly Part[]): Part[] {
  const found: Part[] = []
  for (const part of parts) {
    const last = found.at(-1)
    const kind = last && part.value.trim() === '' ? last.kind : part.kind
    if (last && last.kind === kind) found[found.length - 1] = { kind, value: last.value + part.value }
    else found.push({ kind, value: part.value })
  }
  return found
}

const partsOf = (lines: readonly (readonly Token[])[]): Part[] =>
  lines.flatMap((tokens, index) => [
    ...(index > 0 ? [{ kind: undefined, value: '\n' }] : []),
    ...tokens.map(({ color, content }) => ({ kind: kindOf.get(color ?? ''), value: content })),
  ])

/** A line of a console with a prompt is a command, which the grammar of a shell knows at the start of a line only. */
const sessionParts = (source: string, tokensOf: (command: string) => readonly (readonly Token[])[]): Part[] =>
  source.split(/^(\$ .*)$/m).flatMap((part, index) => {
    if (index % 2 === 0) return [{ kind: undefined, value: part }]
    return [{ kind: 'prompt', value: '$ ' }, ...partsOf(tokensOf(part.slice(2)))]
  })

const element = (tagName: string, properties: { class?: string }, children: Child[]): Child => ({
  ...{ type: 'element', tagName, properties, children },
})

function elementOf({ kind, value }: Part): Child {
  const text: Child = { type: 'text', value }
  return kind === undefined ? text : element('span', { class: `code-${kind}` }, [text])
}

/** What follows the language of a block is the name of a file, which the page shows, or a word for tests. */
const fileName = /^\S*[./]\S*$/

const classes: Transformer = {
  code(node) {
    const { lang } = this.options
    const command = { lang: 'sh', theme }
    const parts =
      lang === 'console'
        ? sessionParts(this.source, (text) => this.codeToTokens(text, command).tokens)
        : partsOf(this.tokens)
    node.properties = { class: `language-${lang}` }
    node.children = joined(parts).map(elementOf)
  },
  pre(node) {
    node.properties = {}
  },
  root(node) {
    const name = this.options.meta?.__raw ?? ''
    if (!fileName.test(name)) return
    const [block] = node.children as Child[]
    const caption = element('figcaption', {}, [{ type: 'text', value: name }])
    if (block) node.children = [element('figure', { class: 'file' }, [caption, block])]
  },
}

export const highlighting: Partial<ShikiConfig> = { theme, transformers: [classes] }
