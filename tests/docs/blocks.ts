import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

export async function markdownFiles(): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob('**/*.md', { cwd: root, exclude: (name) => /node_modules|\bdist\b|^\./.test(name) })) {
    files.push(file)
  }
  return files.sort()
}

export interface Block {
  readonly language: string
  /** The text after the language, such as `apps/server/features/x/routes.ts`. */
  readonly label: string
  readonly text: string
}

/** The fenced code blocks of a page, in order. */
export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```(\w*) *(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', label = '', text = '']) => ({
    language,
    label: label.trim(),
    text,
  }))

export const withoutBlocks = (markdown: string): string => markdown.replaceAll(/^```[\s\S]*?^```$/gm, '')
