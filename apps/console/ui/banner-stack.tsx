/** Bands at the top of a page: the first one, until the person asks for the others. */
import { type ReactNode, useState } from 'react'
import { StopSquare } from './stop.tsx'
import { useUiWords } from './words.ts'

export interface Banner {
  readonly key: string
  readonly tone: 'broken' | 'waiting' | 'stopped'
  readonly text: string
  readonly more?: string | undefined
  readonly act?: ReactNode
}

const maxShown = 1

/** The most severe first. */
export function BannerStack({ banners }: { readonly banners: readonly Banner[] }) {
  const say = useUiWords()
  const [all, setAll] = useState(false)
  const shown = all ? banners : banners.slice(0, maxShown)
  const hidden = banners.length - shown.length
  if (banners.length === 0) return null
  return (
    <section className="banners" aria-label={say('notices')}>
      {shown.map(({ key, tone, text, more, act }) => (
        <div key={key} className="stop-band" role="status">
          {tone === 'stopped' && <StopSquare />}
          <p className={tone === 'stopped' ? undefined : tone}>
            <b>
              {tone !== 'stopped' && <span aria-hidden="true">{tone === 'broken' ? '✕ ' : '◷ '}</span>}
              {text}
            </b>{' '}
            {more && <span className="soft">{more}</span>}
          </p>
          {act}
        </div>
      ))}
      {(hidden > 0 || (all && banners.length > maxShown)) && (
        <button type="button" className="quiet banners-more" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? say('noticesLess') : say('noticesMore', { count: hidden })}
        </button>
      )}
    </section>
  )
}
