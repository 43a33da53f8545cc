/** The page before the desk: one seal across the edge of two sheets, and a form on the right one. */
import type { ReactNode } from 'react'
import { speak, useLanguage } from '../../app/i18n.ts'
import { useTitle } from '../../ui/desk.tsx'
import { Mark } from '../../ui/picture.tsx'
import './entry.css'
import { useEntryWords } from './words.ts'

interface Properties {
  readonly title: string
  readonly lede?: string
  /** In place of our name, on the domain of a center. */
  readonly brand?: string
  readonly children: ReactNode
}

export function EntryFrame({ title, lede, brand = 'Countersign', children }: Properties) {
  const say = useEntryWords()
  const language = useLanguage()
  useTitle(title)
  return (
    <div className="entry">
      <header className="entry-paper">
        <p className="entry-brand">
          <Mark /> {brand}
        </p>
        <p className="entry-motto soft">{say('motto')}</p>
      </header>
      <div className="entry-seal" aria-hidden="true">
        <Mark size={340} />
      </div>
      <main className="entry-sheet">
        <div className="entry-form">
          <h1>{title}</h1>
          {lede && <p className="soft">{lede}</p>}
          {children}
        </div>
        <p className="entry-foot">
          {(['ko', 'en'] as const).map((each) => (
            <button
              key={each}
              type="button"
              lang={each}
              className="quiet"
              aria-pressed={each === language}
              onClick={() => void speak(each)}
            >
              {each === 'ko' ? '한국어' : 'English'}
            </button>
          ))}
        </p>
      </main>
    </div>
  )
}
