import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildPage } from '../build.ts'

let page: string
beforeAll(async () => {
  page = await buildPage()
})

describe('the page', () => {
  it('is built the same every time, and is the file that lies in dist', async () => {
    expect(await buildPage()).toBe(page)
    expect(readFileSync(new URL('../dist/verify.html', import.meta.url), 'utf8')).toBe(page)
  })

  it('is at most 90 KB, compressed', () => {
    expect(gzipSync(page, { level: 9 }).length).toBeLessThanOrEqual(90 * 1024)
  })

  it('allows its own script and style by their hashes, and no connection', () => {
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? []
    const [, script = ''] = /<script>([\s\S]+)<\/script>/.exec(page) ?? []
    const [, style = ''] = /<style>([\s\S]+)<\/style>/.exec(page) ?? []
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`script-src ${hash(script)};`)
    expect(policy).toContain(`style-src ${hash(style)};`)
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/connect-src|unsafe/)
  })

  it('holds everything it needs, and nothing of Node', () => {
    expect(page).not.toMatch(/(src|href)="(?!data:|\/verify")[^"]/)
    expect(page).not.toMatch(/node:|@import|url\((?!#)|innerHTML|insertAdjacentHTML|document\.write|\beval\(/)
  })
})
