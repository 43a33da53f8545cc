/** `countersign-server doctor`: what an operator would check by hand before a start. It changes nothing. */
import { type Config, ConfigError, type Environment, readConfig } from '../../config/config.ts'
import { version } from '../../lib/version.ts'
import type { Print } from '../operate.ts'
import { databaseChecks } from './database-checks.ts'
import { type Finding, failed, ok } from './finding.ts'
import { machineChecks } from './machine-checks.ts'
import { networkChecks } from './network-checks.ts'

function readSettings(env: Environment): { readonly config: Config | null; readonly finding: Finding } {
  try {
    const config = readConfig(env)
    const mode = config.production ? 'production' : 'development'
    return { config, finding: { check: 'settings', ...ok(`They're valid for ${mode} with the role ${config.role}.`) } }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const said = failed(`The ${error.message}.`, 'Fix this setting; see docs/settings.md.')
    return { config: null, finding: { check: 'settings', ...said } }
  }
}

export async function examine(env: Environment): Promise<readonly Finding[]> {
  const { config, finding } = readSettings(env)
  if (config === null) return [finding]
  const [databases, others] = await Promise.all([
    databaseChecks(config),
    Promise.all([...machineChecks(config, env), ...networkChecks(config)]),
  ])
  return [finding, ...databases, ...others]
}

function render(findings: readonly Finding[]): string {
  const subject = ({ check, about }: Finding) => (about === undefined ? check : `${check}, ${about}`)
  const width = Math.max(...findings.map((each) => subject(each).length))
  const lines = findings.flatMap((each) => {
    const line = `${each.status.padEnd(8)} ${subject(each).padEnd(width)}  ${each.found}`
    return each.remedy === undefined ? [line] : [line, `${' '.repeat(width + 11)}${each.remedy}`]
  })
  const count = (status: Finding['status']) => findings.filter((each) => each.status === status).length
  const end = `Countersign ${version}: ${count('failed')} failed, ${count('warning')} warnings, ${count('ok')} ok, ${count('skipped')} skipped.`
  return `${[...lines, end].join('\n')}\n`
}

/** Returns the exit code: 1 if a check failed, 2 for wrong usage. */
export async function doctor(args: readonly string[], env: Environment, { out, err }: Print): Promise<number> {
  const unknown = args.find((arg) => arg !== '--json')
  if (unknown !== undefined) {
    err(`Unknown option "${unknown}". Usage: countersign-server doctor [--json]\n`)
    return 2
  }
  const findings = await examine(env)
  const healthy = findings.every(({ status }) => status !== 'failed')
  out(args.includes('--json') ? `${JSON.stringify({ healthy, version, findings }, null, 2)}\n` : render(findings))
  return healthy ? 0 : 1
}
