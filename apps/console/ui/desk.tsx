/** How a view is laid out: a list of 360 beside a sheet of 720, and notes in the margin; its name is at the left of each. */
import { type ReactNode, type Ref, useEffect } from 'react'
import { useBrandName } from './brand.tsx'
import { useUiWords } from './words.ts'

/** The name of the view in the tab of the browser. */
export function useTitle(title: string): void {
  const brand = useBrandName()
  useEffect(() => {
    document.title = brand === '' ? title : `${title} · ${brand}`
  }, [title, brand])
}

interface DeskProperties {
  readonly list: ReactNode
  readonly listLabel: string
  /** Without a sheet, a phone shows the list; with one, the sheet. */
  readonly sheet?: ReactNode
  /** A phone shows the list above the sheet: it is short. */
  readonly keepList?: boolean
  readonly margin?: ReactNode
  /** List and sheet scroll by themselves, so that the buttons belong to what is in sight. */
  readonly own?: boolean
}

export const Desk = ({ list, listLabel, sheet, margin, keepList = false, own = false }: DeskProperties) => (
  <div className={['desk', sheet && !keepList ? 'with-sheet' : '', own ? 'own' : ''].filter(Boolean).join(' ')}>
    <section className="tray" aria-label={listLabel}>
      {list}
    </section>
    {sheet}
    {margin && <Notes>{margin}</Notes>}
  </div>
)

/** On a phone the list is above it and no sheet between: its parts need a heading of their own to be below. */
function Notes({ children }: { readonly children: ReactNode }) {
  const say = useUiWords()
  return (
    <aside className="note">
      <h2 className="unseen">{say('notes')}</h2>
      {children}
    </aside>
  )
}

interface SheetProperties {
  readonly children: ReactNode
  /** Stays at the bottom under the one heavy line. */
  readonly act?: ReactNode
  /** The same, where it is an element of its own. */
  readonly bar?: ReactNode
  readonly label?: string
  readonly ref?: Ref<HTMLElement>
}

export const Sheet = ({ children, act, bar, label, ref }: SheetProperties) => (
  // It scrolls by itself, also with the keyboard.
  <article className="sheet" aria-label={label} ref={ref} tabIndex={ref ? 0 : undefined}>
    {children}
    {act && <div className="act">{act}</div>}
    {bar}
  </article>
)

interface PageProperties {
  readonly title: string
  readonly lede?: ReactNode
  /** Buttons below the title. */
  readonly actions?: ReactNode
  /** Pages beside this one, below the title. */
  readonly contents?: ReactNode
  /** What needs the whole width: a week, a chain. */
  readonly wide?: boolean
  readonly children: ReactNode
}

/** A view without a list: what it is stands where a list would, and a table or a form on the sheet beside it. */
export function Page({ title, lede, actions, contents, wide = false, children }: PageProperties) {
  useTitle(title)
  return (
    <div className={wide ? 'desk wide' : 'desk two'}>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {lede && <p className="soft">{lede}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
        {contents}
      </header>
      <div className="page">{children}</div>
    </div>
  )
}

interface PartProperties {
  readonly title: string
  /** Small, at the right of the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A part of a sheet, under a hairline. */
export const Part = ({ title, aside, children }: PartProperties) => (
  <section className="part">
    <h2>
      {title}
      {aside && <small>{aside}</small>}
    </h2>
    {children}
  </section>
)
