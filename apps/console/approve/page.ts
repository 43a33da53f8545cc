/** The frame of every page: its head, its language, what is announced, and where the focus goes. */
import { markDrawing } from '@countersign/design/mark.ts'
import type { Language, Say } from '@countersign/words/say.ts'
import { neutralTerms, type Terms, termValues } from '@countersign/words/terms.ts'
import { languageStore, speak } from '../app/language.ts'
import { byId, type Child, make, picture } from './dom.ts'
import { ownSite } from './site.ts'
import { saidWith, type Word } from './words.ts'

let redraw: () => void = () => {}
languageStore.subscribe(() => redraw())

let said = saidWith(neutralTerms)
let terms: Terms = neutralTerms

/** Once the center of the decision is known. */
export const speakAs = (own: Terms): void => {
  terms = own
  said = saidWith(own)
}

export const spoken = languageStore.get
export const termsSpoken = () => termValues(terms, spoken())
export const say: Say<Word> = (key, values) => said[spoken()](key, values)

export interface View {
  readonly title: string
  /** The name of a center, where the page is about one. */
  readonly owner?: string | undefined
  readonly end?: Child
  readonly body: Child
  /** Stands at the bottom and stays in sight. */
  readonly act?: Child
  readonly className?: string
}

function languageSwitch(): HTMLElement {
  const choose = (to: Language) => () => {
    speak(to)
    byId(`say-${to}`)?.focus()
  }
  return make(
    'div',
    { class: 'languages', role: 'group', 'aria-label': say('language') },
    (['ko', 'en'] as const).map((each) =>
      make(
        'button',
        {
          type: 'button',
          class: 'quiet',
          id: `say-${each}`,
          lang: each,
          'aria-pressed': String(each === spoken()),
          click: choose(each),
        },
        said[each]('languageName'),
      ),
    ),
  )
}

/** Draws a view, and again in the other language. A new view takes the focus, so that it is read from its heading. */
export function show(view: () => View, { quiet = false, drawn = () => {} } = {}): void {
  redraw = () => show(view, { quiet: true, drawn })
  const { title, owner, end, body, act, className = '' } = view()
  document.documentElement.lang = spoken()
  const site = ownSite()
  const brand = site ? site.name : say('brand')
  document.title = brand === '' ? title : `${title} · ${brand}`
  const main = make('main', {}, body)
  byId('page').replaceChildren(
    make(
      'div',
      { class: `sheet ${className}`.trim() },
      make(
        'header',
        { class: 'head' },
        make('p', { class: 'brand' }, site ? null : picture(markDrawing({ label: '', size: 24 })), owner ?? brand),
        end ?? null,
      ),
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
  const says = (text: Word) => () => {
    byId('live').textContent = say(text)
    show(() => ({ title: say('loading'), body: make('p', { class: 'loading soft' }, say(text)) }), { quiet: true })
  }
  const timers = [setTimeout(says('loading'), 300), setTimeout(says('slow'), 5000)]
  try {
    return await work
  } finally {
    for (const timer of timers) clearTimeout(timer)
    byId('live').textContent = ''
  }
}
