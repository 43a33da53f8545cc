/** The mark as a picture of dots, for places that take no drawing. It is made of level and upright lines only. */
import { deflateSync } from 'node:zlib'
import { markLines } from '@countersign/design/mark.ts'
import { chunk, pngSignature } from '../lib/png.ts'

const [paper, ink] = [
  [0xfb, 0xfa, 0xf6],
  [0x1b, 0x1f, 0x23],
] as const
/** Of the drawing, and of each side of a dot that is looked at for its shade. */
const [side, samples] = [24, 4]

type Box = readonly [left: number, top: number, right: number, bottom: number]

/** A line has a width of 2; where it turns, both parts fill the corner. */
function boxesOf(lines: string): readonly Box[] {
  const boxes: Box[] = []
  for (const [, start = '', turns = ''] of lines.matchAll(/M([\d. ]+)([^M]+)/g)) {
    let [x = 0, y = 0] = start.trim().split(' ').map(Number)
    const steps = [...turns.matchAll(/([HhVv])(-?[\d.]+)/g)]
    for (const [at, [, way = '', length = '']] of steps.entries()) {
      const [fromX, fromY] = [x, y]
      if (way === 'H') x = Number(length)
      else if (way === 'h') x += Number(length)
      else if (way === 'V') y = Number(length)
      else y += Number(length)
      const level = y === fromY
      const [before, after] = [at > 0 ? 1 : 0, at < steps.length - 1 ? 1 : 0]
      const [first, last] = level ? [fromX, x] : [fromY, y]
      const from = Math.min(first - (first <= last ? before : -before), last - (first <= last ? -after : after))
      const to = Math.max(first - (first <= last ? before : -before), last - (first <= last ? -after : after))
      boxes.push(level ? [from, y - 1, to, y + 1] : [x - 1, from, x + 1, to])
    }
  }
  return boxes
}

/** How much of each dot the mark covers, in sixteenths. */
function shadesOf(size: number, share: number): Uint8Array {
  const fine = size * samples
  const scale = (fine * share) / side
  const edge = (fine - side * scale) / 2
  const at = (place: number) => Math.round(place * scale + edge)
  const shades = new Uint8Array(size * size)
  const covered = new Uint8Array(fine)
  const boxes = boxesOf(markLines)
  for (let row = 0; row < fine; row++) {
    covered.fill(0)
    for (const [left, top, right, bottom] of boxes) {
      if (row >= at(top) && row < at(bottom)) covered.fill(1, at(left), at(right))
    }
    const first = Math.floor(row / samples) * size
    for (const [column, is] of covered.entries()) {
      const at = first + Math.floor(column / samples)
      shades[at] = (shades[at] ?? 0) + is
    }
  }
  return shades
}

/** `share`: how much of the side the mark takes. Launchers cut a maskable icon to a circle of 80 %. */
export function iconPng(size: number, share: number): Buffer {
  const row = 1 + size * 3
  const rows = Buffer.alloc(size * row)
  for (const [at, shade] of shadesOf(size, share).entries()) {
    const part = shade / (samples * samples)
    const first = Math.floor(at / size) * row + 1 + (at % size) * 3
    for (const channel of [0, 1, 2] as const) {
      rows[first + channel] = Math.round(paper[channel] + (ink[channel] - paper[channel]) * part)
    }
  }
  return pngOf(size, rows)
}

/** A tile of one color, for the domain of a center that shows nothing of ours. */
export function plainPng(size: number, color: string): Buffer {
  const dot = Buffer.from(color.slice(1), 'hex')
  const line = Buffer.concat([Buffer.of(0), ...Array.from({ length: size }, () => dot)])
  return pngOf(size, Buffer.concat(Array.from({ length: size }, () => line)))
}

/** Lines of red, green and blue, each after a zero. */
function pngOf(size: number, rows: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    pngSignature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}
