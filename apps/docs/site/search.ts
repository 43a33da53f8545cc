/** Search in the browser: one file with every section of the site in one language, read when the window is opened. */

interface Section {
  readonly page: string
  readonly heading: string
  readonly address: string
  readonly text: string
}

const most = 20

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** A word in the title of the page or the heading counts more than in the text; every word of the query must be found. */
function score({ page, heading, text }: Section, words: readonly string[]): number {
  let sum = 0
  const [title, head, body] = [folded(page), folded(heading), folded(text)]
  for (const word of words) {
    const inHead = head === word ? 120 : head.includes(word) ? 40 : 0
    const inTitle = title.includes(word) ? 15 : 0
    const inText = Math.min(body.split(word).length - 1, 5) * 2
    if (inHead + inTitle + inText === 0) return 0
    sum += inHead + inTitle + inText
  }
  return sum
}

function excerpt(text: string, [word = '']: readonly string[]): string {
  const at = Math.max(0, folded(text).indexOf(word))
  const from = at < 60 ? 0 : text.indexOf(' ', at - 40) + 1
  const [whole = ''] = /^.{0,160}(?=\s|$)/.exec(text.slice(from)) ?? []
  return `${from > 0 ? '… ' : ''}${whole}${from + whole.length < text.length ? ' …' : ''}`
}

class DocsSearch extends HTMLElement {
  #sections: Promise<readonly Section[]> | undefined

  connectedCallback(): void {
    const dialog = this.querySelector('dialog') as HTMLDialogElement
    const input = this.querySelector('input') as HTMLInputElement
    const open = () => {
      this.#sections ??= fetch(this.dataset.index as string).then((answer) => answer.json())
      dialog.showModal()
      input.select()
    }
    this.querySelector('.open-search')?.addEventListener('click', open)
    document.addEventListener('keydown', (event) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
      const asked = (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !typing)
      if (!asked) return
      event.preventDefault()
      if (!dialog.open) open()
    })
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog || (event.target as Element).closest('a')) dialog.close()
    })
    input.addEventListener('input', () => void this.#show(input.value))
    // Enter opens the first result instead of closing the window.
    this.querySelector('form')?.addEventListener('submit', (event) => {
      if (event.submitter) return
      event.preventDefault()
    })
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      this.querySelector<HTMLAnchorElement>('ol a')?.click()
    })
  }

  async #show(query: string): Promise<void> {
    const list = this.querySelector('ol') as HTMLOListElement
    const words = folded(query).split(/\s+/).filter(Boolean)
    const sections = (await this.#sections) ?? []
    const found = words.length === 0 ? [] : sections.map((section) => ({ section, points: score(section, words) }))
    const best = found
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)
      .slice(0, most)
    list.replaceChildren(...best.map(({ section }) => this.#line(section, words)))
    if (words.length > 0 && best.length === 0) {
      const line = document.createElement('li')
      line.textContent = this.dataset.none as string
      list.replaceChildren(line)
    }
  }

  #line({ page, heading, address, text }: Section, words: readonly string[]): HTMLLIElement {
    const [line, link, where, what] = ['li', 'a', 'span', 'span'].map((name) => document.createElement(name)) as [
      HTMLLIElement,
      HTMLAnchorElement,
      HTMLSpanElement,
      HTMLSpanElement,
    ]
    link.href = address
    where.className = 'where'
    where.textContent = heading !== page ? `${page} / ${heading}` : page
    what.className = 'what'
    what.textContent = excerpt(text, words)
    link.append(where, what)
    line.append(link)
    return line
  }
}
customElements.define('docs-search', DocsSearch)
