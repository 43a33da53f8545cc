/** The files of an export as one tar archive (POSIX ustar), read file by file. */

const block = 512

export interface ArchivedFile {
  readonly name: string
  readonly bytes: number
}

/** `contentOf` returns undefined where the file was deleted meanwhile: the archive then ends with an error. */
export async function* archive(
  folder: string,
  files: readonly ArchivedFile[],
  at: Date,
  contentOf: (name: string) => Promise<Buffer | undefined>,
): AsyncGenerator<Uint8Array> {
  for (const { name, bytes } of files) {
    const content = await contentOf(name)
    if (content?.length !== bytes) throw new Error('a file of the export was deleted during the download')
    yield header(`${folder}/${name}`, bytes, at)
    yield content
    if (bytes % block !== 0) yield Buffer.alloc(block - (bytes % block))
  }
  yield Buffer.alloc(2 * block)
}

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`

function header(name: string, bytes: number, at: Date): Buffer {
  const into = Buffer.alloc(block)
  into.write(name, 0, 100)
  into.write(octal(0o644, 7), 100)
  into.write(octal(0, 7), 108)
  into.write(octal(0, 7), 116)
  into.write(octal(bytes, 11), 124)
  into.write(octal(Math.floor(at.getTime() / 1000), 11), 136)
  // The checksum counts itself as spaces.
  into.write('        ', 148)
  into.write('0', 156)
  into.write('ustar\0', 257)
  into.write('00', 263)
  into.write(
    `${octal(
      into.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
    148,
  )
  return into
}
