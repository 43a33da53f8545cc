/** Which values of the decision have been in view on this page. They stay read until the decision changes. */
import { readingOf } from '@countersign/design/reading.ts'

export interface Read {
  /** What was shown: another decision, other policies or another language are read anew. */
  readonly of: string
  readonly pointers: Set<string>
}

export interface Watching {
  /** Scrolls to what has not been in view. */
  ahead(): void
  stop(): void
}

/** Watches the values on the page, as far as the bar with the buttons does not cover them. */
export function watchReading(read: Read, bar: HTMLElement, changed: (done: number, total: number) => void): Watching {
  const values = [...document.querySelectorAll<HTMLElement>('[data-v]')]
  const left = values.filter(({ dataset }) => !read.pointers.has(dataset.v as string))
  const reading = readingOf(left, () => ({ top: 0, bottom: bar.getBoundingClientRect().top }))
  const look = () => {
    if (document.visibilityState !== 'visible') return
    for (const { dataset } of reading.look()) read.pointers.add(dataset.v as string)
    changed(values.filter(({ dataset }) => read.pointers.has(dataset.v as string)).length, values.length)
  }
  const sizes = new ResizeObserver(look)
  sizes.observe(document.body)
  sizes.observe(bar)
  addEventListener('scroll', look, { passive: true })
  document.addEventListener('visibilitychange', look)
  return {
    ahead() {
      const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
      scrollBy({ top: reading.ahead(), behavior })
    },
    stop() {
      sizes.disconnect()
      removeEventListener('scroll', look)
      document.removeEventListener('visibilitychange', look)
    },
  }
}
