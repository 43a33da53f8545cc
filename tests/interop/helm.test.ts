/** The Helm chart, rendered by Helm: valid objects, settings that a server accepts, and values that are refused early. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@countersign/server/config/config.ts'
import { settings } from '@countersign/server/config/settings.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { namesInTemplates } from '../../tools/chart-files.ts'
import { read, root } from '../docs/blocks.ts'
import { conform, helm } from './kubernetes.ts'
import { describeWith } from './other-programs.ts'

const chart = join(root, 'deploy/helm/countersign')
const minimal = join(chart, 'values.minimal.yaml')
const production = join(chart, 'values.production.yaml')

interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
}
interface Container {
  readonly name: string
  readonly args?: readonly string[]
  readonly env: readonly Variable[]
  readonly securityContext: object
  readonly livenessProbe?: { readonly httpGet: object }
  readonly readinessProbe?: { readonly httpGet: object }
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
}
interface PodSpec {
  readonly containers: readonly Container[]
  readonly securityContext: object
  readonly automountServiceAccountToken: boolean
  readonly terminationGracePeriodSeconds?: number
}
interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: PodSpec & { readonly template?: { readonly spec: PodSpec }; readonly groups?: unknown }
}

const rendered = new Map<string, Manifest[]>()
const of = (values: string): Manifest[] => rendered.get(values) ?? []
const podsOf = (values: string): PodSpec[] =>
  of(values)
    .map(({ spec }) => spec?.template?.spec ?? spec)
    .filter((spec) => spec?.containers)
const containerOf = (name: string): Container => {
  const found = podsOf(production)
    .flatMap(({ containers }) => containers)
    .find((each) => each.name === name)
  if (!found) throw new Error(`no container ${name}`)
  return found
}

describeWith(['helm'], 'the Helm chart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-helm-'))
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  /** What Kubernetes would give for a reference to a Secret, and a file of the pod. */
  const secrets: Readonly<Record<string, string>> = {
    'countersign-fence url': 'postgres://fence:x@fence.internal/fence',
    'countersign-redis url': 'redis://redis.internal:6379',
    'countersign-smtp url': 'smtp://user:x@mail.internal:587',
    'countersign-telemetry headers': 'authorization=Bearer%20x',
    'countersign-owner url': 'postgres://owner:x@directory.db.internal/countersign',
    'countersign-owner cells':
      'main=postgres://owner:x@cell-1.db.internal/c,second=postgres://owner:x@cell-2.db.internal/c',
    'countersign-database password': 'x',
    'countersign-operator password': 'x',
  }
  const key = () => randomBytes(32).toString('base64')
  const files: Readonly<Record<string, string>> = {
    'secret-key': file('secret-key', key()),
    'log-key': file('log-key', key()),
    'database-password': file('database-password', 'x'),
    witnesses: file('witnesses', 'quorum none\n'),
    // The private key of RFC 8291, Appendix A.
    'push-key': file('push-key', 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
  }
  /** The environment of a container, as the process sees it. */
  const environmentOf = ({ env }: Container): Record<string, string> =>
    Object.fromEntries(
      env.map(({ name, value, valueFrom }) => {
        const { secretKeyRef: from } = valueFrom ?? {}
        const found = from
          ? secrets[`${from.name} ${from.key}`]
          : value?.replace(/^\/run\/countersign\/(.*)/, (_, at) => files[at] ?? at)
        if (found === undefined) throw new Error(`${name} has no value`)
        return [name, found]
      }),
    )

  beforeAll(async () => {
    for (const values of [minimal, production]) {
      const text = await helm('template', 'countersign', chart, '--namespace', 'countersign', '--values', values)
      file(values === minimal ? 'minimal.yaml' : 'production.yaml', text)
      rendered.set(
        values,
        parseAllDocuments(text)
          .map((each) => each.toJS() as Manifest)
          .filter(Boolean),
      )
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([minimal, production])('passes helm lint with %s', async (values) => {
    expect(await helm('lint', '--strict', chart, '--values', values)).toContain('0 chart(s) failed')
  })

  it('has the version of the server', () => {
    const { version } = JSON.parse(read('package.json'))
    const [own, app] = ['version', 'appVersion'].map(
      (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(read('deploy/helm/countersign/Chart.yaml'))?.[1],
    )
    expect([own, app]).toEqual([version, version])
  })

  it.each(['api', 'worker', 'operator', 'doctor'])('gives the container %s settings that a server accepts', (name) => {
    const config = readConfig(environmentOf(containerOf(name)))
    expect([config.production, config.metricsHost, config.cells.size, config.durability]).toEqual([
      true,
      '0.0.0.0',
      2,
      'strict',
    ])
    expect(config.log.fence?.at).toBe(secrets['countersign-fence url'])
    expect([config.vapidKey?.(), config.smtpUrl, config.redisUrl].every(Boolean)).toBe(true)
  })

  it('gives migrations the owner of the databases, and processes not', () => {
    const owned = environmentOf(containerOf('migrate'))
    expect(readConfig({ SECRET_KEY: key(), ...owned }).cells.size).toBe(2)
    expect(Object.values(environmentOf(containerOf('api'))).filter((value) => value.includes('owner:x'))).toEqual([])
  })

  it('names only settings that exist', () => {
    expect(namesInTemplates().filter((name) => !Object.hasOwn(settings, name))).toEqual([])
  })

  it('gives no pod root, a capability, a writable root, a token of Kubernetes, or a secret value', () => {
    const hardened = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }
    const user = /^USER (\d+):/m.exec(read('deploy/Containerfile'))?.[1]
    for (const values of [minimal, production]) {
      for (const pod of podsOf(values)) {
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          runAsUser: Number(user),
          seccompProfile: { type: 'RuntimeDefault' },
        })
        expect(pod.automountServiceAccountToken).toBe(false)
        for (const { securityContext } of pod.containers) expect(securityContext).toEqual(hardened)
      }
      expect(of(values).filter(({ kind }) => kind === 'Secret')).toEqual([])
    }
    expect(podsOf(production)).toHaveLength(5)
  })

  it('asks the health paths of the server at ports that it listens on, and waits longer than a shutdown', () => {
    for (const [name, port] of [
      ['api', 'port'],
      ['worker', 'healthPort'],
    ] as const) {
      const container = containerOf(name)
      const portName = container.ports?.find(
        ({ containerPort }) => containerPort === readConfig(environmentOf(container))[port],
      )?.name
      expect(container.livenessProbe?.httpGet).toEqual({ path: '/health/live', port: portName })
      expect(container.readinessProbe?.httpGet).toEqual({ path: '/health/ready', port: portName })
      const pod = podsOf(production).find(({ containers }) => containers[0]?.name === name)
      const closes = Number(/delay: ([\d_]+)/.exec(read('apps/server/main.ts'))?.[1]?.replace('_', ''))
      expect((pod?.terminationGracePeriodSeconds ?? 0) * 1000).toBeGreaterThan(closes)
    }
  })

  it('brings the alerts', () => {
    const rules = of(production).find(({ kind }) => kind === 'PrometheusRule')
    expect(rules?.spec.groups).toEqual(JSON.parse(read('deploy/observability/rules.json')).groups)
  })

  it.each([
    ['publicUrl=', 'publicUrl'],
    ['publicUrl=http://countersign.example', 'publicUrl'],
    ['image.repository=', 'image.repository'],
    ['image.tag=latest', 'image.tag'],
    ['database.url=postgres://user:password@db/countersign', 'database.url'],
    ['database.passwordSecret.name=', 'database.passwordSecret.name'],
    ['fence.urlSecret.name=', 'fence.urlSecret.name'],
    ['keys.secret=', 'keys.secret'],
    ['migrate.urlSecret.name=', 'migrate.urlSecret.name'],
    ['database.cells.main=postgres://db/c', 'migrate.cellsSecret.name'],
    ['operator.enabled=true', 'operator.passwordSecret.name'],
    ['ingress.enabled=true', 'ingress.tlsSecret'],
    ['api.replicas=0', 'api.replicas'],
    ['worker.replicas=0', 'worker.replicas'],
    ['drainSeconds=30', 'drainSeconds'],
    ['networkPolicy.apiFrom=null', 'networkPolicy'],
    ['settings.SMTP_URL=smtp://user:password@mail', 'settings'],
    ['settings.NO_SUCH_SETTING=1', 'settings'],
    ['replicaCount=3', 'Additional property replicaCount'],
  ])('refuses %s', async (value, named) => {
    await expect(helm('template', 'x', chart, '--values', minimal, '--set', value)).rejects.toThrow(named)
  })

  describeWith(['kubeconform'], 'its objects', () => {
    it('are valid, strictly, with the least values and with those of production', async () => {
      const said = await conform(join(folder, 'minimal.yaml'), join(folder, 'production.yaml'))
      expect(said).toMatch(/Valid: (2[0-9]), Invalid: 0, Errors: 0, Skipped: 2/)
    })

    it('would be found invalid', async () => {
      const wrong = file(
        'wrong.yaml',
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: x }\nspec: { replica: 1, selector: {}, template: {} }\n',
      )
      await expect(conform(wrong)).rejects.toThrow('replica')
    })
  })
})
