import { readFile, stat } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { fontFiles, fontStyles } from '../fonts.ts'

it('the style sheet names every file that is served, and no other address', () => {
  const named = [...fontStyles('/fonts/').matchAll(/url\(([^)]*)\)/g)].map(([, address]) => address)
  expect(named).toEqual([...fontFiles().keys()].map((name) => `/fonts/${name}`))
})

it('every file is WOFF2 of at most 150 KB, under a name with the version of its package', async () => {
  for (const [name, file] of fontFiles()) {
    expect(name).toMatch(/^(pretendard-1\.3\.9|noto-serif-kr-5\.3\.0|jetbrains-mono-5\.3\.0)\/[\w.-]+\.woff2$/)
    expect((await readFile(file)).subarray(0, 4).toString('latin1')).toBe('wOF2')
    expect((await stat(file)).size).toBeLessThan(150_000)
  }
})

it('the faces are those that the tokens name, with the weights that they use', () => {
  const faces = [...fontStyles('/').matchAll(/font-family:'([^']+)';font-style:normal;font-weight:([^;]+);/g)]
  expect(new Set(faces.map(([, family, weight]) => `${family} ${weight}`))).toEqual(
    new Set([
      'Pretendard Variable 45 920',
      'Noto Serif KR 600',
      'JetBrains Mono 400',
      'JetBrains Mono 500',
      'JetBrains Mono 600',
    ]),
  )
})
