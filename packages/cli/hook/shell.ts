/**
 * What a command line would run, found by parsing it: never by a pattern over its text. Where the shell would have to run something
 * first to know a command's name or a script's text, the line counts as unresolved, with the reason.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash'
import { type Move, moving } from './moves.ts'
import { mostBytes, programIn, textOf } from './scripts.ts'
import { awk, find, git, optionLine, packageScript, runner, sed, taskOf } from './shell-inside.ts'
import { codeIn, commandsIn } from './shell-interpreters.ts'
import {
  type Input,
  inputFor,
  isOwnSeparator,
  linesIn,
  mayComputeWords,
  packageManagers,
  programOf,
  readers,
  scriptBehind,
  tokens,
  type Unresolved,
} from './shell-lines.ts'
import { LineNames, TooLargeError } from './shell-names.ts'
import { branching, either, movers, ownProcesses, type Places, repeated } from './shell-places.ts'
import {
  evaluates,
  foreignShells,
  gitCommands,
  isDangerousVariable,
  isLoader,
  isQuiet,
  optionLines,
  readsWords,
  runners,
  runnersIn,
  setsVariables,
  shells,
  takesCommandLines,
  takesData,
  wrappers,
} from './shell-programs.ts'
import { assignment, expansion, setVariables, subscript, variable } from './shell-variables.ts'
import { anyWords, bodyOf, descriptorOf, known, type Variables, type Word, wordOf } from './shell-words.ts'

export interface ShellFacts {
  /** Each with the program's name, without its folder, as the first word. */
  readonly commands: readonly (readonly Word[])[]
  /** Words in which a command may begin anywhere: those behind other programs, and those of texts that they are given. */
  readonly loose: readonly (readonly Word[])[]
  /** Where the output of commands goes. */
  readonly writes: readonly Word[]
  /** Commands that put files somewhere or take them away. */
  readonly moves: readonly Move[]
  /** Every word that isn't only read from, for rules about files. */
  readonly words: readonly Word[]
  readonly unresolved: ReadonlySet<Unresolved>
}

const mostDepth = 8
const mostCommands = 2000
class Reading extends LineNames {
  readonly commands: Word[][] = []
  readonly loose: Word[][] = []
  readonly writes: Word[] = []
  readonly moves: Move[] = []
  lookups = 0
  /** Whether something ran that may have changed a script which runs later. */
  isChanged = false
  bytes = 0

  source(text: string, depth: number): void {
    this.bytes += text.length
    if (this.bytes > mostBytes || this.commands.length > mostCommands) throw new TooLargeError()
    if (depth > mostDepth) {
      this.unresolved.add('size')
      return
    }
    this.visit(parse(text), depth, null)
  }

  visit(node: SyntaxNode, depth: number, input: Input): void {
    if (node.type === 'Script' && node.errors && node.errors.length > 0) this.unresolved.add('syntax')
    if (branching.has(node.type) && this.branches(node, depth, input)) return
    if (ownProcesses.has(node.type) || (node.type === 'Statement' && node.background)) {
      const before = this.places
      this.parts(node, depth, input)
      this.places = before
    } else this.parts(node, depth, input)
  }

  /** Nodes whose parts may run in another folder than the one before them; whether it's one. */
  branches(node: SyntaxNode, depth: number, input: Input): boolean {
    const before = this.places
    if (node.type === 'Pipeline') {
      for (const [at, each] of node.commands.entries()) {
        if (node.commands.length > 1) this.places = before
        this.visit(each, depth, at > 0 ? undefined : input)
      }
      // In some shells the last command runs in the shell itself.
      if (node.commands.length > 1) this.places = either(this.places, before)
    } else if (node.type === 'AndOr') {
      let after: Places = []
      for (const [at, each] of node.commands.entries()) {
        if (node.operators[at - 1] === '||') this.places = either(this.places, before)
        this.visit(each, depth, input)
        after = either(this.places, after)
      }
      this.places = after
    } else if (node.type === 'If' || node.type === 'Case') {
      let after: Places = before
      forEachChild(node, (child) => {
        this.places = after
        this.visit(child, depth, input)
        after = either(this.places, after)
      })
      this.places = after
    } else return false
    return true
  }

