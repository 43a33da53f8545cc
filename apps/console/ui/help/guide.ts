/**
 * The guide of a page: a section of docs/guides/pages.md, which people read on paper and on the site too. A section is a title, a
 * line with the addresses of the page, paragraphs, and links into the documentation. Pure.
 */

export interface GuideText {
  readonly text: string
  /** A page of the documentation, as `guides/redaction` or `people/staff`; null for plain text. */
  readonly page: string | null
}

export interface Guide {
  readonly title: string
  readonly addresses: readonly string[]
  readonly paragraphs: readonly (readonly GuideText[])[]
}

export function guidesIn(markdown: string): readonly Guide[] {
  const [, ...sections] = markdown.split(/^## /m)
  return sections.map((section) => {
    const [title = '', addresses = '', ...paragraphs] = section.trim().split(/\n{2,}/)
    return {
      title: title.trim(),
      addresses: [...addresses.matchAll(/`([^`]+)`/g)].map(([, address]) => address as string),
      paragraphs: paragraphs.map((paragraph) => textsOf(paragraph.replaceAll('\n', ' '))),
    }
  })
}

function textsOf(paragraph: string): readonly GuideText[] {
  return paragraph
    .split(/(\[[^\]]+\]\((?:\.\.\/[\w-]+\/)?[\w-]+\.md\))/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, text, folder = 'guides', name] = /^\[([^\]]+)\]\((?:\.\.\/([\w-]+)\/)?([\w-]+)\.md\)$/.exec(part) ?? []
      return text === undefined ? { text: part, page: null } : { text, page: `${folder}/${name}` }
    })
}

/** The guide with the longest address that the page's address begins with, step by step. */
export function guideOf(guides: readonly Guide[], pathname: string): Guide | null {
  const here = stepsOf(pathname)
  let best: { readonly guide: Guide; readonly weight: number } | null = null
  for (const guide of guides) {
    for (const address of guide.addresses) {
      const steps = stepsOf(address)
      const fits = steps.every((step, at) => (step.startsWith('{') ? here[at] !== undefined : step === here[at]))
      // A step that is named weighs more than a place for any.
      const weight = steps.length + steps.filter((step) => !step.startsWith('{')).length / 100
      if (fits && weight > (best?.weight ?? 0)) best = { guide, weight }
    }
  }
  return best?.guide ?? null
}

const stepsOf = (address: string): readonly string[] => (address.split('?')[0] ?? '').split('/').filter(Boolean)
