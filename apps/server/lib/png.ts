/**
 * Rewrites an untrusted PNG so that only its pixels remain: the header, the palette, transparency, and image data that is
 * decompressed and compressed again. Everything else in the file, and behind its end, is left out.
 */
import { promisify } from 'node:util'
import { crc32, deflate, inflate } from 'node:zlib'

/** A text for the person who sent the file. */
export class NotPng extends Error {}

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Bits of a sample by color type, and samples of a dot. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const greatestFilter = 4
/** A chunk has its length, its type and its checksum around its data. */
const frameBytes = 12

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

interface Header {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly color: number
}

const inflated = promisify(inflate) as unknown as (
  data: Buffer,
  options: object,
) => Promise<{ readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }>
const deflated = promisify(deflate) as (data: Buffer, options: object) => Promise<Buffer>

export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** Up to IEND; what is behind it isn't read. */
function chunksOf(file: Buffer): readonly Chunk[] {
  if (!file.subarray(0, pngSignature.length).equals(pngSignature)) throw new NotPng("isn't a PNG image")
  const chunks: Chunk[] = []
  let at = pngSignature.length
  while (chunks.at(-1)?.type !== 'IEND') {
    if (at + frameBytes > file.length) throw new NotPng('ends too early')
    const length = file.readUInt32BE(at)
    if (length > file.length - at - frameBytes) throw new NotPng('ends too early')
    const body = file.subarray(at + 4, at + 8 + length)
    if (crc32(body) !== file.readUInt32BE(at + 8 + length)) throw new NotPng('is damaged: a checksum is wrong')
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) })
    at += frameBytes + length
  }
  return chunks
}

function headerOf(first: Chunk | undefined, maxSide: number): Header {
  if (first?.type !== 'IHDR' || first.data.length !== 13) throw new NotPng('has no header')
  const [width, height] = [first.data.readUInt32BE(0), first.data.readUInt32BE(4)]
  const [depth = 0, color = 0, compression, filter, interlace] = first.data.subarray(8)
  if (width < 1 || height < 1 || width > maxSide || height > maxSide)
    throw new NotPng(`has ${width} × ${height} pixels, and each side can have at most ${maxSide}`)
  if (!depths[color]?.includes(depth) || compression !== 0 || filter !== 0) throw new NotPng('has an unknown format')
  if (interlace !== 0) throw new NotPng('is interlaced. Save it without interlacing')
  return { width, height, depth, color }
}

function requirePalette({ color, depth }: Header, palette: Buffer | undefined, alpha: Buffer | undefined): void {
  const entries = (palette?.length ?? 0) / 3
  const wrong =
    palette === undefined
      ? color === 3
      : color === 0 || color === 4 || !Number.isInteger(entries) || entries < 1 || entries > 2 ** Math.min(depth, 8)
  if (wrong) throw new NotPng('has no valid palette')
  if (alpha === undefined) return
  const isRight =
    color === 3 ? alpha.length >= 1 && alpha.length <= entries : alpha.length === ({ 0: 2, 2: 6 } as const)[color as 0]
  if (!isRight) throw new NotPng('has invalid transparency')
}

/** The lines, each behind the number of its filter. */
async function linesOf({ width, height, depth, color }: Header, data: Buffer): Promise<Buffer> {
  const line = 1 + Math.ceil((width * depth * (samples[color] ?? 0)) / 8)
  const size = line * height
  const { buffer, engine } = await inflated(data, { maxOutputLength: size, info: true }).catch(() => {
    throw new NotPng("has image data that can't be read, or more than its size allows")
  })
  if (buffer.length !== size || engine.bytesWritten !== data.length)
    throw new NotPng("has image data that doesn't match its size")
  for (let at = 0; at < size; at += line) {
    if ((buffer[at] ?? 0) > greatestFilter) throw new NotPng('has an unknown format')
  }
  return buffer
}

/** Each kind at most once and in its order, and the image data in one piece. */
function partsOf([, ...chunks]: readonly Chunk[]) {
  const data: Buffer[] = []
  let [palette, alpha]: (Buffer | undefined)[] = []
  let isDataOver = false
  for (const { type, data: each } of chunks) {
    if (type === 'IDAT' && !isDataOver) data.push(each)
    else isDataOver ||= data.length > 0
    if (type === 'IDAT' && isDataOver) throw new NotPng('has its parts in the wrong order')
    if (type === 'PLTE' || type === 'tRNS') {
      const isSecond = (type === 'PLTE' ? (palette ?? alpha) : alpha) !== undefined
      if (isSecond || data.length > 0) throw new NotPng('has its parts in the wrong order')
      if (type === 'PLTE') palette = each
      else alpha = each
    } else if (!['IDAT', 'IEND'].includes(type) && !/^[a-z][A-Za-z]{3}$/.test(type))
      throw new NotPng('has an unknown part')
  }
  return { data: Buffer.concat(data), palette, alpha }
}

/** Throws `NotPng`. Takes at most the memory of `maxSide` × `maxSide` dots of 8 bytes. */
export async function onlyPixels(file: Buffer, maxSide: number): Promise<Buffer> {
  const chunks = chunksOf(file)
  const header = headerOf(chunks[0], maxSide)
  const { data, palette, alpha } = partsOf(chunks)
  requirePalette(header, palette, alpha)
  const lines = await linesOf(header, data)
  return Buffer.concat([
    pngSignature,
    chunk('IHDR', (chunks[0] as Chunk).data),
    ...(palette ? [chunk('PLTE', palette)] : []),
    ...(alpha ? [chunk('tRNS', alpha)] : []),
    chunk('IDAT', await deflated(lines, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}
