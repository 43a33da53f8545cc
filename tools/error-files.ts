/** docs/errors.md: every message that the API can give, by code, from packages/contract/error-messages.json. */
import { readFileSync } from 'node:fs'
import { type ErrorCode, errorCodes } from '@countersign/contract/errors.ts'
import { type ApiMessage, answersOf } from './api-messages.ts'

const root = new URL('../', import.meta.url).pathname
const file = 'packages/contract/error-messages.json'

interface Row {
  readonly cause: string
  readonly next: string
}
/** By code and by message, with `{name}` for each value. */
type Rows = Readonly<Record<string, Readonly<Record<string, Row>>>>

export const rows = JSON.parse(readFileSync(root + file, 'utf8')) as Rows

/** A `{reason}` can be sentences; any other value is a part of one. */
const value = (name: string): string => (['{reason}', '{expectation}'].includes(name) ? '.+' : '(?:(?!\\. ).)+')

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

function patternOf(message: string): RegExp {
  const parts = message.split(/(\{\w+\})/).map((part, at) => (at % 2 === 1 ? value(part) : literally(part)))
  return new RegExp(`^${parts.join('')}$`)
}

const patterns = Object.entries(rows).flatMap(([code, ofCode]) =>
  Object.keys(ofCode).map((message) => ({ code, message, pattern: patternOf(message) })),
)

/** The message of the row that a message in the source belongs to. */
export const rowOf = ({ code, text }: ApiMessage): string | undefined =>
  patterns.find((row) => row.code === code && row.pattern.test(text))?.message

type Said = Pick<ApiMessage, 'file' | 'line' | 'code' | 'text'>

/** Messages without a row and rows without a message, as sentences. */
export function differences(messages: readonly Said[], known: Rows): string[] {
  const patterns = Object.entries(known).flatMap(([code, ofCode]) =>
    Object.keys(ofCode).map((message) => ({ code, message, pattern: patternOf(message) })),
  )
  const covers = ({ code, pattern }: (typeof patterns)[number], each: Said) =>
    each.code === code && pattern.test(each.text)
  const missing = messages
    .filter((each) => !patterns.some((row) => covers(row, each)))
    .map(({ file: at, line, code, text }) => `${at}:${line} can answer ${code} "${text}", which has no row in ${file}.`)
  const gone = patterns
    .filter((row) => !messages.some((each) => covers(row, each)))
    .map(({ code, message }) => `${file} has a row for ${code} "${message}", which the server no longer says.`)
  return [...new Set([...missing, ...gone])]
}

const head = `# Error messages

Every message that the API can give, by its code: why it happens, and what to do next. Programs decide by \`code\`, which is stable; a
\`message\` is for people and can change. A word in braces, such as \`{max}\`, stands for a value. [Errors](guides/errors.md) shows how to
handle them in a program. \`details.reason\` is stable too, and tells the causes of one code apart; \`details.field\` names the field of
the request that was refused.

This page is generated from [one file](../packages/contract/error-messages.json), which a test compares with the server's source.`

const statusOf = (code: ErrorCode): string => {
  const { proof, platform } = errorCodes[code]
  if (proof === platform) return String(proof)
  const parts = [proof !== null && `${proof} under \`/api/v1\``, platform !== null && `${platform} under \`/api\``]
  return parts.filter(Boolean).join(', ')
}

/** The same problem has another code on the other surface. */
const aliases: Partial<Record<ErrorCode, ErrorCode>> = { RATE_LIMIT: 'RATE_LIMITED' }
const elsewhere: Partial<Record<ErrorCode, string>> = {
  BAD_REQUEST: ' Under `/api`, these messages have the code `VALIDATION_ERROR`.',
  DATABASE_ERROR: ' Under `/api/v1`, this message has the code `INTERNAL_ERROR`.',
  RATE_LIMITED: ' Under `/api/v1`, these messages have the code `RATE_LIMIT`.',
}

/** Text in a table: nothing in it is Markdown but its code. */
const cell = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[*_|<[\]]/g, '\\$&')))
    .join('')

/** What a program finds in `details.reason` beside a message, unless its row says more about it. */
function reasonsOf(said: readonly ApiMessage[], code: ErrorCode, message: string, cause: string): string {
  const pattern = patternOf(message)
  const own = said.filter((each) => each.code === code && pattern.test(each.text))
  const reasons = [...new Set(own.flatMap(({ reasons }) => reasons.map((each) => each.split('.')[0] as string)))]
  const plain = reasons.filter((each) => /^\w+$/.test(each)).toSorted()
  if (plain.length === 0 || cause.includes('details.reason')) return ''
  return ` \`details.reason\` is ${plain.map((each) => `\`${each}\``).join(' or ')}.`
}

function section(said: readonly ApiMessage[], code: ErrorCode): string {
  const title = `## \`${code}\`\n\n**${statusOf(code)}.** ${errorCodes[code].meaning}${elsewhere[code] ?? ''}`
  const alias = aliases[code]
  if (alias) return `${title}\n\nThe messages are those of [\`${alias}\`](#${alias.toLowerCase()}).`
  const lines = Object.entries(rows[code] ?? {}).map(
    ([message, { cause, next }]) =>
      `| ${cell(message)} | ${cell(cause + reasonsOf(said, code, message, cause))} | ${cell(next)} |`,
  )
  return `${title}\n\n| message | why | what to do |\n| --- | --- | --- |\n${lines.join('\n')}`
}

export function errorsPage(): string {
  const said = answersOf(root)
  const found = differences(said, rows)
  if (found.length > 0) throw new Error(found.join('\n'))
  return `${[head, ...(Object.keys(errorCodes) as ErrorCode[]).map((code) => section(said, code))].join('\n\n')}\n`
}
