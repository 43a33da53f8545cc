import { describe, expect, it } from 'vitest'
import { type Drawing, svgText } from '../drawing.ts'
import { joint, jointDrawing } from '../joint.ts'
import { type SealLevel, seal } from '../seal.ts'
import { tilt } from '../uneven.ts'

const hash = 'sha256:4be1c09a7f22d0135cb8e6f4a90d17c35b6e8f0142ad93c7e51b0f6a8d249e0b'
const levels: readonly SealLevel[] = ['claim', 'session', 'passkey', 'system', 'empty']

const hostile = [
  '</text></svg><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `' onload='alert(1)`,
  '<!--',
  ']]>',
  '&lt;b&gt;',
  'javascript:alert(1)',
  'url(#other)',
  '\u0000\u0007\u001b[31m',
  '\u202egnp.exe\u202c',
  'line\nbreak\u2028and\u2029more',
  '\ud800',
  'a\udc00b',
  '👩‍👩‍👧 가족',
  '',
  ' ',
  '가'.repeat(100_000),
  'x'.repeat(100_000),
  '__proto__',
]

const tags = (svg: string): readonly string[] => [...svg.matchAll(/<([a-zA-Z]+)/g)].map(([, tag]) => tag ?? '')
const allowed = new Set(['svg', 'g', 'path', 'rect', 'circle', 'text', 'mask', 'clipPath'])
const controls = /[\p{Cc}\p{Cf}\p{Cs}]/u

describe('a hostile name', () => {
  it.each(hostile.map((name) => [name.slice(0, 40), name]))('%j stays text at every level', (_, name) => {
    for (const level of levels) {
      const svg = seal({ level, name, hash, label: name })
      expect(tags(svg).filter((tag) => !allowed.has(tag))).toEqual([])
      expect(svg.match(/ on\w+="/)).toBeNull()
      expect(svg.match(controls)).toBeNull()
      expect(svg.match(/NaN|undefined|Infinity/)).toBeNull()
      expect(svg.length - name.length).toBeLessThan(20_000)
      const [width = 0, height = 0] = [...svg.matchAll(/ (?:width|height)="([\d.]+)"/g)].map(([, size]) => Number(size))
      expect(width > 0 && width < 500 && height > 0 && height < 200).toBe(true)
    }
  })

  it('as a hash changes the look and an id only', () => {
    for (const name of hostile) {
      const svg = seal({ level: 'passkey', name: '박서연', hash: name, label: '' })
      expect(tags(svg).filter((tag) => !allowed.has(tag))).toEqual([])
      expect(svg.match(/ id="([^"]*)"/)?.[1]).toMatch(/^[\w.-]+$/)
      expect(joint({ hashA: name, hashB: name, label: name })).not.toMatch(/<(script|img)/)
    }
  })
})

it('the same input gives the same picture, and another hash or name another', () => {
  for (const level of ['session', 'passkey'] as const) {
    const drawn = (name: string, record: string) => seal({ level, name, hash: record, label: '' })
    expect(drawn('박서연', hash)).toBe(drawn('박서연', hash))
    expect(new Set([drawn('박서연', hash), drawn('박서현', hash), drawn('박서연', `${hash}0`)]).size).toBe(3)
  }
})

it('two seals share an id only if they are drawn alike', () => {
  const drawn = new Map<string, string>()
  // The last two have the same initials, so the same stone.
  for (const name of ['박서연', '박서현', '이준', 'Ada Lovelace', 'Ann Lee']) {
    for (const record of ['', hash, `${hash}0`, '1.2', '1', '2']) {
      for (const size of [38, 76, 188]) {
        const svg = seal({ level: 'passkey', name, hash: record, size, label: '' })
        const id = svg.match(/ id="([^"]*)"/)?.[1] ?? ''
        expect(drawn.get(id) ?? svg).toBe(svg)
        drawn.set(id, svg)
      }
    }
  }
  expect(drawn.size).toBe(4 * 6 * 3)
})

const count = (svg: string, tag: string): number => tags(svg).filter((found) => found === tag).length

it('each level has a look of its own, and only a passkey fills the stone', () => {
  const [claim, session, passkey, system, empty] = levels.map((level) =>
    seal({ level, name: '박서연', hash, label: '' }),
  ) as [string, string, string, string, string]
  expect(new Set([claim, session, passkey, system, empty]).size).toBe(5)
  expect([claim, session, passkey, system, empty].map((svg) => count(svg, 'mask'))).toEqual([0, 0, 1, 0, 0])
  for (const unsealed of [claim, system, empty]) {
    expect(unsealed).not.toContain('--seal')
    expect([...unsealed.matchAll(/ fill="([^"]+)"/g)].map(([, fill]) => fill)).not.toContain('var(--ink,#1B1F23)')
  }
  // A claim is a dotted box and typed text: no path, so no tick and nothing carved.
  expect(tags(claim)).toEqual(['svg', 'rect', 'text'])
  expect(claim).toContain('>박서연</text>')
  expect(tags(empty)).toEqual(['svg', 'rect'])
})

it('a label is the accessible name, and without one the picture is decoration', () => {
  expect(seal({ level: 'session', name: '박서연', hash, label: '박서연, "로그인"' })).toContain(
    'role="img" aria-label="박서연, &#34;로그인&#34;"',
  )
  expect(seal({ level: 'session', name: '박서연', hash, label: '' })).toContain('aria-hidden="true"')
})

it('a tilt is never straight and at most 4.5 degrees', () => {
  const tilts = Array.from({ length: 2000 }, (_, at) => tilt(String(at)))
  expect(Math.min(...tilts.map(Math.abs))).toBeGreaterThanOrEqual(1.2)
  expect(Math.max(...tilts.map(Math.abs))).toBeLessThanOrEqual(4.5)
})

describe('a joint', () => {
  const reaching = (side: Drawing): readonly string[] =>
    [...svgText(side).matchAll(/M(?:49|51) ([\d.]+)L/g)].map(([, y]) => y ?? '')
  const halves = (hashA: string, hashB: string) =>
    jointDrawing({ hashA, hashB, label: '' }).children.slice(2) as Drawing[]

  it('has strokes that meet at the cut if both sides name the same hash', () => {
    for (let at = 0; at < 200; at++) {
      const [left, right] = halves(`h${at}`, `h${at}`).map(reaching)
      expect(left?.length).toBeGreaterThan(2)
      expect(right).toEqual(left)
    }
  })

  it('is whole and ink for one hash, parted and plum for two', () => {
    const whole = joint({ hashA: hash, hashB: hash, label: '' })
    expect([whole.includes('joint-broken'), whole.includes('--broken'), whole.includes('height="44"')]).toEqual([
      false,
      false,
      true,
    ])
    for (const parted of [
      joint({ hashA: hash, hashB: `${hash}0`, label: '' }),
      joint({ hashA: hash, hashB: hash, broken: true, label: '' }),
    ]) {
      expect([parted.includes('joint-broken'), parted.includes('--ink'), parted.includes('height="50"')]).toEqual([
        true,
        false,
        true,
      ])
    }
  })
})
