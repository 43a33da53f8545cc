#!/usr/bin/env node
/** `countersign-gateway`: settings, start and stop. README.md explains how to operate a gateway. */
import { parseArgs } from 'node:util'
import { type Agent, type Config, ConfigError, readConfig } from './config.ts'
import { version } from './version.ts'

const help = `countersign-gateway [run]              serve agents over HTTP, as the configuration's "listen" says
countersign-gateway stdio --agent ID    serve one agent over standard input and output, started by an MCP client
countersign-gateway check               connect to every server and to Countersign, and show what agents would see
countersign-gateway pins                show the tools that servers have changed since they were accepted
countersign-gateway pins accept NAME…   accept changed tools: a server's name, or server/tool
countersign-gateway --version

  --config FILE    the configuration file    COUNTERSIGN_GATEWAY_CONFIG    countersign-gateway.json
`

/** A server may put anything into its texts: no character moves the cursor, and no text looks like a line of this program. */
const plain = (text: string): string =>
  text
    .replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
    .replaceAll('\n', '\n    ')
/** Standard output belongs to the protocol, so messages go to standard error. */
const say = (line: string): void => void process.stderr.write(`countersign-gateway: ${plain(line)}\n`)

const options = {
  config: { type: 'string' },
  agent: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

class UsageError extends Error {}

/** Serves until a signal, or until the client closes its end. */
async function serve(config: Config, agent: Agent | null): Promise<void> {
  const [{ openGateway }, { listen }, { watch }] = await Promise.all([
    import('./gateway.ts'),
    import('./http.ts'),
    import('./watch.ts'),
  ])
  const gateway = await openGateway(config, { say })
  const open: { close(): Promise<void> }[] = []
  if (config.metrics) open.push(await watch(gateway, config.metrics))
  if (agent) {
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
    const served = serveStdio(() => gateway.front(agent), {
      maxSubscriptions: 0,
      onerror: ({ message }) => say(message),
    })
    open.push(served)
    process.stdin.once('close', () => stop())
  } else if (config.listen) {
    open.push(await listen(gateway, config, config.listen, say))
  }
  let stopping = false
  function stop(): void {
    if (stopping) return
    stopping = true
    // Calls that were forwarded may take as long as their limit.
    setTimeout(() => process.exit(1), config.limits.callMs + 10_000).unref()
    const closed = gateway.close()
    void Promise.allSettled([closed, ...open.map((each) => each.close())]).then(() => process.exit(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)
  process.send?.('ready')
}

async function run(args: readonly string[]): Promise<number | undefined> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  if (values.version) process.stdout.write(`countersign-gateway ${version}\n`)
  else if (values.help) process.stdout.write(help)
  if (values.version || values.help) return 0
  const [command = 'run', sub, ...names] = positionals
  const file = values.config ?? process.env.COUNTERSIGN_GATEWAY_CONFIG ?? 'countersign-gateway.json'
  if (!['run', 'stdio', 'check', 'pins'].includes(command) || (sub !== undefined && command !== 'pins')) {
    throw new UsageError(`There is no command ${positionals.join(' ')}.`)
  }
  const config = readConfig(file)
  if (command === 'run') {
    if (!config.listen)
      throw new UsageError('The configuration has no "listen". For one agent over stdio, use "stdio --agent ID".')
    await serve(config, null)
    return undefined
  }
  if (command === 'stdio') {
    const agent = config.agents.find(({ id }) => id === values.agent)
    if (!agent) throw new UsageError(`--agent must be one of: ${config.agents.map(({ id }) => id).join(', ')}.`)
    await serve(config, agent)
    return undefined
  }
  const { checked, reviewed } = await import('./check.ts')
  if (sub !== undefined && sub !== 'accept') throw new UsageError(`There is no command pins ${sub}.`)
  if (sub === 'accept' && names.length === 0) throw new UsageError('Name what to accept: a server, or server/tool.')
  const { lines, problems } =
    command === 'check'
      ? await checked(config)
      : await reviewed(
          config,
          ({ upstream, tool }) => names.includes(upstream) || names.includes(`${upstream}/${tool}`),
        )
  process.stdout.write(lines.map((line) => `${plain(line)}\n`).join(''))
  for (const problem of problems) say(problem)
  return problems.length > 0 ? 1 : 0
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (error instanceof ConfigError) for (const problem of error.problems) say(problem)
  else say((error as Error).message)
  if (error instanceof UsageError) process.stderr.write(help)
  process.exit(2)
}
