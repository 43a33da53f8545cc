/**
 * The seal of one record, as SVG. Its form says how the person is known: a typed name in a pencil box (claim), an
 * outlined seal (session), a filled seal (passkey). The same input gives the same picture.
 */
import { carvedEdge } from './carving.ts'
import { colors, type Drawing, draw, picture, short, svgText, visible } from './drawing.ts'
import { carvedMarks, stoneHeight as height } from './marks.ts'
import { stoneOf } from './stone.ts'
import { tilt, uneven } from './uneven.ts'

export type SealLevel = 'claim' | 'session' | 'passkey' | 'system' | 'empty'

export interface SealInput {
  readonly level: SealLevel
  /** The accessible name, in the language of the page; empty where the words beside the seal say the same. */
  readonly label: string
  readonly name?: string
  /** Of the record: it gives the tilt and the wear. */
  readonly hash?: string
  readonly size?: number
}

export const seal = (input: SealInput): string => svgText(sealDrawing(input))

export function sealDrawing({ level, label, name = '', hash = '', size = 72 }: SealInput): Drawing {
  const className = `seal seal-${level}`
  if (level === 'system') return systemMark(className, label, size)
  if (level === 'claim' || level === 'empty') return pencilBox(className, label, level === 'claim' ? name : null, size)
  return carvedSeal(className, label, level === 'passkey', name, hash, size)
}

function systemMark(className: string, label: string, size: number): Drawing {
  const lines = { fill: 'none', stroke: colors.pencil }
  return picture(
    { className, label, width: size / 2, height: size / 2, viewBox: '0 0 36 36' },
    draw('path', { ...lines, 'stroke-width': 2, d: 'M5 12V5h7M24 5h7v7M31 24v7h-7M12 31H5v-7' }),
    draw('path', { ...lines, 'stroke-width': 2.4, d: 'M12 18h12M18 12v12' }),
  )
}

const mostTyped = 20
const firstWide = 0x2e7f

/** Nothing was carved: the name is typed. Null draws an empty place. */
function pencilBox(className: string, label: string, name: string | null, size: number): Drawing {
  const typed = name === null ? [] : [...visible(name)]
  const shown = typed.length > mostTyped ? [...typed.slice(0, mostTyped - 1), '…'] : typed
  const wide = shown.reduce((sum, each) => sum + ((each.codePointAt(0) ?? 0) > firstWide ? 15 : 8.2), 0)
  const [width, height] = name === null ? [100, 100] : [Math.max(84, wide * 1.45 + 26), 56]
  const dots = {
    fill: 'none',
    stroke: colors.pencil,
    'stroke-width': 2.4,
    'stroke-dasharray': '0.1 6',
    'stroke-linecap': 'round',
  }
  const text = draw(
    'text',
    {
      x: width / 2,
      y: 35.5,
      'text-anchor': 'middle',
      'font-family': 'var(--mono,monospace)',
      'font-size': 21,
      fill: colors.pencil,
    },
    shown.join(''),
  )
  return picture(
    {
      className,
      label,
      width: (width * size) / 100,
      height: (height * size) / 100,
      viewBox: `0 0 ${short(width)} ${height}`,
    },
    draw('rect', { x: 3, y: 3, width: width - 6, height: height - 6, ...dots }),
    ...(shown.length > 0 ? [text] : []),
  )
}

const margin = 4

function carvedSeal(
  className: string,
  label: string,
  filled: boolean,
  name: string,
  hash: string,
  size: number,
): Drawing {
  const stone = stoneOf(name)
  const letters = stone.characters.map(({ character }) => character).join('')
  const next = uneven(`${filled ? 'passkey' : 'session'}:${letters}:${hash}`)
  const width = stone.columns === 1 && stone.rows === 2 ? 76 : 100
  const marks = draw(
    'g',
    {
      fill: 'none',
      stroke: filled ? '#000' : colors.seal,
      'stroke-linecap': 'square',
      'stroke-linejoin': 'miter',
      'stroke-miterlimit': 3,
    },
    ...carvedMarks(stone, width, filled, next),
  )
  const outer = carvedEdge(next, { x0: 2.5, y0: 2.5, x1: width - 2.5, y1: height - 2.5 }, 1.7, true)
  const whole = { x: -5, y: -5, width: width + 10, height: height + 10 }
  // Two seals with one id have the same mask: the id holds everything that the mask is drawn from.
  const id = `seal-${codes(letters)}-${codes(hash)}-${short(size)}`
  const body = filled
    ? [
        draw(
          'mask',
          { id, maskUnits: 'userSpaceOnUse', ...whole },
          draw('path', { d: outer, fill: '#fff' }),
          marks,
          specks(size, width, next),
        ),
        draw('rect', { ...whole, fill: colors.seal, mask: `url(#${id})` }),
      ]
    : [
        draw('path', {
          d: outer + carvedEdge(next, { x0: 7.4, y0: 7.4, x1: width - 7.4, y1: height - 7.4 }, 1.1, false),
          fill: colors.seal,
          'fill-rule': 'evenodd',
        }),
        marks,
      ]
  const [wide, high] = [width + 2 * margin, height + 2 * margin]
  return picture(
    {
      className,
      label,
      width: (wide * size) / 100,
      height: (high * size) / 100,
      viewBox: `${-margin} ${-margin} ${wide} ${high}`,
    },
    draw('g', { transform: `rotate(${short(tilt(hash))} ${width / 2} ${height / 2})` }, ...body),
  )
}

const codes = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(36)).join('.')

const smallestWithSpecks = 40

const specks = (size: number, width: number, next: () => number): Drawing =>
  draw(
    'g',
    { fill: '#000' },
    ...Array.from({ length: size < smallestWithSpecks ? 0 : 9 }, () =>
      draw('circle', { cx: 6 + next() * (width - 12), cy: 6 + next() * (height - 12), r: 0.35 + next() * 0.75 }),
    ),
  )
