/** The page before the desk: one seal across the edge of two sheets, and a form on the right one. */
import type { ReactNode } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { speak } from '../../app/language.ts'
import { useSite } from '../../app/site.ts'
import { Brand, bandOf } from '../../ui/brand.tsx'
import { useTitle } from '../../ui/desk.tsx'
import { Mark } from '../../ui/picture.tsx'
import './entry.css'
import { useEntryWords } from './words.ts'

interface Properties {
  readonly title: string
  readonly lede?: string
  readonly children: ReactNode
}

export function EntryFrame({ title, lede, children }: Properties) {
  const say = useEntryWords()
  const language = useLanguage()
  const { className = '', style } = bandOf(useSite().data)
  useTitle(title)
  return (
    <div className={`entry ${className}`} style={style}>
      <header className="entry-paper">
        <p className="entry-brand">
          <Brand />
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
              onClick={() => speak(each)}
            >
              {each === 'ko' ? '한국어' : 'English'}
            </button>
          ))}
        </p>
      </main>
    </div>
  )
}
