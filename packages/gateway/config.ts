/** Reads the configuration file, its secrets and the trust policy, and says everything that is wrong with them at once. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { checkTrust, parseTrust, type Trust } from '@countersign/sdk/guard'
import Value from 'typebox/value'
import { ConfigFile, type Secret, type ToolRule, type UpstreamConfig } from './config-schema.ts'

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

export interface Agent {
  readonly id: string
  readonly name: string | undefined
  readonly key: string
  readonly token: string | null
  readonly upstreams: readonly string[]
  sees(tool: string): boolean
}

interface Shared {
  readonly name: string
  readonly prefix: string
  readonly protocol: 'auto' | '2025-11-25' | '2026-07-28'
  /** Those of its headers and variables that the configuration only names. */
  readonly secrets: readonly string[]
}
export interface Stdio extends Shared {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}
export interface Http extends Shared {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}
export type UpstreamSettings = Stdio | Http

export interface Rule {
  readonly handling: 'decide' | 'pass' | 'hide'
  readonly action: string | undefined
  readonly riskScore: number | undefined
}

export interface Limits {
  readonly waitMs: number
  readonly callMs: number
  readonly answerBytes: number
  readonly callsPerAgent: number
  readonly keepMs: number
  readonly refreshMs: number
}

export interface Listen {
  readonly port: number
  readonly host: string
  readonly names: readonly string[]
}

export interface Config {
  readonly url: string
  readonly trust: Trust
  readonly state: string
  readonly upstreams: readonly UpstreamSettings[]
  readonly agents: readonly Agent[]
  readonly pins: { readonly agent: string; readonly key: string } | null
  readonly listen: Listen | null
  readonly metrics: Omit<Listen, 'names'> | null
  readonly limits: Limits
  ruleOf(tool: string): Rule
}

/** `*` stands for any characters, and everything else for itself. */
export function fits(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name)
}

/** The names of tools that the gateway itself adds. */
export const ownPrefix = 'countersign_'
const isHeader = (name: string, value: string): boolean => /^[!#$%&'*+.^`|~\w-]+$/.test(name) && /^[ -~]*$/.test(value)
const shortestToken = 32
const isToken = (text: string): boolean => /^[!-~]+$/.test(text) && text.length >= shortestToken

export function readConfig(file: string, env: NodeJS.ProcessEnv = process.env): Config {
  const folder = dirname(resolve(file))
  const problems: string[] = []
  const given = parsed(file)

  function secret(source: Secret, where: string): string {
    try {
      const text = 'env' in source ? env[source.env] : readFileSync(resolve(folder, source.file), 'utf8').trim()
      if (text) return text
      problems.push(
        'env' in source ? `${where}: the variable ${source.env} isn't set.` : `${where}: ${source.file} is empty.`,
      )
    } catch (error) {
      problems.push(`${where}: ${(error as Error).message}`)
    }
    return ''
  }
  function upstream([name, settings]: [string, UpstreamConfig]): UpstreamSettings {
    const secrets: string[] = []
    const values = (record: Readonly<Record<string, string | Secret>> = {}, part: string): Record<string, string> =>
      Object.fromEntries(
        Object.entries(record).map(([key, value]) => {
          if (typeof value === 'string') return [key, value]
          const text = secret(value, `/upstreams/${name}/${part}/${key}`)
          secrets.push(text)
          return [key, text]
        }),
      )
    const shared = { name, prefix: settings.prefix ?? `${name}_`, protocol: settings.protocol ?? 'auto', secrets }
    if (shared.prefix.startsWith(ownPrefix)) {
      problems.push(`/upstreams/${name}: names that begin with ${ownPrefix} are the gateway's own. Set another prefix.`)
    }
    if ('url' in settings) {
      const headers = values(settings.headers, 'headers')
      for (const [key, value] of Object.entries(headers)) {
        if (!isHeader(key, value)) problems.push(`/upstreams/${name}/headers/${key}: it isn't a valid header.`)
      }
      const url = URL.parse(settings.url)
      if (!url) problems.push(`/upstreams/${name}/url: it isn't a valid address.`)
      if (url?.username || url?.password) {
        problems.push(`/upstreams/${name}/url: name the credential in "headers", not in the address.`)
      }
      return { ...shared, url: url ?? new URL('http://invalid.invalid'), headers }
    }
    const { command, args = [], cwd = '.' } = settings
    return { ...shared, command, args, cwd: resolve(folder, cwd), env: values(settings.env, 'env') }
  }

  const names = Object.keys(given.upstreams)
  function agent([id, settings]: [string, ConfigFile['agents'][string]]): Agent {
    const { upstreams = names, tools = ['*'] } = settings
    for (const unknown of upstreams.filter((each) => !names.includes(each))) {
      problems.push(`/agents/${id}/upstreams: there is no server ${unknown}.`)
    }
    const token = settings.token ? secret(settings.token, `/agents/${id}/token`) : null
    if (token && !isToken(token)) {
      problems.push(`/agents/${id}/token: use at least ${shortestToken} random characters without spaces.`)
    }
    const key = secret(settings.key, `/agents/${id}/key`)
    return { id, name: settings.name, key, token, upstreams, sees: (name) => tools.some((each) => fits(each, name)) }
  }

  const upstreams = Object.entries(given.upstreams).map(upstream)
  const agents = Object.entries(given.agents).map(agent)
  const pins = given.pins ? { agent: given.pins.agent, key: secret(given.pins.key, '/pins/key') } : null
  problems.push(...shared(agents, upstreams))
  if (given.listen && agents.every(({ token }) => token === null)) {
    problems.push('/listen: no agent has a token, so nobody can be served over HTTP.')
  }
  const trust = trustOf(given.countersign.trust, folder, problems)
  if (problems.length > 0 || trust === null) throw new ConfigError(problems)
  return {
    ...{ url: given.countersign.url, trust, upstreams, agents, pins },
    state: resolve(folder, given.state),
    listen: given.listen ? { host: '127.0.0.1', names: [], ...given.listen } : null,
    metrics: given.metrics ? { host: '127.0.0.1', ...given.metrics } : null,
    limits: limitsOf(given.limits),
    ruleOf: rules(given.tools ?? []),
  }
}

function parsed(file: string): ConfigFile {
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigError([`${file} can't be read: ${(error as Error).message}`])
  }
  if (Value.Check(ConfigFile, given)) return given
  const found = [...Value.Errors(ConfigFile, given)].map(
    ({ instancePath, message }) => `${instancePath || '/'}: ${message}.`,
  )
  throw new ConfigError([...new Set(found)].slice(0, 20))
}

