/** Which values of a decision have been in view. They stay read until the decision changes. */
import { readingOf } from '@countersign/design/reading.ts'

export interface Read {
  /** What was shown: another decision, other policies or another language are read anew. */
  readonly of: string
  readonly pointers: Set<string>
  /** When the last value came into view. */
  since: number
}

export const unread = (of = ''): Read => ({ of, pointers: new Set(), since: Number.POSITIVE_INFINITY })

/** A press that was meant to go on reading does not approve. */
const pauseMs = 600
export const mayApprove = ({ since }: Read): boolean => Date.now() - since >= pauseMs

export interface Watching {
  /** Scrolls to what has not been in view. */
  ahead(): void
  stop(): void
}

/**
 * Watches the values below `root`, as far as the bar with the buttons and a head that stays, down to `top`, do not cover them.
 * On a wide screen a sheet may scroll by itself, on a phone the page does.
 */
export function watchReading(
  read: Read,
  root: HTMLElement,
  bar: HTMLElement,
  top: () => number,
  changed: (done: number, total: number) => void,
): Watching {
  const values = [...root.querySelectorAll<HTMLElement>('[data-v]')]
  const isRead = ({ dataset }: HTMLElement) => read.pointers.has(dataset.v as string)
  const reading = readingOf(
    values.filter((value) => !isRead(value)),
    () => ({ top: top(), bottom: bar.getBoundingClientRect().top }),
  )
  const look = () => {
    if (document.visibilityState !== 'visible') return
    for (const { dataset } of reading.look()) read.pointers.add(dataset.v as string)
    const done = values.filter(isRead).length
    if (done === values.length) read.since = Math.min(read.since, Date.now())
    changed(done, values.length)
  }
  const sizes = new ResizeObserver(look)
  for (const each of [root, bar, ...root.children]) sizes.observe(each)
  // Scrolling of a sheet does not bubble.
  document.addEventListener('scroll', look, { capture: true, passive: true })
  document.addEventListener('visibilitychange', look)
  return {
    ahead() {
      const scroller = root.scrollHeight > root.clientHeight + 1 ? root : window
      const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
      scroller.scrollBy({ top: reading.ahead(), behavior })
    },
    stop() {
      sizes.disconnect()
      document.removeEventListener('scroll', look, { capture: true })
      document.removeEventListener('visibilitychange', look)
    },
  }
}
