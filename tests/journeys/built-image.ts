/** Images that deploy/build-image.sh has built, started by buildah as `podman run` would start them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const installed = (program: string): boolean =>
  ['/usr/bin', '/usr/sbin'].some((folder) => readdirSync(folder).includes(program))
/** Both need root and Debian packages, which .ci/run installs. */
export const canBuild =
  process.env.CI !== undefined || (process.getuid?.() === 0 && installed('buildah') && installed('debootstrap'))

export interface BuiltImage {
  readonly container: string
  /** The entry point and the command of the image. */
  readonly config: {
    readonly Entrypoint: string[]
    readonly Cmd: string[]
    readonly User: string
    readonly Env: string[]
  }
  /** Every file and folder with owner, size and modification time. buildah itself writes to /etc and /run, as root. */
  listing(): string[]
  /** Runs the entry point with these words, or with the command of the image. */
  start(env: Readonly<Record<string, string>>, volumes: readonly string[], ...command: string[]): ChildProcess
  /** The Node process below a process of buildah. */
  nodeBelow(pid: number): number | undefined
  remove(): void
}

export const buildahOf =
  (storage: readonly string[]) =>
  (...args: string[]): string =>
    execFileSync('buildah', [...storage, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

const read = (file: string): string => readFileSync(file, 'utf8')

function nodeBelow(pid: number): number | undefined {
  if (read(`/proc/${pid}/cmdline`).startsWith('/usr/local/bin/node\0')) return pid
  const threads = readdirSync(`/proc/${pid}/task`)
  const children = threads.flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean))
  return children.map((child) => nodeBelow(Number(child))).find((found) => found !== undefined)
}

/** `storage` is what the script prints. */
export function openImage(storage: readonly string[], name: string): BuiltImage {
  const buildah = buildahOf(storage)
  const container = buildah('from', name)
  const files = buildah('mount', container)
  const { config } = JSON.parse(buildah('inspect', '--type', 'image', name)).OCIv1
  return {
    ...{ container, config, nodeBelow },
    listing: () =>
      execFileSync(
        'find',
        [
          files,
          '-xdev',
          '-not',
          '-path',
          `${files}/etc`,
          '-not',
          '-path',
          `${files}/etc/*`,
          '-not',
          '-path',
          `${files}/run`,
          '-printf',
          '%P %U %s %T@\n',
        ],
        { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
      ).split('\n'),
    start(env, volumes, ...command) {
      const settings = Object.entries(env).flatMap(([setting, value]) => ['--env', `${setting}=${value}`])
      const mounted = volumes.flatMap((volume) => ['--volume', volume])
      const words = [...config.Entrypoint, ...(command.length > 0 ? command : config.Cmd)]
      const options = ['--isolation', 'chroot', ...mounted, ...settings]
      return spawn('buildah', [...storage, 'run', ...options, container, '--', ...words])
    },
    remove: () => void buildah('rm', container),
  }
}
