/** Search in the browser: one file with every section of the site in one language, read when the window is opened. */

import { indexOf, type Section, search } from './ranking.ts'

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The text around the first of the words that it has; a word without its Korean ending counts too. */
function excerpt(text: string, words: readonly string[]): string {
  const body = folded(text)
  const places = words.map((word) => Math.max(body.indexOf(word), body.indexOf(word.slice(0, -1) || word)))
  const at = Math.min(...places.filter((place) => place >= 0), text.length) % (text.length || 1)
  const from = at < 60 ? 0 : text.indexOf(' ', at - 40) + 1
  const [whole = ''] = /^.{0,160}(?=\s|$)/.exec(text.slice(from)) ?? []
  return `${from > 0 ? '… ' : ''}${whole}${from + whole.length < text.length ? ' …' : ''}`
}

class DocsSearch extends HTMLElement {
  #index: ReturnType<typeof indexOf> | undefined

  connectedCallback(): void {
    const dialog = this.querySelector('dialog') as HTMLDialogElement
    const input = this.querySelector('input') as HTMLInputElement
    const open = () => {
      this.#index ??= fetch(this.dataset.index as string)
        .then((answer) => answer.json())
        .then(indexOf)
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
    const index = await this.#index
    // A slower answer to an earlier text must not replace that to the present one.
    if (!index || query !== this.querySelector('input')?.value) return
    const found = words.length === 0 ? [] : search(index, query)
    list.replaceChildren(...found.map((section) => this.#line(section, words)))
    if (words.length > 0 && found.length === 0) {
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
