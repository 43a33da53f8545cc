/** A copy of the working tree, as a fresh clone has it, for destructive tests. */
import { type ExecFileException, execFile } from 'node:child_process'
import { access, chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = new URL('../../', import.meta.url).pathname

export interface Finished {
  readonly code: number
  readonly output: string
}

export interface WorkingCopy {
  readonly folder: string
  read(path: string): Promise<string>
  run(file: string, args: readonly string[], env?: Record<string, string>): Promise<Finished>
  /** Writes the files, runs the work, and restores everything. */
  planted<T>(files: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T>
  remove(): Promise<void>
}

function run(
  file: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      { cwd, env, maxBuffer: 64 * 1024 * 1024 },
      (error: ExecFileException | null, stdout, stderr) => {
        resolve({
          code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1,
          output: `${stdout}${stderr}`,
        })
      },
    )
  })
}

async function trackedFiles(): Promise<string[]> {
  const { output } = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], root, process.env)
  const present = await Promise.all(
    output.split('\0').map((path) =>
      path === ''
        ? false
        : access(join(root, path)).then(
            () => path,
            () => false as const,
          ),
    ),
  )
  return present.filter((path) => path !== false)
}

/** `packages`: includes the result of `npm ci`, as hard links, because a tool that follows a symbolic link leaves the copy. */
export async function copyWorkingTree({ packages }: { readonly packages: boolean }): Promise<WorkingCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-copy-'))
  // As root, the embedded PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o755)
  for (const path of await trackedFiles()) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await copyFile(join(root, path), join(folder, path))
  }
  if (packages) {
    const { code } = await run('cp', ['-al', join(root, 'node_modules'), folder], root, process.env)
    if (code !== 0) await run('cp', ['-a', join(root, 'node_modules'), folder], root, process.env)
  }
  const read = (path: string) => readFile(join(folder, path), 'utf8')

  return {
    folder,
    read,
    run: (file, args, env) => run(file, args, folder, { ...process.env, NODE_ENV: undefined, ...env }),
    async planted(files, work) {
      const before = new Map<string, string | null>()
      for (const [path, content] of Object.entries(files)) {
        before.set(path, await read(path).catch(() => null))
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), content)
      }
      try {
        return await work()
      } finally {
        for (const [path, content] of before) {
          if (content === null) await rm(join(folder, path))
          else await writeFile(join(folder, path), content)
        }
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
