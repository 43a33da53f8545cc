/**
 * The fonts that pages use, from the packages that hold them: which files a server serves, and the style sheet that
 * names them. Each face is cut by `unicode-range`, so a page fetches only the pieces that its text needs.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(import.meta.url)

interface Source {
  readonly manifest: string
  readonly sheet: string
  /** Interface text is shown at once and swapped; a sentence in the serif keeps what it has after three seconds. */
  readonly display: 'swap' | 'fallback'
  readonly pieces: RegExp
}

const latin = /-latin(-ext)?-/
const sources: readonly Source[] = [
  {
    manifest: require.resolve('pretendard/package.json'),
    sheet: require.resolve('pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css'),
    display: 'swap',
    pieces: /./,
  },
  {
    manifest: require.resolve('@fontsource/noto-serif-kr/package.json'),
    sheet: require.resolve('@fontsource/noto-serif-kr/600.css'),
    display: 'fallback',
    pieces: /./,
  },
  ...['400', '500', '600'].map((weight) => ({
    manifest: require.resolve('@fontsource/jetbrains-mono/package.json'),
    sheet: require.resolve(`@fontsource/jetbrains-mono/${weight}.css`),
    display: 'swap' as const,
    // Hangul in code falls to Pretendard.
    pieces: latin,
  })),
]

interface Face {
  /** Names package, version and piece, so that what is served under it never changes. */
  readonly name: string
  readonly file: URL
  readonly rule: (address: string) => string
}

function facesOf({ manifest, sheet, display, pieces }: Source): readonly Face[] {
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string; version: string }
  const folder = `${name.replace(/^@[^/]+\//, '')}-${version}`
  const rules = readFileSync(sheet, 'utf8').matchAll(/@font-face\s*\{([^}]*)\}/g)
  return [...rules].flatMap(([, body = '']) => {
    const of = (property: string): string => new RegExp(`${property}:\\s*([^;]+);`).exec(body)?.[1]?.trim() ?? ''
    const path = /url\(['"]?([^'")]+\.woff2)/.exec(body)?.[1]
    if (path === undefined || !pieces.test(path)) return []
    const file = new URL(path, pathToFileURL(sheet))
    const rule = (address: string) =>
      `@font-face{font-family:${of('font-family')};font-style:normal;font-weight:${of('font-weight')};` +
      `font-display:${display};src:url(${address}) format("woff2");unicode-range:${of('unicode-range').replaceAll(/\s+/g, '')}}`
    return [{ name: `${folder}/${path.split('/').at(-1)}`, file, rule }]
  })
}

let read: readonly Face[] | null = null
const faces = (): readonly Face[] => {
  read ??= sources.flatMap(facesOf)
  return read
}

/** Every file by the name under which it is served. A name is served for ever with the same bytes. */
export const fontFiles = (): ReadonlyMap<string, URL> => new Map(faces().map(({ name, file }) => [name, file]))

/** `base` is the path under which the files are served, with a slash at its end. */
export const fontStyles = (base: string): string =>
  faces()
    .map(({ name, rule }) => rule(base + name))
    .join('\n')
