import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { buildPages } from '../build.ts'
import { languageOf, languages } from '../words.ts'

it('the committed files are those that are built, and have less than 60 KB compressed', async () => {
  let size = 0
  for (const { name, content } of await buildPages()) {
    expect([name, await readFile(new URL(`../dist/${name}`, import.meta.url), 'utf8')]).toEqual([name, content])
    size += gzipSync(content).length
  }
  expect(size).toBeGreaterThan(10_000)
  expect(size).toBeLessThan(60_000)
})

it('both languages put the same values into the same sentences', () => {
  const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()
  // Particles are Korean only.
  const particles = ['{subject}', '{object}']
  for (const key of Object.keys(languages.ko) as (keyof typeof languages.ko)[]) {
    const [ko, en] = [languages.ko[key], languages.en[key]].map(places) as [string[], string[]]
    expect([key, ko.filter((place) => !particles.includes(place))]).toEqual([key, en])
    expect([key, languages.ko[key].trim() !== '', languages.en[key].trim() !== '']).toEqual([key, true, true])
  }
})

it.each([
  [['ko-KR', 'en-US'], 'ko'],
  [['en-GB', 'ko'], 'en'],
  [['fr-FR', 'en'], 'en'],
  [['ja-JP'], 'ko'],
  [[], 'ko'],
] as const)('a browser that prefers %j reads %s', (preferred, language) => {
  expect(languageOf(preferred)).toBe(language)
})
