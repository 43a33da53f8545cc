/** Programs that run code which is in their own words or comes to their input, rather than in a file. */
import { unknown, type Word } from './shell-words.ts'

interface Interpreter {
  /** The options behind which code is. */
  readonly code: RegExp
  /** Options that take the next word. */
  readonly values?: readonly string[]
  /** Modules and subcommands that run code of the words behind them. */
  readonly modules?: RegExp
  /** What comes to its input are commands, whatever file it works on. */
  readonly isEditor?: true
}

const pythons: Interpreter = {
  code: /^-[A-Za-z]*c/,
  values: ['-W', '-X', '--check-hash-based-pycs'],
  modules: /^(timeit|code|pdb|bdb|idlelib|asyncio)$/,
}
const nodes: Interpreter = {
  code: /^(-[a-z]*[ep]|--eval|--print)(=|$)|^(--import|--require|--loader|--experimental-loader|-r)=?data:|^data:/,
  values: [
    ...['-r', '--require', '--import', '--loader', '--experimental-loader', '-C', '--conditions', '--env-file'],
    ...['--env-file-if-exists', '--input-type', '--title', '--test-reporter', '--test-reporter-destination'],
    ...['--test-name-pattern', '--watch-path', '--redirect-warnings', '--icu-data-dir', '--openssl-config'],
    ...['--stack-trace-limit', '--max-old-space-size', '--inspect-port', '--diagnostic-dir', '--unhandled-rejections'],
  ],
}
const vis: Interpreter = { code: /^(-\w*c|\+|--cmd|-S|-s$|-l$)/, isEditor: true }

const interpreters: Readonly<Record<string, Interpreter>> = {
  ...{ python: pythons, pypy: pythons, ipython: { code: /^(-c|--c)/ }, node: nodes, tsx: nodes },
  ...{ deno: { code: /^(eval|repl)$/ }, bun: { code: /^(-[a-z]*[ep]|--eval|--print)$/ } },
  ...{ perl: { code: /^-\w*[eE]/, values: ['-I'] }, ruby: { code: /^-\w*e/, values: ['-I', '-r', '-C', '-E'] } },
  php: { code: /^-[rBREa]|^--(run|process)/, values: ['-d', '-c', '-z', '-S', '-t', '--define', '--php-ini'] },
  ...{ lua: { code: /^-e/, values: ['-l'] }, luajit: { code: /^-e/, values: ['-l', '-j'] } },
  ...{
    R: { code: /^-e/, values: ['-f', '-g'] },
    Rscript: { code: /^-e/ },
    osascript: { code: /^-\w*e/, values: ['-l'] },
  },
  ...{ tclsh: { code: /^$/ }, wish: { code: /^$/ }, expect: { code: /^-c/ }, groovy: { code: /^-\w*e/ } },
  ...{ scala: { code: /^-e/ }, julia: { code: /^(-\w*[eE]|--eval)/ }, elixir: { code: /^(-e|--eval|--rpc-eval)/ } },
  ...{ ghc: { code: /^-e/ }, runghc: { code: /^-e/ }, swift: { code: /^-e/ }, raku: { code: /^-e/ } },
  ...{ guile: { code: /^-c/ }, racket: { code: /^-\w*e/ }, sbcl: { code: /^--eval/ }, erl: { code: /^-eval/ } },
  emacs: { code: /^-?-(eval|execute|load|l|funcall|f|script|insert)(=|$)/, isEditor: true },
  ...{ vim: vis, vi: vis, nvim: vis, view: vis, ex: vis, ed: { code: /^$/, isEditor: true } },
}

/** `python3.12` is `python`. */
const interpreterOf = (program: string): Interpreter | null => {
  const name = program.replace(/(\d+(\.\d+)*)?(\.exe)?$/, '')
  return Object.hasOwn(interpreters, name) ? (interpreters[name] as Interpreter) : null
}

/** What a program reads instead of a file: its input, or the output of a command of the same line. */
export const isStream = ({ text, shape }: Word): boolean =>
  text === '-' || /^\/dev\/(stdin|fd\/)/.test(text ?? shape) || /^\/proc\/(self|thread-self|\d+)\/fd\//.test(shape)

const asksOnly = /^(--?version|--?help|-[vVh]|--test.*|-m.*|--check)$/

/**
 * Whether a program runs code that isn't in a file; null for everything else. `hasInput`: something of the line comes to its input,
 * or may.
 */
export function codeIn(program: string, rest: readonly Word[], hasInput: boolean): 'code' | 'input' | null {
  const interpreter = interpreterOf(program)
  if (!interpreter) return null
  const { code, values = [], modules, isEditor } = interpreter
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] as Word
    const { text } = word
    if (isStream(word)) return 'input'
    if (text !== null && code.test(text)) return 'code'
    // The code may be in an option that isn't known.
    if (text === null || !text.startsWith('-')) return isEditor && hasInput ? 'input' : null
    if (modules && /^-[A-Za-z]*m/.test(text)) return modules.test(moduleOf(text, rest[at + 1])) ? 'code' : null
    if (text === '--') {
      const file = rest[at + 1]
      return file === undefined || isStream(file) || (isEditor && hasInput) ? 'input' : null
    }
    if (!values.includes(text)) continue
    const value = rest[++at]
    if (value?.text?.startsWith('data:')) return 'code'
  }
  return rest.some(({ text }) => asksOnly.test(text ?? '')) ? null : 'input'
}

const moduleOf = (option: string, next: Word | undefined): string =>
  option.slice(option.indexOf('m') + 1) || (next?.text ?? unknown)

/** Programs of other kinds that read commands from a file of their own language. */
const readers: ReadonlySet<string> = new Set([
  ...['make', 'gmake', 'bmake', 'awk', 'gawk', 'mawk', 'nawk', 'sed', 'gsed', 'just', 'ninja', 'gdb', 'lldb', 'cmake'],
])
const settings = /^(SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKEFILES)[:+?!]*=/

/** The same for those programs. */
export function commandsIn(program: string, rest: readonly Word[]): 'code' | 'input' | null {
  if (!readers.has(program)) return null
  const isMake = /^[gb]?make$/.test(program)
  if (isMake && rest.some(({ text }) => /^--eval/.test(text ?? '') || settings.test(text ?? ''))) return 'code'
  const isFile = (at: number) => /^-(\w*f|-file|-makefile|-script|x|P)$/.test(rest[at - 1]?.text ?? '')
  const joined = ({ text, shape }: Word) =>
    /^-(f|-file=|-makefile=|-script=)(-$|\/dev\/(stdin|fd\/))/.test(text ?? shape)
  return rest.some((word, at) => joined(word) || (isFile(at) && isStream(word))) ? 'input' : null
}
