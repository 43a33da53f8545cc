/** One page for each group of operations, and the page that lists the groups. */

import { replyExample } from '@countersign/contract/examples.ts'
import { errorsOf, stepUpWords, whoMayCall } from '@countersign/contract/openapi.ts'
import { fullPath, type Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { type Tag, tags } from '@countersign/contract/tags.ts'
import { addressOf } from '../markdown.ts'
import type { Language } from '../words.ts'
import { memberTable } from './schema.ts'
import { wordsOf } from './words.ts'

export interface Generated {
  readonly slug: string
  readonly title: string
  readonly body: string
}

const slugOfTag = (tag: string): string => `reference/api/${tag.toLowerCase().replaceAll(' ', '-')}`

const fenced = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

export const anchorOf = (operation: Operation): string => operation.id

function section(operation: Operation, language: Language): string {
  const words = wordsOf(language)
  const { spec } = operation
  const parts = [
    `## ${spec.summary}`,
    `<span id="${anchorOf(operation)}"></span>\`${spec.method} ${fullPath(spec)}\``,
    spec.description ?? '',
    `**${words.caller}:** ${[whoMayCall(spec.access), ...stepUpWords(spec)].join(' ')}`,
  ]
  if (operation.idempotent) parts.push(`**${words.idempotency}:** ${words.idempotent}`)
  if (spec.idempotency === 'own') parts.push(`**${words.idempotency}:** ${words.ownIdempotency}`)
  for (const [where, schema] of [
    [words.path, spec.params],
    [words.query, spec.query],
  ] as const) {
    const table = schema && memberTable(schema, { ...words, member: words.parameter }, true)
    if (table) parts.push(`**${words.parameters} (${where})**`, table)
  }
  if (spec.body) {
    const [example] = (spec.body as { examples?: unknown[] }).examples ?? []
    parts.push(`**${words.body}**`, memberTable(spec.body, words, true))
    if (example !== undefined) parts.push(fenced(example))
  }
  for (const [status, schema] of Object.entries(operation.bodies)) {
    if (schema === null) {
      parts.push(`**${words.reply} ${status}**: ${words.noBody}`)
      continue
    }
    const example = replyExample(operation, Number(status))
    parts.push(`**${words.reply} ${status}**${spec.contentType ? `: \`${spec.contentType}\`` : ''}`)
    if (example !== undefined && example !== null) parts.push(fenced(example))
    const table = memberTable(spec.replies[Number(status)], words, false)
    if (table) parts.push(`<details><summary>${words.members}</summary>\n\n${table}\n\n</details>`)
  }
  const errors = [...errorsOf(operation)].sort(([a], [b]) => a - b)
  const link = (code: string) => `[\`${code}\`](${addressOf('reference/errors', language)}#${code})`
  parts.push(
    `**${words.errors}**: ${errors.map(([status, codes]) => `${status} ${codes.map(link).join(', ')}`).join('; ')}`,
  )
  return parts.filter(Boolean).join('\n\n')
}

export function apiPages(language: Language): Generated[] {
  const words = wordsOf(language)
  const byTag = Object.keys(tags).map((tag) => ({
    tag: tag as Tag,
    list: operations.filter(({ spec }) => spec.tag === tag),
  }))
  const index = byTag.map(({ tag, list }) => {
    const address = addressOf(slugOfTag(tag), language)
    const rows = list.map(
      (each) =>
        `| [${each.spec.summary}](${address}#${anchorOf(each)}) | \`${each.spec.method} ${fullPath(each.spec)}\` |`,
    )
    const [first = ''] = tags[tag].split('\n')
    return [
      `## [${tag}](${address})`,
      first,
      `| ${words.operation} | ${words.request} |\n| --- | --- |\n${rows.join('\n')}`,
    ].join('\n\n')
  })
  return [
    {
      slug: 'reference/api',
      title: words.api,
      body: [words.apiIntroduction, words.apiSurfaces, ...index].join('\n\n'),
    },
    ...byTag.map(({ tag, list }) => ({
      slug: slugOfTag(tag),
      title: tag,
      body: [tags[tag], ...list.map((each) => section(each, language))].join('\n\n'),
    })),
  ]
}
