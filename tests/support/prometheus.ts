/** A real Prometheus over the metrics of a server, with rules. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../tools/postgres.ts'
import { programIn } from './programs.ts'

export interface Prometheus {
  /** The samples of an instant query. Throws where Prometheus refuses the expression. */
  query(expr: string): Promise<readonly { readonly metric: Readonly<Record<string, string>>; readonly value: number }[]>
  /** Names of alerts that fire. */
  firing(): Promise<readonly string[]>
  stop(): Promise<void>
}

export async function startPrometheus(targets: readonly string[], rules: object): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const settings = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.json'],
    scrape_configs: [{ job_name: 'countersign', static_configs: [{ targets }] }],
  }
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(settings))
  writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules))
  const port = await freePort()
  const child: ChildProcess = spawn(
    programIn('prometheus', 'prometheus'),
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  )
  const reap = () => void child.kill('SIGKILL')
  process.once('exit', reap)
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${url}/-/ready`).catch(() => null)
    if (answer?.ok) break
    if (tries === 300 || child.exitCode !== null) throw new Error('Prometheus did not start')
    await sleep(100)
  }
  const ask = async (path: string) => {
    const { status, data, error } = (await (await fetch(`${url}${path}`)).json()) as {
      status: string
      error?: string
      data: { result?: never[]; alerts?: never[] }
    }
    if (status !== 'success') throw new Error(`${path}: ${error}`)
    return data
  }
  return {
    async query(expr) {
      const { result = [] } = await ask(`/api/v1/query?query=${encodeURIComponent(expr)}`)
      return result.map(({ metric, value }: { metric: Record<string, string>; value: [number, string] }) => ({
        metric,
        value: Number(value[1]),
      }))
    },
    async firing() {
      const { alerts = [] } = await ask('/api/v1/alerts')
      return alerts
        .filter(({ state }: { state: string }) => state === 'firing')
        .map(({ labels }: { labels: { alertname: string } }) => labels.alertname)
    },
    async stop() {
      process.off('exit', reap)
      if (child.exitCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
