/** What `--help` prints, made from the table of commands. */
import en from '@countersign/words/en/commands.json' with { type: 'json' }
import ko from '@countersign/words/ko/commands.json' with { type: 'json' }
import type { Language } from '@countersign/words/say.ts'
import { type Command, commands, optionValues } from './commands.ts'
import { page } from './fold.ts'
import { padded, widthOf } from './table.ts'

type Text = keyof typeof en
const textOf = (key: Text, language: Language): string => ({ en, ko })[language][key]
const aboutOf = ({ name }: Command, language: Language): string => textOf(`about ${name}` as Text, language)

export function commandHelp(command: Command, language: Language): string {
  const { name, words, options } = command
  const usage = ['countersign', name, words, ...(options.length > 0 ? ['[OPTIONS]'] : []), '[--json]'].filter(Boolean)
  const rows = options.map((each) => {
    const value = optionValues[each]
    return `  ${padded(`--${each}${value === null ? '' : ` ${value}`}`, 24)}${textOf(`option ${each}`, language)}`
  })
  const common = `  ${padded('--json', 24)}${textOf('option json', language)}`
  const more = Object.hasOwn(en, `more ${name}`) ? ['', textOf(`more ${name}` as Text, language)] : []
  const lines = [usage.join(' '), '', aboutOf(command, language), ...more, '', ...rows, common]
  return page([...lines, '', textOf('exit', language), ''].join('\n'))
}

/** Of a group, as `decisions`: its commands. */
export const groupHelp = (group: string, language: Language): string =>
  page(
    [
      `countersign ${group} COMMAND`,
      '',
      ...rowsOf(commands.filter(({ name }) => name.startsWith(`${group} `)).map((each) => partsOf(each, language))),
      '',
    ].join('\n'),
  )

const partsOf = (each: Command, language: Language): Row => [
  `${each.name} ${each.words}`.trim(),
  aboutOf(each, language),
]

type Row = readonly [string, string]

/** As wide as the widest name. */
function rowsOf(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([name]) => widthOf(name))) + 2
  return rows.map(([name, about]) => `  ${padded(name, width)}${about}`)
}

export const generalHelp = (language: Language): string =>
  page(
    [
      textOf('usage', language),
      '',
      ...rowsOf([
        ...(['verify FILE...', 'audit', 'verify-export DIR'] as const).map(
          (each): Row => [each, textOf(`about ${each.split(' ')[0]}` as Text, language)],
        ),
        ...commands.map((each) => partsOf(each, language)),
      ]),
      '',
      textOf('general', language),
      '',
      textOf('exit', language),
      '',
    ].join('\n'),
  )
