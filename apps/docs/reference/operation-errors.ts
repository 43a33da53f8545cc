/** The errors that one operation can give, each with its causes: those that its own code reaches, or else those of the code. */
import { errorCodes } from '@countersign/contract/errors.ts'
import { errorsOf } from '@countersign/contract/openapi.ts'
import type { Operation } from '@countersign/contract/operation.ts'
import rows from '../../../packages/contract/error-messages.json' with { type: 'json' }
import { addressOf } from '../markdown.ts'
import type { Language } from '../words.ts'
import found from './causes.generated.json' with { type: 'json' }
import { cell } from './schema.ts'
import { wordsOf } from './words.ts'

type Rows = Readonly<Record<string, Readonly<Record<string, { readonly cause: string; readonly next: string }>>>>
type Causes = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** The nearest come first; the page of all messages has the others. */
const most = 5

export function causesOf({ id }: Operation, code: string): readonly string[] {
  const ofCode = (rows as Rows)[code] ?? {}
  const messages = (found as Causes)[id]?.[code] ?? []
  return messages.flatMap((message) => ofCode[message]?.cause ?? [])
}

export function errorTable(operation: Operation, language: Language): string {
  const words = wordsOf(language)
  const errors = [...errorsOf(operation)].sort(([a], [b]) => a - b)
  const lines = errors.flatMap(([status, codes]) =>
    codes.map((code) => {
      const causes = status === 413 ? [] : [...new Set(causesOf(operation, code))]
      const general = status === 413 ? words.tooLarge : errorCodes[code].meaning
      const all = `[${words.moreCauses(causes.length - most)}](${addressOf('reference/error-messages', 'en')}#${code.toLowerCase()})`
      const shown = causes.length > 0 ? causes.slice(0, most).join('<br>') : general
      return `| ${status} | [\`${code}\`](${addressOf('reference/errors', language)}#${code}) | ${cell(shown)}${causes.length > most ? `<br>${all}` : ''} |`
    }),
  )
  return `| ${words.status} | ${words.code} | ${words.causes} |\n| --- | --- | --- |\n${lines.join('\n')}`
}