  parts(node: SyntaxNode, depth: number, input: Input): void {
    const { places, lookups } = this
    this.part(node, depth, input)
    if (node.type === 'Function' && this.lookups > lookups) this.isBound = true
    if (!repeated.has(node.type) || String(this.places) === String(places)) return
    this.places = either(this.places, places)
    // The next round begins where this one ended.
    const again = this.places
    if (node.type !== 'Function') this.part(node, depth, input)
    this.places = either(this.places, again)
  }

  part(node: SyntaxNode, depth: number, input: Input): void {
    if (node.type === 'Redirected') input = this.redirections(node.redirects, input)
    if (node.type === 'Assignment') assignment(this, node)
    expansion(this, node)
    if (node.type === 'For' || node.type === 'Select') {
      variable(this, wordOf(node.name, this.variables))
      for (const each of node.wordlist ?? []) subscript(this, wordOf(each, this.variables))
    }
    if (node.type === 'ParameterExpansion' && node.operation?.type === 'Default' && /=/.test(node.operation.operator)) {
      variable(this, known(node.parameter))
    }
    // The commands in a word run before the command that the word is of.
    forEachChild(node, (child) => {
      if (!isOwnSeparator(node, child)) this.visit(child, depth, inputFor(node, input))
    })
    if (node.type === 'Command') this.command(node, depth, input)
    if (node.type === 'Function' || node.type === 'Coproc') this.isChanged = true
  }

