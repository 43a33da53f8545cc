/** litewitness of filippo.io/torchwood as its documentation says to run it, with its key in an ssh-agent. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { toBase64 } from '@countersign/proof/base64.ts'
import { emptyRoot } from '@countersign/proof/tree.ts'
import { freePort } from '../../tools/postgres.ts'
import { goProgram } from './other-programs.ts'

export interface LiteWitness {
  readonly vkey: string
  readonly url: string
  /** Makes a log known. It knows keys by the full name of a log; there is no key of a host. */
  register(origin: string, vkey: string): void
  close(): Promise<void>
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Calls until it returns a value, for at most 20 seconds. */
async function until<T>(look: () => T | null | Promise<T | null>, failure: () => string): Promise<T> {
  const end = performance.now() + 20_000
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (performance.now() > end) throw new Error(failure())
    await sleep(50)
  }
}

export async function startLiteWitness(): Promise<LiteWitness> {
  const program = await goProgram('litewitness', 'filippo.io/torchwood/cmd/litewitness')
  const folder = mkdtempSync(join(tmpdir(), 'litewitness-'))
  const [key, socket, database] = ['key', 'agent.sock', 'witness.db'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const env = { PATH: process.env.PATH, SSH_AUTH_SOCK: socket }
  const command = (file: string, ...args: string[]): string | null => {
    try {
      return execFileSync(file, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    } catch {
      return null
    }
  }
  command('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key)
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
  await until(
    () => command('ssh-add', '-q', key),
    () => 'ssh-agent does not take the key',
  )
  const fingerprint = command('ssh-keygen', '-lf', `${key}.pub`)?.split(' ')[1] as string
  const listen = `127.0.0.1:${await freePort()}`
  const child = spawn(
    program,
    ['-name', 'litewitness.test/w1', '-db', database, '-ssh-agent', socket, '-key', fingerprint, '-listen', listen],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk
  })
  const url = `http://${listen}`
  await until(
    () =>
      fetch(url).then(
        async (answer) => ((await answer.text()) && answer.ok) || null,
        () => null,
      ),
    () => `litewitness did not start: ${printed}`,
  )
  return {
    vkey: /vkey="?([^"\s]+)/.exec(printed)?.[1] as string,
    url,
    register(origin, vkey) {
      // What `witnessctl add-log` and `witnessctl add-key` do.
      const db = new DatabaseSync(database)
      db.prepare('insert into log (origin, tree_size, tree_hash) values (?, 0, ?)').run(origin, toBase64(emptyRoot))
      db.prepare('insert into key (origin, key) values (?, ?)').run(origin, vkey)
      db.close()
    },
    async close() {
      await stop(child)
      await stop(agent)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
