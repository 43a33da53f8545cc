/** The frame of every page: its head, its language, what is announced, and where the focus goes. */
import { jointDrawing } from '@countersign/design/joint.ts'
import { type Language, languageOf, languages, say, type Words } from '../words.ts'
import { byId, type Child, make } from './dom.ts'
import { picture } from './pictures.ts'

const kept = 'countersign-language'

/** Storage may be switched off. */
function storedLanguage(): string | null {
  try {
    return localStorage.getItem(kept)
  } catch {
    return null
  }
}

let language: Language = languageOf([storedLanguage() ?? '', ...navigator.languages])
let redraw: () => void = () => {}

export const spoken = (): Language => language
export const words = (): Words => languages[language]
export const told = (key: keyof Words, values: Readonly<Record<string, string | number>>): string =>
  say(words()[key], values)

export interface View {
  readonly title: string
  /** The name of a center, where the page is about one. */
  readonly owner?: string | undefined
  readonly end?: Child
  readonly body: Child
  /** Stands at the bottom and stays in sight. */
  readonly act?: Child
  readonly className?: string
  /** A large mark over the page, where it has little to say. */
  readonly band?: boolean
}

function languageSwitch(): HTMLElement {
  const choose = (to: Language) => () => {
    language = to
    try {
      localStorage.setItem(kept, to)
    } catch {
      // The choice then lasts as long as the page.
    }
    redraw()
    byId(`say-${to}`)?.focus()
  }
  return make(
    'div',
    { class: 'languages', role: 'group', 'aria-label': words().language },
    (['ko', 'en'] as const).map((each) =>
      make(
        'button',
        {
          type: 'button',
          class: 'quiet',
          id: `say-${each}`,
          lang: each,
          'aria-pressed': String(each === language),
          click: choose(each),
        },
        languages[each].languageName,
      ),
    ),
  )
}

/** The joint seal of the service itself. */
const mark = (size: number): SVGElement =>
  picture(jointDrawing({ hashA: 'countersign', hashB: 'countersign', size, label: '' }))

/** Draws a view, and again in the other language. A new view takes the focus, so that it is read from its heading. */
export function show(view: () => View, { quiet = false, drawn = () => {} } = {}): void {
  redraw = () => show(view, { quiet: true, drawn })
  const { title, owner, end, body, act, className = '', band = false } = view()
  document.documentElement.lang = language
  document.title = `${title} · ${words().brand}`
  const main = make('main', {}, body)
  byId('page').replaceChildren(
    make(
      'div',
      { class: `sheet ${className}`.trim() },
      make('header', { class: 'head' }, make('p', { class: 'brand' }, mark(24), owner ?? words().brand), end ?? null),
      band && make('div', { class: 'band' }, mark(200)),
      main,
      make('footer', { class: 'foot' }, languageSwitch()),
      act ?? null,
    ),
  )
  drawn()
  if (quiet) return
  const heading = main.querySelector<HTMLElement>('h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
  window.scrollTo(0, 0)
}

export const announce = (text: string): void => {
  byId('live').textContent = text
}

/** A page with a heading, a sentence or two, and what can be done. */
export const notice = (title: string, text: readonly string[], ...actions: readonly Child[]): View => ({
  title,
  body: [
    make('h1', { class: 'notice-title' }, title),
    text.map((each) => make('p', { class: 'notice-text' }, each)),
    actions.length > 0 && make('div', { class: 'actions' }, actions),
  ],
})

/** Nothing for a moment, then that it loads, then that it is slow. */
export async function loading<T>(work: Promise<T>): Promise<T> {
  const says = (text: keyof Words) => () => {
    byId('live').textContent = words()[text]
    show(() => ({ title: words().loading, body: make('p', { class: 'loading soft' }, words()[text]) }), { quiet: true })
  }
  const timers = [setTimeout(says('loading'), 300), setTimeout(says('slow'), 5000)]
  try {
    return await work
  } finally {
    for (const timer of timers) clearTimeout(timer)
    byId('live').textContent = ''
  }
}
