/**
 * What a command line would run, found by parsing it: never by a pattern over its text. Where the shell would have to run something
 * first to know a command's name or a script's text, the line counts as unresolved, with the reason.
 */
import { basename, resolve } from 'node:path'
import { type Assignment, type Command, forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash'
import { mostBytes, packageScripts, programIn, textOf } from './scripts.ts'
import {
  foreignShells,
  gitCommands,
  gitTakesCommandLines,
  interpreterOf,
  isDangerousVariable,
  isQuiet,
  readsWords,
  shells,
  takesCommandLines,
  valueOptions,
  wrappers,
} from './shell-programs.ts'
import { anyWords, bodyOf, known, unknown, type Variables, type Word, wordOf } from './shell-words.ts'

/** Why a command line can't be resolved. */
export type Unresolved =
  | 'syntax'
  | 'size'
  | 'command-name'
  | 'command-line'
  | 'input'
  | 'code'
  | 'script'
  | 'variable'
  | 'redirection'
  | 'alias'

export interface ShellFacts {
  /** Each with the program's name, without its folder, as the first word. */
  readonly commands: readonly (readonly Word[])[]
  /** Where the output of commands goes. */
  readonly writes: readonly Word[]
  /** Every word that isn't only read from, for rules about files. */
  readonly words: readonly Word[]
  readonly unresolved: ReadonlySet<Unresolved>
}

const mostDepth = 8
const mostCommands = 2000

/** What comes to a command's standard input: nothing of the line, a text, or what isn't known. */
type Input = null | string | undefined

class Reading {
  readonly commands: Word[][] = []
  readonly writes: Word[] = []
  readonly words: Word[] = []
  readonly unresolved = new Set<Unresolved>()
  readonly variables: Variables
  /** Null after a change to a folder that isn't known. */
  cwd: string | null
  /** Whether something ran that may have changed a script which runs later. */
  isChanged = false
  bytes = 0

  readonly start: string

  constructor(cwd: string, env: Variables) {
    this.start = cwd
    this.cwd = cwd
    this.variables = { HOME: env.HOME, USER: env.USER }
  }

  source(text: string, depth: number): void {
    this.bytes += text.length
    if (depth > mostDepth || this.bytes > mostBytes || this.commands.length > mostCommands) {
      this.unresolved.add('size')
      return
    }
    this.visit(parse(text), depth, null)
  }

  visit(node: SyntaxNode, depth: number, input: Input): void {
    if (node.type === 'Script' && node.errors && node.errors.length > 0) this.unresolved.add('syntax')
    if (node.type === 'Pipeline') {
      node.commands.forEach((each, at) => {
        this.visit(each, depth, at > 0 ? undefined : input)
      })
      return
    }
    if (node.type === 'Redirected') input = this.redirections(node.redirects, input)
    if (node.type === 'Assignment') this.assignment(node)
    // The commands in a word run before the command that the word is of.
    forEachChild(node, (child) => this.visit(child, depth, inputFor(node, input)))
    if (node.type === 'Command') this.command(node, depth, input)
    if (node.type === 'Function' || node.type === 'Coproc') this.isChanged = true
  }

  assignment({ name, value }: Assignment): void {
    const isHarmless = value.type === 'Word' && harmlessValues.has(wordOf(value, this.variables).text ?? unknown)
    if (isDangerousVariable(name) && !isHarmless) this.unresolved.add('variable')
    for (const each of value.type === 'Word' ? [value] : value.elements) this.name(wordOf(each, this.variables))
  }

  /** A word may name a file in the folder that the line is in by then. */
  name(word: Word): void {
    const { text } = word
    this.words.push(word)
    if (text === null || this.cwd === this.start) return
    for (const each of new Set([text, text.slice(text.indexOf('=') + 1)])) {
      if (this.cwd !== null) this.words.push(known(resolve(this.cwd, each)))
      else this.words.push({ text: null, isMany: false, shape: `${unknown}/${each}` })
    }
  }

  /** What the redirections leave as the input of the command. */
  redirections(all: readonly Redirection[], given: Input): Input {
    let input = given
    for (const each of all) {
      if (each.type === 'HereDoc') input = bodyOf(each) ?? undefined
      else if (each.type === 'HereString')
        input = (each.target && wordOf(each.target, this.variables).text) ?? undefined
      else if (each.operator === '<' || each.operator === '<&') input = undefined
      else {
        const target = each.target && wordOf(each.target, this.variables)
        if (!target || (/^\d+-?$|^-$/.test(target.text ?? '') && each.operator === '>&')) continue
        this.writes.push(target)
        this.name(target)
        if (target.text === null) this.unresolved.add('redirection')
        if (target.text !== '/dev/null') this.isChanged = true
      }
    }
    return input
  }

  command({ name, args, redirects }: Command, depth: number, given: Input): void {
    const input = this.redirections(redirects, given)
    if (!name) return
    const words = [name, ...args].map((each) => {
      if (each.type === 'Word') return wordOf(each, this.variables)
      const value = each.value.type === 'Word' ? wordOf(each.value, this.variables).text : null
      return value === null ? anyWords : known(`${each.name}=${value}`)
    })
    for (const each of args) if (each.type === 'Assignment') this.assignment(each)
    this.run(words, depth, input)
  }

  /** One command; `input` as above. */
  run(words: readonly Word[], depth: number, input: Input): void {
    const [first, ...rest] = words
    if (!first) return
    if (depth > mostDepth || this.commands.length > mostCommands) {
      this.unresolved.add('size')
      return
    }
    // `=git` is git in zsh.
    if (first.text === null || first.text === '' || first.text.startsWith('=')) {
      this.unresolved.add('command-name')
      return
    }
    const program = basename(first.text)
    this.commands.push([known(program), ...rest])
    if (!readers.has(program)) for (const each of rest) this.name(each)
    if (first.text.includes('/')) this.file(first, depth, 'path')
    this.inside(program, rest, depth, input)
    if (!isQuiet.has(program)) this.isChanged = true
  }

  /** The commands that this one runs. */
  inside(program: string, rest: readonly Word[], depth: number, input: Input): void {
    if (program === 'cd' || program === 'pushd' || program === 'popd') this.changeFolder(rest)
    else if (program === 'alias' && rest.length > 0) this.unresolved.add('alias')
    else if (program === 'source' || program === '.') this.file(rest[0] ?? anyWords, depth, 'source')
    else if (shells.has(program)) this.shell(program, rest, depth, input)
    else if (program === 'git') this.git(rest, depth)
    else if (program === 'find') this.find(rest, depth)
    else if (/^(g|m|n)?awk$/.test(program) && rest.some(({ shape }) => /system|getline|\||@|\0/.test(shape))) {
      this.unresolved.add('code')
    } else if (
      /^g?sed$/.test(program) &&
      rest.some(({ shape }) => /(^|[;{}\d$/!]\s*)e(\s|$)|\/[gip\d]*e[gip\d]*(;|$)/.test(shape))
    ) {
      this.unresolved.add('code')
    } else if (packageManagers.has(program)) this.packageScript(program, rest, depth)
    const code = interpreterOf(program)
    if (code) this.interpreter(code, rest, input)
    if (takesCommandLines.has(program)) this.lines(program, rest, depth)
    if (Object.hasOwn(wrappers, program)) this.wrapped(wrappers[program] as number, program, rest, depth, input)
  }

  changeFolder(rest: readonly Word[]): void {
    const to = rest.find(({ text }) => text === null || !/^-./.test(text))
    const text = to === undefined ? this.variables.HOME : to.text
    this.cwd = this.cwd === null || text === null || text === undefined || text === '-' ? null : resolve(this.cwd, text)
  }

  /** A word that is a command line. */
  line(word: Word, depth: number): void {
    if (word.text === null) this.unresolved.add('command-line')
    else this.source(word.text, depth + 1)
  }

  /** Of a program with such words: each that could be more than one word of a command. */
  lines(program: string, rest: readonly Word[], depth: number): void {
    if (program === 'eval') {
      const texts = rest.map(({ text }) => text)
      if (texts.includes(null)) this.unresolved.add('command-line')
      else this.source(texts.join(' '), depth + 1)
      return
    }
    for (const each of rest) {
      if (each.text === null) {
        if (program !== 'env' && program !== 'tar' && program !== 'docker') this.unresolved.add('command-line')
      } else if (/[\s;&|`$(]/.test(each.text)) this.source(each.text.replace(/^-[\w-]*[= ]/, ''), depth + 1)
    }
  }

  shell(program: string, rest: readonly Word[], depth: number, input: Input): void {
    const isForeign = foreignShells.has(program)
    for (let at = 0; at < rest.length; at++) {
      const { text } = rest[at] as Word
      if (text === null) {
        this.unresolved.add('script')
        return
      }
      if (/^--(version|help)$/.test(text)) return
      if (/^[-+]\w*[oO]$/.test(text) || /^--(rcfile|init-file)$/.test(text)) {
        if (text.startsWith('--')) this.unresolved.add('script')
        at++
      } else if (/^-\w*c\w*$/i.test(text) || text === '--command' || text === '-EncodedCommand') {
        const script = rest.slice(at + 1).find((each) => !/^[-+]\w/.test(each.text ?? ''))
        if (isForeign) this.unresolved.add('code')
        this.line(script ?? anyWords, depth)
        return
      } else if (/^-\w*s\w*$/.test(text) && !text.startsWith('--')) break
      else if (!/^[-+]/.test(text) || text === '-') {
        if (isForeign) this.unresolved.add('script')
        else this.file(rest[at] as Word, depth, 'source')
        return
      }
    }
    if (typeof input === 'string' && !isForeign) this.source(input, depth + 1)
    else this.unresolved.add('input')
  }

  /** A script that is run by its path, or read by a shell. */
  file(word: Word, depth: number, how: 'path' | 'source'): void {
    const { text } = word
    if (text === null || (this.cwd === null && !text.startsWith('/'))) {
      this.unresolved.add('script')
      return
    }
    const path = resolve(this.cwd ?? '/', text)
    if (how === 'path' && /^\/(usr\/)?(local\/)?s?bin\/|^\/opt\/homebrew\/bin\//.test(path)) return
    const script = how === 'source' ? textOf(path) : programIn(path)
    if (script === null || (this.isChanged && script !== 'program')) this.unresolved.add('script')
    else if (script !== 'program') this.source(typeof script === 'string' ? script : script.script, depth + 1)
  }

  interpreter(code: RegExp, rest: readonly Word[], input: Input): void {
    const texts = rest.map(({ text }) => text)
    const script = texts.findIndex((text) => text === null || !text.startsWith('-'))
    const before = script < 0 ? texts : texts.slice(0, script + 1)
    if (before.some((text) => text !== null && code.test(text))) this.unresolved.add('code')
    else if (
      script < 0 &&
      !before.some((text) => /^(--?version|--?help|-[vVh]|--test.*|-m.*|--check)$/.test(text ?? ''))
    ) {
      this.unresolved.add('input')
    } else if (texts[script] === '-' || (script < 0 && input !== null)) this.unresolved.add('input')
  }

  git(rest: readonly Word[], depth: number): void {
    const values = valueOptions.git as readonly string[]
    for (let at = 0; at < rest.length; at++) {
      const { text } = rest[at] as Word
      if (text === null) {
        this.unresolved.add('alias')
        return
      }
      if (/^(-c|--config-env|--exec-path=)/.test(text)) this.unresolved.add('variable')
      if (values.includes(text)) at++
      else if (!text.startsWith('-')) {
        if (!gitCommands.has(text)) this.unresolved.add('alias')
        if (gitTakesCommandLines.has(text)) {
          this.lines('git', rest.slice(at + 1), depth)
          this.wrapped(0, 'git', rest.slice(at + 2), depth, null)
        }
        return
      }
    }
  }

  find(rest: readonly Word[], depth: number): void {
    rest.forEach(({ text }, at) => {
      if (/^-(exec|ok)(dir)?$/.test(text ?? '')) this.run([...rest.slice(at + 1), anyWords], depth + 1, null)
    })
  }

  /**
   * The command behind the options of another. Where an option may take the next word, both the next word and the one after it may
   * be the command.
   */
  wrapped(own: number, program: string, rest: readonly Word[], depth: number, input: Input): void {
    let left = own
    const more = readsWords.has(program) ? [anyWords] : []
    for (let at = 0; at < rest.length; at++) {
      const { text } = rest[at] as Word
      if (text !== null && (text.startsWith('-') || (/^\w+=/.test(text) && program !== 'git'))) {
        if (text.startsWith('-')) continue
        const [name = ''] = text.split('=', 1)
        if (isDangerousVariable(name)) this.unresolved.add('variable')
        continue
      }
      const isSure = at === 0 || !/^-[^=]*$/.test(rest[at - 1]?.text ?? '')
      if (isSure && left > 0) {
        left--
        continue
      }
      this.run([...rest.slice(at), ...more], depth + 1, more.length > 0 ? undefined : input)
      if (isSure) return
    }
  }

  packageScript(program: string, rest: readonly Word[], depth: number): void {
    const values = valueOptions[program] ?? []
    const plain: Word[] = []
    for (let at = 0; at < rest.length; at++) {
      const { text } = rest[at] as Word
      if (text !== null && values.includes(text)) at++
      else if (text === null || !text.startsWith('-')) plain.push(rest[at] as Word)
    }
    const [verb, second] = plain
    if (!verb) return
    const isRun = /^(run|run-script|rum|urn)$/.test(verb.text ?? '')
    if (/^(exec|x|dlx)$/.test(verb.text ?? '')) {
      this.run(plain.slice(1), depth + 1, null)
      return
    }
    const name = isRun ? second : verb
    if (!name) return
    if (name.text === null || this.cwd === null) {
      this.unresolved.add('command-name')
      return
    }
    const found = packageScripts(this.cwd)
    for (const each of [`pre${name.text}`, name.text, `post${name.text}`]) {
      const script = found && Object.hasOwn(found.scripts, each) ? found.scripts[each] : undefined
      if (typeof script !== 'string') continue
      if (this.isChanged) this.unresolved.add('script')
      const before: string | null = this.cwd
      this.cwd = found?.folder ?? this.cwd
      this.source(script, depth + 1)
      this.cwd = before
    }
  }
}

/** A word of these programs isn't written to. */
const readers: ReadonlySet<string> = new Set([
  ...[
    'cat',
    'ls',
    'head',
    'tail',
    'less',
    'more',
    'grep',
    'rg',
    'wc',
    'stat',
    'file',
    'diff',
    'cmp',
    'du',
    'test',
    '[',
    'cd',
    'pushd',
  ],
  ...['which', 'type', 'jq', 'md5sum', 'sha256sum', 'readlink', 'realpath', 'basename', 'dirname', 'tree'],
])
/** `GIT_PAGER=cat`, `EDITOR=true` */
const harmlessValues: ReadonlySet<string> = new Set(['cat', 'true', ':'])
const packageManagers: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun'])

/** The commands of a list have the list's input; those in a word have another. */
const inputFor = (node: SyntaxNode, input: Input): Input =>
  node.type === 'Command' || node.type === 'Word' ? null : input

export function readShell(text: string, cwd: string, env: Variables): ShellFacts {
  const reading = new Reading(cwd, env)
  try {
    reading.source(text, 0)
  } catch {
    // A defect of the parser is no reason to let the line pass.
    reading.unresolved.add('syntax')
  }
  return reading
}
