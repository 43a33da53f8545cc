/** A Debian machine: an empty root file system with systemd, booted by systemd-nspawn with a network of its own. Needs root. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installed, run } from '../interop/installed.ts'
import { programIn } from './programs.ts'

export interface Machine {
  /** Its root file system, seen from outside. */
  readonly root: string
  write(path: string, text: string): void
  /** Runs a script before the boot, with the network of this machine. */
  prepare(script: string): Promise<string>
  boot(): Promise<void>
  /** A shell of root, in which what one script exports is there for the next. */
  shell(): Shell
  close(): Promise<void>
}

export interface Shell {
  /** The output of a script. Rejects where a command fails. */
  run(script: string): Promise<string>
}

const release = 'bookworm'
const packages = 'systemd-sysv,dbus,ca-certificates'
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const emptyDebian = (): Promise<string> =>
  installed('debian-machine', `${release} ${packages}`, 'root and debootstrap', (folder) =>
    run(programIn('debootstrap', 'debootstrap'), [`--include=${packages}`, release, folder]),
  )

/** The process that nspawn started: the init of the machine. */
function initOf(nspawn: number): number | undefined {
  const children = readdirSync(`/proc/${nspawn}/task`).flatMap((thread) =>
    readFileSync(`/proc/${nspawn}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return children[0] === undefined ? undefined : Number(children[0])
}

export async function openMachine(): Promise<Machine> {
  const nspawn = programIn('systemd-nspawn', 'systemd-container')
  const root = mkdtempSync(join(tmpdir(), 'countersign-machine-'))
  execFileSync('cp', ['-a', '--reflink=auto', `${await emptyDebian()}/.`, root])
  // The cache is for its owner alone; in the machine every user passes through the root directory.
  chmodSync(root, 0o755)
  const name = `countersign-${process.pid}`
  const options = [`--directory=${root}`, `--machine=${name}`, '--register=no', '--keep-unit', '--console=pipe']
  const shells: ChildProcess[] = []
  let host: ChildProcess | undefined
  const enter = (...command: string[]): ChildProcess => {
    const init = initOf(host?.pid as number)
    if (init === undefined) throw new Error('the machine does not run')
    const namespaces = ['--mount', '--uts', '--ipc', '--net', '--pid', '--root', '--wd']
    const environment = ['env', '-i', `PATH=${path}`, 'HOME=/root', 'LANG=C.UTF-8', 'USER=root']
    return spawn('nsenter', ['--target', String(init), ...namespaces, '--', ...environment, ...command])
  }
  async function outputOf(...command: string[]): Promise<string> {
    const child = enter(...command)
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
    })
    await once(child, 'close')
    return text.trim()
  }

  return {
    root,
    write(file, text) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    },
    prepare: (script) => run(nspawn, [...options, '--quiet', 'bash', '-euo', 'pipefail', '-c', script]),
    async boot() {
      host = spawn(nspawn, [...options, '--boot', '--private-network', '--resolv-conf=off'], { stdio: 'ignore' })
      for (let tries = 0; tries < 240; tries++) {
        await sleep(500)
        if (host.exitCode !== null) break
        const state = await outputOf('systemctl', 'is-system-running').catch(() => '')
        if (state === 'running') return
      }
      throw new Error('the machine did not boot')
    },
    shell() {
      const child = enter('bash', '-euo', 'pipefail')
      shells.push(child)
      const [script, mark] = [`/run/script-${shells.length}`, `-- done ${shells.length} --\n`]
      let said = ''
      let settle: (() => void) | undefined
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk) => {
          said += chunk
          settle?.()
        })
      }
      child.on('close', () => settle?.())
      return {
        run(text) {
          said = ''
          return new Promise((resolve, reject) => {
            settle = () => {
              if (said.includes(mark)) resolve(said.replace(mark, ''))
              else if (child.exitCode !== null)
                reject(new Error(`${text}\nexited with ${child.exitCode}:\n${said.slice(-4000)}`))
            }
            // Through a file, so that no command reads the rest of the script.
            child.stdin?.write(
              `cat > ${script} <<'END OF SCRIPT'\n${text}\nEND OF SCRIPT\n. ${script} < /dev/null\nprintf -- '${mark.trim()}\\n'\n`,
            )
          })
        },
      }
    },
    async close() {
      for (const each of shells) each.kill('SIGKILL')
      if (host && host.exitCode === null) {
        const ended = once(host, 'exit')
        await outputOf('systemctl', 'poweroff').catch(() => {})
        const gaveUp = setTimeout(() => host?.kill('SIGKILL'), 90_000)
        await ended
        clearTimeout(gaveUp)
      }
      rmSync(root, { recursive: true, force: true })
    },
  }
}
