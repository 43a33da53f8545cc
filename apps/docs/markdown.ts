/** Turns a file of the repository into a page of the site: its title, and links that work at `/docs`. */
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { root } from './map.ts'
import type { Language } from './words.ts'

export const base = '/docs'

/** Folders of docs/ whose files the site serves as they are. */
export const servedFile = /^docs\/(formats\/[\w.-]+\.json|pictures\/[\w.-]+|flow\.svg)$/

export const addressOf = (slug: string, language: Language): string =>
  [base, language === 'ko' ? 'ko' : '', slug === 'index' ? '' : slug].filter(Boolean).join('/')

/** Parts of a text outside of fenced blocks are changed, the blocks are not. */
export const outsideBlocks = (text: string, change: (part: string) => string): string =>
  text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')

export function titleAndBody(text: string): { title: string; body: string } {
  const [, title, body] = /^(?:<!--[\s\S]*?-->\s*)?# (.+)\n([\s\S]*)$/.exec(text) ?? []
  if (!title || body === undefined)
    throw new Error(`a page begins with "# Title", and this one with: ${text.slice(0, 80)}`)
  return { title: title.replaceAll('`', ''), body: body.trim() }
}

/** As GitHub and the generator make it. */
export const anchorOfHeading = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

const headingLine = /^#{2,4} (.+)$/gm

/** A Korean page has the anchors of the English page too: links from pages in both languages lead to the same place. */
export function withAnchorsOf(english: string, korean: string): string {
  const anchors: string[] = []
  outsideBlocks(english, (part) => {
    for (const [, heading = ''] of part.matchAll(headingLine)) anchors.push(anchorOfHeading(heading))
    return part
  })
  return outsideBlocks(korean, (part) =>
    part.replaceAll(headingLine, (line, heading: string) => {
      const anchor = anchors.shift()
      return anchor === undefined || anchor === anchorOfHeading(heading)
        ? line
        : `<div id="${anchor}"></div>\n\n${line}`
    }),
  )
}

/** The first paragraph as plain text, for search engines and llms.txt. */
export function summaryOf(body: string): string {
  const [paragraph = ''] = body.split(/\n\s*\n/).filter((part) => /^[\p{L}`*"[]/u.test(part))
  const plain = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
  const [sentence = plain] = /^.{20,}?[.?!](?= |$)/.exec(plain) ?? []
  return sentence.length > 200 ? `${sentence.slice(0, 197)}...` : sentence
}

interface Site {
  readonly language: Language
  /** Addresses of pages by their source. */
  readonly slugs: ReadonlyMap<string, string>
}

/**
 * Links to other pages become addresses of the site. A link to a file that the site does not have (source code, tests)
 * keeps its text and loses its target: there is no public address for it.
 */
export function withSiteLinks(text: string, source: string, { language, slugs }: Site): string {
  const target = (to: string): string | null => {
    if (/^(https?:|mailto:|\/docs)/.test(to)) return to
    if (to.startsWith('#')) return to
    const [path = '', anchor] = to.split('#')
    const file = normalize(join(dirname(source), path))
    const slug = slugs.get(file) ?? slugs.get(file.replace(/^docs\/ko\//, 'docs/'))
    // The page for the README of the repository has other headings.
    const place = anchor && file !== 'README.md' ? `#${anchor}` : ''
    if (slug !== undefined) return addressOf(slug, language) + place
    if (servedFile.test(file) && existsSync(new URL(file, root))) return `${base}/${file.replace(/^docs\//, '')}`
    return null
  }
  return outsideBlocks(text, (part) =>
    part.replaceAll(
      /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (_, picture: string, words: string, to: string) => {
        const address = target(to)
        if (address !== null) return `${picture}[${words}](${address})`
        return picture ? '' : words
      },
    ),
  )
}