function trustOf(given: ConfigFile['countersign']['trust'], folder: string, problems: string[]): Trust | null {
  const { trustFile, ...rest } = given
  try {
    checkTrust(rest)
    return { ...rest, trust: parseTrust(readFileSync(resolve(folder, trustFile), 'utf8')) }
  } catch (error) {
    problems.push(`/countersign/trust: ${(error as Error).message}`)
    return null
  }
}

/** A token names one agent, and a key acts for one: otherwise one agent would speak for another. */
function shared(agents: readonly Agent[], upstreams: readonly UpstreamSettings[]): string[] {
  const twice = (values: readonly (string | null)[]) =>
    values.some((value, at) => value !== null && value !== '' && values.indexOf(value) !== at)
  return [
    ...(twice(agents.map(({ token }) => token)) ? ['/agents: two agents have the same token.'] : []),
    ...(twice(agents.map(({ key }) => key)) ? ['/agents: two agents have the same key.'] : []),
    ...(twice(upstreams.map(({ prefix }) => `=${prefix}`)) ? ['/upstreams: two servers have the same prefix.'] : []),
  ]
}

function limitsOf(given: ConfigFile['limits'] = {}): Limits {
  const { waitSeconds = 45, callSeconds = 60, keepSeconds = 86_400, refreshSeconds = 300 } = given
  const { answerBytes = 1_048_576, callsPerAgent = 100 } = given
  return {
    ...{ waitMs: waitSeconds * 1000, callMs: callSeconds * 1000 },
    ...{ keepMs: keepSeconds * 1000, refreshMs: refreshSeconds * 1000, answerBytes, callsPerAgent },
  }
}

function rules(given: readonly ToolRule[]): Config['ruleOf'] {
  return (tool) => {
    const { handling = 'decide', action, riskScore } = given.find((rule) => fits(rule.tool, tool)) ?? { tool }
    return { handling, action, riskScore }
  }
}
