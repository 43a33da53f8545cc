/** Files that claim to be pictures: what is left of them, and which are refused. */
import { deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chunk, NotPng, onlyPixels, pngSignature } from '../png.ts'

const maxSide = 512

interface Made {
  readonly width?: number
  readonly height?: number
  readonly depth?: number
  readonly color?: number
  readonly interlace?: number
  readonly data?: Buffer
  readonly before?: readonly Buffer[]
  readonly after?: readonly Buffer[]
}

const line = (width: number, bytes = 4, filter = 0): Buffer =>
  Buffer.concat([Buffer.of(filter), Buffer.alloc(width * bytes, 7)])
const lines = (width: number, height: number, bytes = 4): Buffer =>
  Buffer.concat(Array.from({ length: height }, () => line(width, bytes)))

function png({ width = 2, height = 2, depth = 8, color = 6, interlace = 0, data, before = [], after = [] }: Made = {}) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, color, 0, 0, interlace], 8)
  return Buffer.concat([
    pngSignature,
    chunk('IHDR', head),
    ...before,
    chunk('IDAT', data ?? deflateSync(lines(width, height))),
    ...after,
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function typesOf(file: Buffer): readonly string[] {
  const types: string[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    types.push(file.toString('latin1', at + 4, at + 8))
  return types
}

const script = '<script>alert(1)</script>'
const palette = chunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]))

describe('only pixels remain', () => {
  it('of a picture with texts, a profile, an animation and a script behind its end', async () => {
    const file = Buffer.concat([
      png({
        before: [chunk('tEXt', Buffer.from(`Comment\0${script}`)), chunk('iCCP', Buffer.from(script))],
        after: [chunk('eXIf', Buffer.from(script)), chunk('fdAT', Buffer.from(script))],
      }),
      Buffer.from(script),
    ])
    const clean = await onlyPixels(file, maxSide)
    expect(typesOf(clean)).toEqual(['IHDR', 'IDAT', 'IEND'])
    expect(clean.includes('script')).toBe(false)
    expect(await onlyPixels(clean, maxSide)).toEqual(clean)
    const at = clean.indexOf('IDAT')
    expect(inflateSync(clean.subarray(at + 4, at + 4 + clean.readUInt32BE(at - 4)))).toEqual(lines(2, 2))
  })

  it('and the palette and the transparency that they need', async () => {
    const file = png({
      color: 3,
      depth: 1,
      data: deflateSync(Buffer.from([0, 0x40, 0, 0x80])),
      before: [palette, chunk('tRNS', Buffer.of(0))],
    })
    expect(typesOf(await onlyPixels(file, maxSide))).toEqual(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
  })

  it('where the image data is in several parts, and bytes hidden in its compression are gone', async () => {
    const data = deflateSync(lines(2, 2), { level: 0 })
    const file = png({ data: data.subarray(0, 9), after: [chunk('IDAT', data.subarray(9))] })
    expect(await onlyPixels(file, maxSide)).toEqual(await onlyPixels(png(), maxSide))
  })
})

const wrongSum = png()
wrongSum[wrongSum.length - 1] = (wrongSum.at(-1) ?? 0) ^ 1
const wrongPixel = png()
const inData = wrongPixel.indexOf('IDAT') + 8
wrongPixel[inData] = (wrongPixel[inData] ?? 0) ^ 1

const refused: readonly (readonly [what: string, file: Buffer, why: RegExp])[] = [
  ['a JPEG that is named a PNG', Buffer.from('ffd8ffe000104a464946', 'hex'), /isn't a PNG/],
  ['an SVG', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`), /isn't a PNG/],
  ['nothing', Buffer.alloc(0), /isn't a PNG/],
  ['a file that is cut', png().subarray(0, -6), /too early/],
  [
    'a length beyond the end',
    Buffer.concat([pngSignature, Buffer.from('ffffffff49484452', 'hex'), Buffer.alloc(30)]),
    /too early/,
  ],
  ['a wrong checksum at the end', wrongSum, /checksum/],
  ['a wrong checksum in the image', wrongPixel, /checksum/],
  ['one dot too wide', png({ width: 513, height: 1 }), /513 × 1 pixels/],
  ['a huge height', png({ height: 0xffffffff, data: deflateSync(lines(2, 2)) }), /4294967295/],
  ['no width', png({ width: 0 }), /0 × 2/],
  ['more image data than its size: a bomb', png({ data: deflateSync(Buffer.alloc(50_000_000)) }), /more than its size/],
  ['less image data than its size', png({ data: deflateSync(lines(2, 1)) }), /match its size/],
  [
    'something behind the compressed data',
    png({ data: Buffer.concat([deflateSync(lines(2, 2)), Buffer.from(script)]) }),
    /match its size/,
  ],
  ['image data that is none', png({ data: Buffer.from(script) }), /can't be read/],
  ['an unknown filter', png({ data: deflateSync(Buffer.concat([line(2, 4, 5), line(2)])) }), /unknown format/],
  ['an unknown color type', png({ color: 5 }), /unknown format/],
  ['a depth that its color type has not', png({ color: 6, depth: 4 }), /unknown format/],
  ['interlacing', png({ interlace: 1 }), /interlaced/],
  ['an unknown critical part', png({ before: [chunk('EVIL', Buffer.from(script))] }), /unknown part/],
  ['a second header', png({ after: [chunk('IHDR', Buffer.alloc(13))] }), /unknown part/],
  [
    'image data in two places',
    png({ after: [chunk('tIME', Buffer.alloc(7)), chunk('IDAT', Buffer.alloc(1))] }),
    /wrong order/,
  ],
  [
    'a palette behind its image',
    png({ color: 3, data: deflateSync(Buffer.alloc(6)), after: [palette] }),
    /wrong order/,
  ],
  ['two palettes', png({ before: [palette, palette] }), /wrong order/],
  ['a palette that is missing', png({ color: 3, data: deflateSync(Buffer.alloc(6)) }), /palette/],
  [
    'a palette of more colors than its depth',
    png({ color: 3, depth: 1, before: [chunk('PLTE', Buffer.alloc(9))] }),
    /palette/,
  ],
  ['a palette where none can be', png({ color: 4, data: deflateSync(lines(2, 2, 2)), before: [palette] }), /palette/],
  [
    'transparency of the wrong length',
    png({ color: 3, before: [palette, chunk('tRNS', Buffer.alloc(3))] }),
    /transparency/,
  ],
  ['transparency beside alpha', png({ before: [chunk('tRNS', Buffer.alloc(6))] }), /transparency/],
]

describe('refused is', () => {
  it.each(refused)('%s', async (_, file, why) => {
    const error = await onlyPixels(file, maxSide).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(NotPng)
    expect((error as Error).message).toMatch(why)
  })
})

it('a picture of the greatest size and depth passes', async () => {
  const file = png({ width: 512, height: 512, depth: 16, data: deflateSync(lines(512, 512, 8)) })
  expect(typesOf(await onlyPixels(file, maxSide))).toEqual(['IHDR', 'IDAT', 'IEND'])
})

it('a file of any damaged byte is refused, or has the same pixels', async () => {
  const file = png({ before: [chunk('tEXt', Buffer.from('Comment'))] })
  const clean = await onlyPixels(file, maxSide)
  for (let at = 0; at < file.length; at++) {
    const damaged = Buffer.from(file)
    damaged[at] = (damaged[at] ?? 0) ^ 0x20
    const result = await onlyPixels(damaged, maxSide).catch((error: unknown) => error)
    if (!(result instanceof NotPng)) expect(result).toEqual(clean)
  }
})
