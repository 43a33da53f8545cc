/** The commands within the words of particular programs: git, find, awk, sed, package managers, and what runs others behind a verb. */
import { packageScripts } from './scripts.ts'
import { lifecycles, type Reader, splitAt } from './shell-lines.ts'
import {
  gitCommands,
  gitProgramOption,
  gitTakesCommandLines,
  runners,
  runVerb,
  valueOptions,
} from './shell-programs.ts'
import { anyWords, known, type Word } from './shell-words.ts'

/** A command line behind one option of a program with other words. */
export function optionLine(reader: Reader, option: RegExp, rest: readonly Word[], depth: number): void {
  rest.forEach(({ text }, at) => {
    const [name = '', value] = text?.startsWith('--') ? splitAt(text, text.indexOf('=')) : [text ?? '']
    if (option.test(name)) reader.line(value === undefined ? (rest[at + 1] ?? anyWords) : known(value), depth)
    else if (text && option.test(text.slice(0, 2)) && text[1] !== '-') reader.line(known(text.slice(2)), depth)
  })
}

/** `uv run git push`, `docker exec -it box git push` */
export function runner(reader: Reader, program: string, rest: readonly Word[], depth: number): void {
  const at = rest.findIndex(({ text }) => text !== null && runVerb.test(text))
  if (at < 0) return
  if (runners.has(program)) {
    reader.wrapped(0, program, rest.slice(at + 1), depth, null)
    return
  }
  // Which of the next words is the command isn't known, because options may take words.
  const places = rest.map((_, place) => place).filter((place) => place > at && !/^-/.test(rest[place]?.text ?? ''))
  const before = reader.isChanged
  for (const place of places.slice(0, 3)) {
    reader.isChanged = before
    if (rest[place]?.text != null) reader.run(rest.slice(place), depth + 1, null)
  }
}

/** `deno task ship` and `node --run ship` also run the scripts of package.json. */
export function taskOf(reader: Reader, program: string, rest: readonly Word[], depth: number): void {
  const at = rest.findIndex(({ text }) => text === (program === 'deno' ? 'task' : '--run'))
  const { text } = (at < 0 ? undefined : rest[at + 1]) ?? anyWords
  const isElsewhere =
    program === 'deno' && rest.some((each) => /^(-[rfc]|--(cwd|config|rec|fil))/.test(each.text ?? ''))
  if (at >= 0 && (text === null || isElsewhere)) reader.unresolved.add('command-name')
  else if (at >= 0 && text !== null) scripts(reader, [text], depth)
}

/** What an awk program runs, and the files that it writes. */
export function awk(reader: Reader, rest: readonly Word[]): void {
  for (const { shape } of rest) {
    if (/system|getline|\||@|\0/.test(shape)) reader.unresolved.add('code')
    for (const [, file = ''] of shape.matchAll(/"([^"\n]+)"/g)) if (file.includes('/')) reader.name(known(file))
  }
}

export function sed(reader: Reader, rest: readonly Word[]): void {
  for (const { shape } of rest) {
    const isRun =
      /(^|[;{}\d$/!,\n]\s*)e(\s|$)/.test(shape) || /([^\w\s\\])[gipmIM\d]*e[gipmIM\d]*\s*([;}\n]|$)/.test(shape)
    if (isRun && /e/.test(shape) && !/^-/.test(shape)) reader.unresolved.add('code')
    for (const [, file = ''] of shape.matchAll(/[wW]\s+([^\s;}]*\/[^\s;}]*)/g)) reader.name(known(file))
  }
}

export function git(reader: Reader, rest: readonly Word[], depth: number): void {
  const values = valueOptions.git as readonly string[]
  for (let at = 0; at < rest.length; at++) {
    const { text } = rest[at] as Word
    if (text === null) {
      reader.unresolved.add('alias')
      return
    }
    if (/^(-c|--config-env|--exec-path=)/.test(text)) reader.unresolved.add('variable')
    if (values.includes(text)) at++
    else if (!text.startsWith('-')) {
      if (!gitCommands.has(text)) reader.unresolved.add('alias')
      gitProgram(reader, text, rest.slice(at + 1), depth)
      return
    }
  }
}

