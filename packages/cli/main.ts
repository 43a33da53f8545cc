#!/usr/bin/env node
/** `countersign`: selects the command and the language, and sets the exit code. */
import { readFileSync } from 'node:fs'
import { audit } from './audit.ts'
import { nearest, UsageError } from './command-line.ts'
import { help } from './help.ts'
import { verify } from './verify.ts'
import { verifyExportCommand } from './verify-export.ts'
import { isLanguage, languageOf, type Speech, speech } from './words.ts'

const commands = { verify, audit, 'verify-export': verifyExportCommand }

async function run(args: readonly string[], spoken: Speech): Promise<number> {
  const [name, ...rest] = args
  if (name === '--version') {
    const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
    process.stdout.write(`countersign ${version}\n`)
    return 0
  }
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(help('general', spoken.language))
    return name === undefined ? 2 : 0
  }
  if (Object.hasOwn(commands, name)) return await commands[name as keyof typeof commands](rest, spoken)
  const near = nearest(name, Object.keys(commands))
  const hint = near ? ` ${spoken.say('didYouMean', { name: near })}` : ''
  throw new UsageError(`${spoken.say('unknownCommand', { name })}${hint}`)
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
    process.stderr.write(`${error.message}\n${spoken.say('seeHelp', { command: error.command })}\n`)
  } else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 2
}
