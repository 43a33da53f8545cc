/** `countersign`: selects the command and the language, and sets the exit code. */
import { readFileSync } from 'node:fs'
import { audit } from './audit.ts'
import { ServiceError } from './client.ts'
import { commandHelp, generalHelp, groupHelp } from './command-help.ts'
import { nearest, readOptions, UsageError } from './command-line.ts'
import { type Command, commands, completed, kindsOf } from './commands.ts'
import { tell } from './fold.ts'
import { givenOf, type Options } from './given.ts'
import { languageOf } from './locale.ts'
import { verify } from './verify.ts'
import { verifyExportCommand } from './verify-export.ts'
import { isLanguage, type Speech, speech } from './words.ts'

const own = { verify, audit, 'verify-export': verifyExportCommand }

async function run(args: readonly string[], spoken: Speech): Promise<number> {
  const [name, second, ...rest] = args
  if (name === '--version') {
    const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
    process.stdout.write(`countersign ${version}\n`)
    return 0
  }
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(generalHelp(spoken.language))
    return name === undefined ? 2 : 0
  }
  if (Object.hasOwn(own, name)) return await own[name as keyof typeof own](args.slice(1), spoken)
  const single = commands.find((each) => each.name === name)
  if (single) return await runCommand(single, args.slice(1), spoken)
  const found = commands.find((each) => each.name === `${name} ${second}`)
  if (found) return await runCommand(found, rest, spoken)
  const group = commands.filter((each) => each.name.startsWith(`${name} `))
  if (group.length > 0 && (second === undefined || second === '--help' || second === '-h')) {
    process.stdout.write(groupHelp(name, spoken.language))
    return second === undefined ? 2 : 0
  }
  const typed = group.length > 0 ? `${name} ${second}` : name
  const known =
    group.length > 0 ? group.map((each) => each.name) : completed().map((each) => each.name.split(' ')[0] as string)
  const near = nearest(typed, known)
  const hint = near ? ` ${spoken.say('didYouMean', { name: near })}` : ''
  throw new UsageError(`${spoken.say('unknownCommand', { name: typed })}${hint}`)
}

async function runCommand(command: Command, args: readonly string[], spoken: Speech): Promise<number> {
  const called = `countersign ${command.name}`
  const { options, words } = readOptions(args, kindsOf(command), spoken, called)
  if (options.help) {
    process.stdout.write(commandHelp(command, spoken.language))
    return 0
  }
  try {
    return await command.run(givenOf(options as Options, words, spoken, called))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    tell(`${error.message}\n`, process.stderr)
    return 2
  }
}

/** Read first and at any position, so that usage errors appear in that language too. */
function chosenLanguage(args: readonly string[]): { spoken: Speech; rest: readonly string[] } {
  const at = args.findIndex((arg) => arg === '--lang' || arg.startsWith('--lang='))
  const arg = args[at]
  const value = arg === '--lang' ? args[at + 1] : arg?.slice('--lang='.length)
  const spoken = speech(value !== undefined && isLanguage(value) ? value : languageOf(process.env))
  if (at < 0) return { spoken, rest: args }
  if (value === undefined || !isLanguage(value)) throw new UsageError('Use --lang en or --lang ko.')
  return { spoken, rest: args.toSpliced(at, arg === '--lang' ? 2 : 1) }
}

// The reader of the output may stop early, as `head` does. The exit code must not claim success then.
process.stdout.on('error', () => process.exit(2))

let spoken = speech(languageOf(process.env))
try {
  const chosen = chosenLanguage(process.argv.slice(2))
  spoken = chosen.spoken
  process.exitCode = await run(chosen.rest, spoken)
} catch (error) {
  if (error instanceof UsageError) {
    tell(`${error.message}\n${spoken.say('seeHelp', { command: error.command })}\n`, process.stderr)
  } else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 2
}