/** What a subcommand of git runs. */
export function gitProgram(reader: Reader, name: string, rest: readonly Word[], depth: number): void {
  if (gitTakesCommandLines.has(name)) {
    reader.lines('git', rest, depth)
    reader.wrapped(0, 'git', rest.slice(1), depth, null)
  }
  // It runs git with its own words.
  if (name === 'for-each-repo') reader.addLoose([known('git'), ...rest.filter(({ text }) => !text?.startsWith('-'))])
  for (const { text, shape } of rest) {
    // `ext::` is a transport that is a command; a template has hooks.
    if (/\bext::|^--template/.test(text ?? shape) || (text && gitProgramOption.test(text)))
      reader.unresolved.add('code')
    if (name === 'clone' && /^(-u|-c|--config(=|$))/.test(text ?? '')) reader.unresolved.add('code')
  }
}

export function find(reader: Reader, rest: readonly Word[], depth: number): void {
  rest.forEach(({ text }, at) => {
    if (/^-(exec|ok)(dir)?$|^(-x|-X|--exec(-batch)?)$/.test(text ?? ''))
      reader.run([...rest.slice(at + 1), anyWords], depth + 1, null)
  })
}

/** Options that name the folder of the package, and those that choose among several packages. */
const folderOptions: Readonly<Record<string, RegExp>> = {
  ...{ npm: /^(--prefix?|-C)$/, pnpm: /^(-C|--dir|--prefix)$/, yarn: /^--cwd$/, bun: /^--cwd$/ },
}
const otherPackages: Readonly<Record<string, RegExp>> = {
  npm: /^(-w|-ws|--works.*)$/,
  pnpm: /^(-w|-r|-F.*|--(filter.*|recursive|workspace-root))$/,
  yarn: /^$/,
  bun: /^(-F.*|--(filter|workspaces))$/,
}
const ofSeveral = /^(workspaces?|ws|recursive|multi|m|foreach)$/
/** They start no script of the person's choice. */
const ownVerbs = new Set(
  `install i ci add remove rm uninstall un up update upgrade list ls ll la why outdated audit link unlink view info create
  init config get cache store dedupe fetch import pkg fund explain query prune search help bin root doctor diff patch`.split(
    /\s+/,
  ),
)

export function packageScript(reader: Reader, program: string, rest: readonly Word[], depth: number): void {
  const values = valueOptions[program] ?? []
  const plain: Word[] = []
  let folder: Word | null = known('.')
  let isOther = false
  for (let at = 0; at < rest.length; at++) {
    const { text } = rest[at] as Word
    const [name = '', value] = text?.startsWith('-') ? splitAt(text, text.indexOf('=')) : []
    // What follows is for the script itself.
    if (text === '--') {
      plain.push(...rest.slice(at + 1))
      break
    }
    if (folderOptions[program]?.test(name)) {
      folder = value === undefined ? (rest[at + 1] ?? null) : known(value)
      if (value === undefined) at++
    } else {
      isOther ||= otherPackages[program]?.test(name) ?? false
      if (text !== null && values.includes(text)) at++
      else if (text === null || !text.startsWith('-')) plain.push(rest[at] as Word)
    }
  }
  if (rest.some(({ text }) => /^--(script-shell|node-options)\b/.test(text ?? ''))) reader.unresolved.add('variable')
  const [verb] = plain
  if (!verb) return
  isOther ||= program !== 'npm' && ofSeveral.test(verb.text ?? '')
  if (isOther && !ownVerbs.has(verb.text ?? '')) reader.unresolved.add('script')
  reader.within(folder, () => scriptOf(reader, program, plain, depth))
}

function scriptOf(reader: Reader, program: string, plain: readonly Word[], depth: number): void {
  const [verb = anyWords, second] = plain
  const isRun = /^(run|run-script|rum|urn|task)$/.test(verb.text ?? '')
  if (/^(exec|x|dlx|explore)$/.test(verb.text ?? '')) {
    reader.lines(program, plain.slice(1), depth)
    reader.run(plain.slice(verb.text === 'explore' ? 2 : 1), depth + 1, null)
    return
  }
  const name = isRun ? second : verb
  if (!name) return
  if (name.text === null) reader.unresolved.add('command-name')
  else scripts(reader, isRun ? [name.text] : (lifecycles[name.text] ?? [name.text]), depth)
}

/** The scripts of package.json with these names, and those that run before and after them. */
export function scripts(reader: Reader, names: readonly string[], depth: number): void {
  const before = reader.places
  if (before === null) reader.unresolved.add('command-name')
  for (const place of before ?? []) {
    const found = packageScripts(place)
    for (const each of names.flatMap((name) => [`pre${name}`, name, `post${name}`])) {
      const script = found && Object.hasOwn(found.scripts, each) ? found.scripts[each] : undefined
      if (typeof script !== 'string') continue
      if (reader.isChanged) reader.unresolved.add('script')
      reader.within(known(found?.folder ?? place), () => reader.source(script, depth + 1))
    }
  }
}
