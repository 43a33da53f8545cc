#!/usr/bin/env node
/** `countersign-server`: the commands of the server. Each one loads only what it needs. */

const help = `countersign-server COMMAND

  init FOLDER         write keys and settings, migrate the database and create the first center; init --help says how
  start               serve requests and run jobs until SIGTERM or SIGINT
  migrate             apply pending migrations to all databases; safe to repeat
  status [--json]     list migrations that are applied, pending or changed; exits with 1 unless all are applied
  doctor [--json]     check settings, clocks, databases, durability, the fence store, Redis, mail, DNS, keys, witnesses, disks
                      and versions, without changing anything; exits with 1 if a check fails
  operator COMMAND    run an operator command; operator --help lists them

Settings are environment variables such as DATABASE_URL and SECRET_KEY.
`

const streams = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
}

async function operator(args: readonly string[]): Promise<number> {
  const { operate } = await import('./operator/operate.ts')
  return await operate(args, process.env, streams)
}

async function run([command, ...args]: readonly string[]): Promise<number | undefined> {
  switch (command) {
    case 'start':
      await import('./main.ts')
      return undefined
    case 'init':
      return await (await import('./operator/init.ts')).init(args, process.env, streams)
    case 'migrate':
      return await (await import('./operator/migrations.ts')).migrate(process.env, streams)
    case 'status':
      return await (await import('./operator/migrations.ts')).status(args, process.env, streams)
    case 'doctor':
      return await (await import('./operator/doctor/doctor.ts')).doctor(args, process.env, streams)
    case 'operator':
      return await operator(args)
    case '--version': {
      const { version } = await import('./lib/version.ts')
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
        `Unknown command "${command}". Use init, start, migrate, status, doctor or operator.\nHelp: countersign-server --help\n`,
      )
      return 2
  }
}

process.exitCode = await run(process.argv.slice(2))
