/** `completion bash | zsh | fish`: made from the table of commands, so that it never lacks one. */
import { UsageError } from './command-line.ts'
import type { Given } from './given.ts'

export interface Completed {
  /** `decisions list`. */
  readonly name: string
  readonly options: readonly string[]
}

/** What may follow these words. */
export function following(commands: readonly Completed[], typed: readonly string[]): readonly string[] {
  const path = typed.filter((word) => !word.startsWith('-'))
  const next = new Set<string>()
  for (const { name, options } of commands) {
    const words = name.split(' ')
    if (words.length > path.length && path.every((word, at) => words[at] === word))
      next.add(words[path.length] as string)
    if (words.length > 0 && words.every((word, at) => path[at] === word))
      for (const each of options) next.add(`--${each}`)
  }
  return [...next]
}

const shells = ['bash', 'zsh', 'fish'] as const

export const completion =
  (commands: () => readonly Completed[]) =>
  async (given: Given): Promise<number> => {
    const [shell] = given.words
    const script = shells.includes(shell as 'bash') ? scripts[shell as 'bash'](commands()) : null
    if (script === null) throw new UsageError(given.say('whichShell'), given.command)
    process.stdout.write(script)
    return 0
  }

/** Every beginning of a command, with what may follow. */
function cases(commands: readonly Completed[]): readonly (readonly [string, readonly string[]])[] {
  const starts = new Set([''])
  for (const { name } of commands) {
    const words = name.split(' ')
    for (let count = 1; count <= words.length; count++) starts.add(words.slice(0, count).join(' '))
  }
  return [...starts].map((start) => [start, following(commands, start === '' ? [] : start.split(' '))])
}

const choice = (commands: readonly Completed[]): string => `  case "$typed" in
${cases(commands)
  .map(([start, next]) => `    "${start}") next="${next.join(' ')}" ;;`)
  .join('\n')}
    *) next="" ;;
  esac`

/** `path` and `words` have meanings of their own in zsh. */
const collected = (from: string): string => `  local typed="" next="" word
  for word in ${from}; do
    case "$word" in -*) ;; *) typed="\${typed:+$typed }$word" ;; esac
  done`

const scripts: Readonly<Record<(typeof shells)[number], (commands: readonly Completed[]) => string>> = {
  bash: (commands) => `_countersign() {
${collected(`"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
${choice(commands)}
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _countersign countersign
`,
  zsh: (commands) => `#compdef countersign
_countersign() {
${collected(`"\${(@)words[2,CURRENT-1]}"`)}
${choice(commands)}
  compadd -- \${=next} || _files
}
compdef _countersign countersign
`,
  fish: (commands) =>
    `${cases(commands)
      .filter(([, next]) => next.length > 0)
      .map(
        ([start, next]) =>
          `complete -c countersign -n 'test "$(string match -v -- "-*" (commandline -opc)[2..] | string join " ")" = "${start}"' -a '${next.join(' ')}'`,
      )
      .join('\n')}\n`,
}
