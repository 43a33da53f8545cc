/**
 * `npm run operator -- COMMAND`: what only whoever runs the service may do. Everything goes through the functions and
 * the transactions of the server, so it is judged by the same rules and audited. Ends with 0 when done, 1 when refused
 * or failed, 2 when it was called wrongly.
 */
import { userInfo } from 'node:os'
import { ConfigError, readConfig } from '@countersign/server/config.ts'
import { openOperatorShell } from '@countersign/server/data/operator.ts'
import { newId } from '@countersign/server/lib/ids.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { Problem } from '@countersign/server/lib/problem.ts'
import { openServices } from '@countersign/server/services.ts'
import { commands, type Shell, UsageError } from './operator-commands.ts'
import { settings } from './settings.ts'

const usages = Object.entries(commands).map(([name, { takes }]) => `${name} ${takes}`.trim())
const width = Math.max(...usages.map((usage) => usage.length)) + 2
const help = `npm run operator -- COMMAND

${Object.values(commands)
  .map(({ does }, index) => `  ${usages[index]?.padEnd(width)}${does}`)
  .join('\n')}

CENTER is an id or a subdomain. EMAIL is what somebody signs in with; a phone number such as +821012345678 will do too.
Settings are those of the server: DATABASE_URL, SECRET_KEY and so on. Every change of data leaves an audit entry.
`

/** Who is at the keyboard, for the audit entry. */
function operatorName(): string {
  try {
    return `operator:${userInfo().username}`
  } catch {
    return 'operator'
  }
}

async function run(name: string, args: readonly string[]): Promise<string> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`There is no command "${name}"; there are: ${Object.keys(commands).join(', ')}.`)
  const words = command.takes.split(' ').filter(Boolean)
  if (args.length < words.filter((word) => !word.startsWith('[')).length || args.length > words.length) {
    throw new UsageError(`It is called as: npm run operator -- ${name} ${command.takes}`)
  }
  if ('runAlone' in command) return command.runAlone(settings(), ...args)
  // Nothing is counted here, so Redis is not asked.
  const config = readConfig({ LOG_LEVEL: 'warn', ...settings(), REDIS_URL: '' })
  const log = makeLog(config, { write: (line) => void process.stderr.write(line) })
  const services = openServices(config, log)
  const { asOperator, close } = openOperatorShell(config, log)
  const caller = { requestId: newId('request'), actorId: operatorName(), centerId: 0 }
  const shell: Shell = { services, caller, asOperator: (work) => asOperator(caller, work) }
  try {
    return await command.run(shell, ...args)
  } finally {
    await services.close()
    await close()
  }
}

function failure(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (!(error instanceof Problem)) return (error as Error).stack ?? String(error)
  return error.cause instanceof Error ? `${error.message}\n(${error.cause.message})` : error.message
}

const [name, ...args] = process.argv.slice(2)
if (name === undefined || name === 'help' || process.argv.includes('--help')) {
  process.stdout.write(help)
  if (name === undefined) process.exitCode = 2
} else {
  await run(name, args).then(
    (said) => void process.stdout.write(`${said}\n`),
    (error: unknown) => {
      const misused = error instanceof UsageError
      process.stderr.write(misused ? `${error.message}\nHelp: npm run operator -- --help\n` : `${failure(error)}\n`)
      process.exitCode = misused ? 2 : 1
    },
  )
}