  /** A word may name a file in the folder that the line is in by then. */
  /** What the redirections leave as the input of the command. */
  redirections(all: readonly Redirection[], given: Input): Input {
    let input = given
    for (const each of all) {
      const to = descriptorOf(each)
      // Another descriptor leaves the input as it was: its text is none of the command's.
      const isRead = each.type !== 'Redirect' || each.operator === '<' || each.operator === '<&'
      if (to === 0 || to === null) {
        if (each.type === 'HereDoc' && to === 0) input = bodyOf(each) ?? undefined
        else if (each.type === 'HereString' && to === 0)
          input = (each.target && wordOf(each.target, this.variables).text) ?? undefined
        else input = undefined
      }
      if (each.type === 'HereString' && each.target) subscript(this, wordOf(each.target, this.variables))
      if (each.type === 'Redirect' && !isRead) {
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
    for (const each of args) if (each.type === 'Assignment') assignment(this, each)
    this.run(words, depth, input)
  }

  /** One command; `input` as above. */
  run(words: readonly Word[], depth: number, input: Input): void {
    const [first, ...rest] = words
    if (!first) return
    this.spend(words.length)
    if (this.commands.length > mostCommands) throw new TooLargeError()
    if (depth > mostDepth) {
      this.unresolved.add('size')
      return
    }
    // `=git` is git in zsh.
    if (first.text === null || first.text === '' || first.text.startsWith('=')) {
      this.unresolved.add('command-name')
      return
    }
    const program = programOf(first.text)
    // `cargo +nightly publish`
    if (/^(cargo|rustc|rustup)$/.test(program) && rest[0]?.text?.startsWith('+')) rest.shift()
    // git keeps its subcommands as programs too.
    if (program.startsWith('git-') && gitCommands.has(program.slice(4))) {
      this.run([known('git'), known(program.slice(4)), ...rest], depth, input)
      return
    }
    this.commands.push([known(program), ...rest])
    if (!takesData.has(program) && rest.length > 0) this.addLoose(rest.flatMap(tokens))
    if (!readers.has(program)) for (const each of rest) this.name(each)
    if (moving.has(program)) {
      this.spend(rest.length * 40 * (this.places?.length ?? 1))
      this.moves.push({ program, rest, places: this.places, isChanged: this.isChanged })
    }
    if (first.text.includes('/')) this.within(known('.'), () => this.file(first, depth, 'path'))
    this.inside(program, rest, depth, input)
    if (!isQuiet.has(program)) this.isChanged = true
  }

  addLoose(words: Word[]): void {
    this.spend(words.length * 5)
    this.loose.push(words)
  }

  /** The commands that this one runs. */
  inside(program: string, rest: readonly Word[], depth: number, input: Input): void {
    if (program === 'cd' || program === 'pushd' || program === 'popd') this.changeFolder(program, rest)
    else if (program === 'alias' && rest.length > 0) this.unresolved.add('alias')
    else if (/^(enable|hash)$/.test(program) && rest.some(({ text }) => /^-\w*[fp]/.test(text ?? '-f'))) {
      this.unresolved.add('alias')
    } else if (program === 'ln') this.link(rest)
    else if (program === 'source' || program === '.') this.file(rest[0] ?? anyWords, depth, 'source')
    else if (shells.has(program)) this.within(known('.'), () => this.shell(program, rest, depth, input))
    else if (program === 'git') git(this, rest, depth)
    else if (/^(find|fd|fdfind)$/.test(program)) find(this, rest, depth)
    else if (/^(g|m|n|go|original-)?awk$/.test(program)) awk(this, rest)
    else if (/^g?sed$/.test(program)) sed(this, rest)
    else if (packageManagers.has(program)) packageScript(this, program, rest, depth)
    const code = codeIn(program, rest, input !== null) ?? commandsIn(program, rest)
    if (code) this.unresolved.add(code)
    if (evaluates.has(program)) for (const each of rest) subscript(this, each)
    if (setsVariables.has(program)) setVariables(this, program, rest)
    if (takesCommandLines.has(program)) this.lines(program, rest, depth)
    if (Object.hasOwn(optionLines, program)) optionLine(this, optionLines[program] as RegExp, rest, depth)
    if (runners.has(program) || runnersIn.has(program)) runner(this, program, rest, depth)
    if (program === 'deno' || program === 'node') taskOf(this, program, rest, depth)
    if (isLoader(program)) this.wrapped(0, program, rest, depth, input)
    if (Object.hasOwn(wrappers, program)) this.wrapped(wrappers[program] as number, program, rest, depth, input)
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
    if (program === 'env' && rest.some(({ text }) => /^(-\w*S|--s)/.test(text ?? ''))) {
      // Its escapes aren't those of a shell: `\_` is a space.
      if (rest.some(({ shape }) => shape.includes('\\'))) this.unresolved.add('command-line')
      for (const { text } of rest)
        if (text && /^-\w*S./s.test(text)) this.source(text.replace(/^-\w*?S/, ''), depth + 1)
    }
    for (const each of rest) {
      if (each.text === null) {
        if (!mayComputeWords.has(program)) this.unresolved.add('command-line')
      } else for (const text of linesIn(each.text)) this.source(text, depth + 1)
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
        if (isForeign) this.unresolved.add('code')
        this.line(scriptBehind(rest.slice(at + 1)) ?? anyWords, depth)
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
    this.lookups++
    const places = text?.startsWith('/') ? ['/'] : this.places
    if (text === null || places === null) {
      this.unresolved.add('script')
      return
    }
    const paths = places.map((place) => resolve(place, text))
    const there = paths.filter((path) => existsSync(path))
    for (const path of there.length > 0 ? there : paths.slice(0, 1)) this.fileAt(path, depth, how)
  }

  fileAt(path: string, depth: number, how: 'path' | 'source'): void {
    // There, the hook would read its own input.
    if (/^\/(dev|proc)\//.test(path)) {
      this.unresolved.add('script')
      return
    }
    if (how === 'path' && /^\/(usr\/)?(local\/)?s?bin\/|^\/opt\/homebrew\/bin\//.test(path)) return
    const script = how === 'source' ? textOf(path) : programIn(path)
    if (script === null || (this.isChanged && script !== 'program')) this.unresolved.add('script')
    else if (script !== 'program') this.source(typeof script === 'string' ? script : script.script, depth + 1)
  }

  /**
   * The command behind the options of another. Where an option may take the next word, both the next word and the one after it may
   * be the command.
   */
  wrapped(own: number, program: string, rest: readonly Word[], depth: number, input: Input): void {
    // `env -C folder ./x`
    const isElsewhere = movers.has(program) && rest.some(({ text }) => /^(-\w*[CD]|--(ch|wo|cw|di))/.test(text ?? ''))
    this.within(isElsewhere ? null : known('.'), () => this.behind(own, program, rest, depth, input))
  }

  behind(own: number, program: string, rest: readonly Word[], depth: number, input: Input): void {
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
}

export function readShell(text: string, cwd: string, env: Variables): ShellFacts {
  const reading = new Reading(cwd, env)
  try {
    reading.source(text, 0)
  } catch (error) {
    // A defect of the parser is no reason to let the line pass.
    reading.unresolved.add(error instanceof TooLargeError ? 'size' : 'syntax')
  }
  return reading
}
