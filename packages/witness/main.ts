#!/usr/bin/env node
/** `countersign-witness`: settings, start and stop. README.md explains how to operate a witness. */
import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { createKey, isName, KeyError, readKey } from './key.ts'
import { ConfigError, readLogKeys } from './log-keys.ts'
import { witnessServer } from './server.ts'
import { createState, openState, StateError } from './state.ts'

const help = `countersign-witness [run]    cosign checkpoints for logs until stopped
countersign-witness init     create a key and an empty state file, and print the public key for trust policies
countersign-witness vkey     print the public key
countersign-witness --version

  --key-file FILE     private key, created by init                WITNESS_KEY_FILE      witness.key
  --state-file FILE   cosigned checkpoints; don't lose this file  WITNESS_STATE_FILE    witness.state
  --config FILE       a line "log <vkey>" for each log host        WITNESS_CONFIG        witness.conf
  --name NAME         for init, such as witness.example.org/w1    WITNESS_NAME
  --host ADDRESS      address to listen on                        WITNESS_HOST          127.0.0.1
  --port PORT         port to listen on                           WITNESS_PORT          7380

A flag overrides the environment variable, and the variable overrides the default on the right.
`

const text = { type: 'string' } as const
const options = {
  'key-file': text,
  'state-file': text,
  config: text,
  name: text,
  host: text,
  port: text,
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

interface Settings {
  readonly keyFile: string
  readonly stateFile: string
  readonly config: string
  readonly name: string
  readonly host: string
  readonly port: number
}

class UsageError extends Error {}

function settingsOf(flags: Readonly<Record<string, string | boolean | undefined>>): Settings {
  const setting = (flag: string, usual: string): string => {
    const name = `WITNESS_${flag.toUpperCase().replace('-', '_')}`
    return String(flags[flag] ?? (process.env[name] || usual))
  }
  const port = Number(setting('port', '7380'))
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError('The port must be a whole number from 0 to 65535.')
  return {
    keyFile: setting('key-file', 'witness.key'),
    stateFile: setting('state-file', 'witness.state'),
    config: setting('config', 'witness.conf'),
    name: setting('name', ''),
    host: setting('host', '127.0.0.1'),
    port,
  }
}

function init({ name, keyFile, stateFile }: Settings): void {
  if (!isName(name)) {
    throw new UsageError('A witness needs a name without spaces or plus signs, such as --name witness.example.org/w1.')
  }
  // The key is created last: a key without a state could cosign a history that contradicts an earlier state.
  if (existsSync(keyFile)) throw new KeyError(`${keyFile} already exists.`)
  createState(stateFile)
  process.stdout.write(`${createKey(keyFile, name).vkey}\n`)
}

function run({ keyFile, stateFile, config, host, port }: Settings): void {
  const key = readKey(keyFile)
  const logKeys = readLogKeys(readFileSync(config, 'utf8'), config)
  const state = openState(stateFile)
  const say = (line: string) => void process.stderr.write(`${new Date().toISOString()} ${line}\n`)
  const server = witnessServer({ key, state, logKeys, say, now: Date.now })
  server.on('error', (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })
  server.listen(port, host, () => {
    const { address, port: opened } = server.address() as AddressInfo
    const shown = address.includes(':') ? `[${address}]` : address
    process.stdout.write(`${key.name} is listening on http://${shown}:${opened}\n${key.vkey}\n`)
  })
  const stop = () => {
    server.close(() => {
      state.close()
      process.exit(0)
    })
    server.closeIdleConnections()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function printVersion(): void {
  const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
  process.stdout.write(`countersign-witness ${version}\n`)
}

function start(): void {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [command = 'run', ...more] = positionals
  if (values.help) process.stdout.write(help)
  else if (values.version) printVersion()
  else if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}".`)
  else if (command === 'run') run(settingsOf(values))
  else if (command === 'init') init(settingsOf(values))
  else if (command === 'vkey') process.stdout.write(`${readKey(settingsOf(values).keyFile).vkey}\n`)
  else throw new UsageError(`Unknown command "${command}". Use run, init or vkey.`)
}

try {
  start()
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException
  const misused = error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')
  const expected = [KeyError, ConfigError, StateError].some((kind) => error instanceof kind) || code !== undefined
  process.stderr.write(`${misused || expected ? message : (error as Error).stack}\n`)
  if (misused) process.stderr.write('Help: countersign-witness --help\n')
  process.exitCode = misused ? 2 : 1
}
