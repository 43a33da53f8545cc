/** Files that a build has made and compressed beside themselves. */
import { readFile } from 'node:fs/promises'

export interface BuiltFile {
  readonly content: Buffer
  readonly encoding: 'br' | 'gzip' | null
}

const endings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** The smallest form that the browser takes; compressed when the folder was built. */
export async function builtFile(name: string, accepted: string, folder: URL): Promise<BuiltFile | null> {
  for (const [encoding, ending] of endings) {
    if (!new RegExp(`\\b${encoding}\\b`).test(accepted)) continue
    const content = await readFile(new URL(name + ending, folder)).catch(() => null)
    if (content) return { content, encoding }
  }
  const content = await readFile(new URL(name, folder)).catch(() => null)
  return content && { content, encoding: null }
}
