/** The files of an export of a center: a folder, or the tar archive as it was downloaded. */
import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { linesOf } from './entry-lines.ts'

export interface FileSet {
  readonly names: readonly string[]
  /** The bytes as they are stored. Throws for a name that is not there. */
  read(name: string): AsyncIterable<Uint8Array>
}

export async function openFiles(path: string): Promise<FileSet> {
  return (await stat(path)).isDirectory() ? openFolder(path) : openArchive(path)
}

async function openFolder(path: string): Promise<FileSet> {
  const inside = await readdir(path, { withFileTypes: true })
  const names = inside.filter((entry) => entry.isFile()).map(({ name }) => name)
  return { names: names.sort(), read: (name) => createReadStream(join(path, name)) }
}

const block = 512

/** Headers are read one by one; the contents stay in the file. */
async function openArchive(path: string): Promise<FileSet> {
  const places = new Map<string, { readonly start: number; readonly bytes: number }>()
  const file = await open(path)
  try {
    const header = Buffer.alloc(block)
    for (let at = 0; (await file.read(header, 0, block, at)).bytesRead === block && header[0] !== 0; ) {
      const bytes = Number.parseInt(textIn(header, 124, 12), 8)
      if (textIn(header, 257, 5) !== 'ustar' || !(bytes >= 0)) throw new Error(`there's no tar header at byte ${at}`)
      const name = textIn(header, 0, 100).replace(/^.*\//, '')
      if (header[156] === 0x30) {
        if (places.has(name)) throw new Error(`${name} is in the archive twice`)
        places.set(name, { start: at + block, bytes })
      }
      at += block + Math.ceil(bytes / block) * block
    }
  } finally {
    await file.close()
  }
  return {
    names: [...places.keys()].sort(),
    read(name) {
      const place = places.get(name)
      if (!place) throw new Error(`${name} isn't in the archive`)
      const { start, bytes } = place
      return bytes === 0 ? none() : createReadStream(path, { start, end: start + bytes - 1 })
    },
  }
}

const textIn = (from: Buffer, at: number, length: number): string =>
  from.toString('latin1', at, at + length).replace(/[\0 ].*$/s, '')

async function* none(): AsyncGenerator<Uint8Array> {}

/** The lines of compressed files, one after another. */
export async function* linesIn({ read }: FileSet, names: readonly string[]): AsyncGenerator<string> {
  for (const name of names) {
    const unpacked = Readable.from(read(name)).compose(createGunzip()) as AsyncIterable<Uint8Array>
    for await (const lines of linesOf(unpacked)) yield* lines
  }
}
