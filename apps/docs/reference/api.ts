/** One page for each group of operations, and the page that lists the groups. */

import { meaningOf, stepUpWords, whoMayCall } from '@countersign/contract/openapi.ts'
import { fullPath, type Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { type Tag, tags } from '@countersign/contract/tags.ts'
import { addressOf } from '../markdown.ts'
import type { Language } from '../words.ts'
import { answerOf } from './answers.ts'
import { errorTable } from './operation-errors.ts'
import { rateOf } from './rates.ts'
import { curlOf, typescriptOf } from './samples.ts'
import { memberTable } from './schema.ts'
import { wordsOf } from './words.ts'

export interface Generated {
  readonly slug: string
  readonly title: string
  readonly body: string
}

export const slugOfTag = (tag: string): string => `reference/api/${tag.toLowerCase().replaceAll(' ', '-')}`

const fenced = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

export const anchorOf = (operation: Operation): string => operation.id

/** Who sends a request for the first time gets 201, so it comes first. */
const createdFirst = ([a]: [string, unknown], [b]: [string, unknown]): number =>
  Number(b === '201') - Number(a === '201') || Number(a) - Number(b)

function section(operation: Operation, language: Language): string {
  const words = wordsOf(language)
  const { spec } = operation
  const parts = [
    `## ${spec.summary}`,
    `<span id="${anchorOf(operation)}"></span>\`${spec.method} ${fullPath(spec)}\``,
    spec.description ?? '',
    `**${words.caller}:** ${[whoMayCall(spec.access), ...stepUpWords(spec)].join(' ')}`,
  ]
  parts.push(`**${words.rate}:** ${rateOf(operation, language)}`)
  if (operation.idempotent) parts.push(`**${words.idempotency}:** ${words.idempotent}`)
  if (spec.idempotency === 'own') parts.push(`**${words.idempotency}:** ${words.ownIdempotency}`)
  for (const [where, schema] of [
    [words.path, spec.params],
    [words.query, spec.query],
  ] as const) {
    const table = schema && memberTable(schema, { ...words, member: words.parameter }, true)
    if (table) parts.push(`**${words.parameters} (${where})**`, table)
  }
  if (spec.body) parts.push(`**${words.body}**`, memberTable(spec.body, words, true))
  parts.push(
    `**${words.request}**`,
    `\`\`\`sh curl\n${curlOf(operation)}\n\`\`\``,
    `\`\`\`ts TypeScript\n${typescriptOf(operation)}\n\`\`\``,
  )
  for (const [status, schema] of Object.entries(operation.bodies).toSorted(createdFirst)) {
    if (schema === null) {
      parts.push(`**${words.reply} ${status}**: ${meaningOf(operation, status)}`)
      continue
    }
    const example = answerOf(operation, Number(status))
    const type = spec.contentType ? ` \`${spec.contentType}\`` : ''
    parts.push(`**${words.reply} ${status}**: ${meaningOf(operation, status)}${type}`)
    if (example !== undefined && example !== null) parts.push(fenced(example))
    const table = memberTable(spec.replies[Number(status)], words, false)
    if (table) parts.push(`<details><summary>${words.members}</summary>\n\n${table}\n\n</details>`)
  }
  parts.push(`**${words.errors}**`, errorTable(operation, language))
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
      body: [tags[tag], words.samples, ...list.map((each) => section(each, language))].join('\n\n'),
    })),
  ]
}
