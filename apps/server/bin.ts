#!/usr/bin/env node
/** `countersign-server`: the commands of the server. Each one loads only what it needs. */
import { readFileSync } from 'node:fs'

const help = `countersign-server COMMAND

  start               serves until SIGTERM or SIGINT
  migrate             applies the migrations that the databases lack; safe to repeat
  operator COMMAND    the operator's commands; operator --help lists them

Settings are environment variables: DATABASE_URL, SECRET_KEY and so on.
`

async function migrate(): Promise<number> {
  const { ConfigError, readConfig } = await import('./config.ts')
  const { migrateAll } = await import('./data/migrate.ts')
  // Migrations use no secret, so a missing one does not stop them.
  const unused = Buffer.alloc(32).toString('base64')
  try {
    const applied = await migrateAll(readConfig({ SECRET_KEY: unused, LOG_KEY: unused, ...process.env }))
    const list = applied.length === 0 ? 'Nothing to migrate: all is up to date.' : `Applied:\n  ${applied.join('\n  ')}`
    process.stdout.write(`${list}\n`)
    return 0
  } catch (error) {
    const { message, stack } = error as Error
    process.stderr.write(`The migration failed: ${error instanceof ConfigError ? message : stack}\n`)
    return 1
  }
}

async function operator(args: readonly string[]): Promise<number> {
  const { operate } = await import('./operator/operate.ts')
  return await operate(args, process.env, {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  })
}

async function run([command, ...args]: readonly string[]): Promise<number | undefined> {
  switch (command) {
    case 'start':
      await import('./main.ts')
      return undefined
    case 'migrate':
      return await migrate()
    case 'operator':
      return await operator(args)
    case '--version': {
      const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
      process.stdout.write(`countersign-server ${version}\n`)
      return 0
    }
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(help)
      return command === undefined ? 2 : 0
    default:
      process.stderr.write(
        `There is no command "${command}"; there are start, migrate and operator.\nHelp: countersign-server --help\n`,
      )
      return 2
  }
}

process.exitCode = await run(process.argv.slice(2))
