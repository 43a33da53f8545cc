import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mailHtml } from '../html.ts'

const own = ['https://api.example', 'https://auth.example/x']
const htmlOf = (text: string, subject = 'A subject') => mailHtml({ subject, text }, own)
const tags = (html: string): readonly string[] => [...html.matchAll(/<([a-z!]+)/gi)].map(([, tag = '']) => tag)
const links = (html: string) =>
  [...html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, to, shown]) => [to, shown])

it('has the paragraphs and the lines of the text, and links to this server', () => {
  const html = htmlOf('One.\n\n- Two\n  https://auth.example/approve/evt_1\n\nhttps://api.example/password/csp_2\n')
  expect(html).toContain('<p>One.</p><p>- Two<br/><a href="https://auth.example/approve/evt_1">')
  expect(links(html)).toEqual([
    ['https://auth.example/approve/evt_1', 'https://auth.example/approve/evt_1'],
    ['https://api.example/password/csp_2', 'https://api.example/password/csp_2'],
  ])
})

const frame = tags(htmlOf('x'))

describe('a hostile text', () => {
  it.each([
    '<script>alert(1)</script>',
    '</p></div><img src=x onerror=alert(1)>',
    '<a href="https://evil.example">here</a>',
    '"><style>*{display:none}</style>',
    '&lt;script&gt;',
    '<!--',
    'https://evil.example/password/csp_1',
    'https://api.example.evil.example/',
    'https://api.example@evil.example/',
    'javascript:alert(1)',
    'https://api.example/x onclick=alert(1)',
    '\u202eevil\u0000\u001b',
    '\ud800',
    'x'.repeat(100_000),
  ])('%j stays text', (hostile) => {
    const html = htmlOf(hostile, hostile)
    expect(tags(html)).toEqual(frame)
    expect(html).not.toMatch(/[\p{Cs}\u202e]/u)
    expect([...html].some((char) => char < ' ' && char !== '\n')).toBe(false)
  })

  it('cannot leave the attribute of a link', () => {
    const html = htmlOf(`https://api.example/"onmouseover="alert(1)"`)
    expect(html).toContain('<a href="https://api.example/&#34;onmouseover=&#34;alert(1)&#34;">')
  })
})

it('loads nothing, and has the colors of the pages', () => {
  const html = htmlOf('x')
  expect(html).not.toMatch(/\bsrc=|url\(|@import|<link/)
  const tokens = readFileSync(new URL('../../../../packages/design/tokens.css', import.meta.url), 'utf8')
  const colors = html.match(/#[0-9a-f]{6}\b/g) ?? []
  expect(colors.length).toBeGreaterThan(8)
  expect(colors.filter((color) => !tokens.includes(color))).toEqual([])
})
