/** The commit that a folder is at, read from the files of git: starting git would cost more than the rest of the hook. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export interface Head {
  /** Null on a branch without a commit. */
  readonly commit: string | null
  readonly branch: string | null
}

/** Null outside a repository. */
export function headOf(folder: string): Head | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = gitFolder(join(at, '.git'))
    if (found) return headIn(found)
    if (dirname(at) === at) return null
  }
}

const read = (file: string): string | null => {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8').trim() : null
  } catch {
    return null
  }
}

/** In a worktree or a submodule, `.git` is a file that names the folder. */
function gitFolder(path: string): string | null {
  try {
    if (statSync(path).isDirectory()) return path
  } catch {
    return null
  }
  const [, named] = /^gitdir: (.+)$/.exec(read(path) ?? '') ?? []
  return named === undefined ? null : resolve(dirname(path), named)
}

function headIn(folder: string): Head {
  const head = read(join(folder, 'HEAD')) ?? ''
  const [, ref] = /^ref: (.+)$/.exec(head) ?? []
  if (ref === undefined) return { commit: head || null, branch: null }
  const common = resolve(folder, read(join(folder, 'commondir')) ?? '.')
  const packed = () =>
    (read(join(common, 'packed-refs')) ?? '')
      .split('\n')
      .find((line) => line.endsWith(` ${ref}`))
      ?.split(' ')[0] ?? null
  return {
    commit: read(join(folder, ref)) ?? read(join(common, ref)) ?? packed(),
    branch: ref.replace(/^refs\/heads\//, ''),
  }
}
