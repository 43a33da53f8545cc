/** Which values of a decision have been in view on its sheet. They stay read until the decision changes. */
import { readingOf } from '@countersign/design/reading.ts'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

export interface Progress {
  readonly done: number
  readonly total: number
}

interface Watched {
  readonly progress: Progress
  /** Everything was in view, and long enough ago that a press is meant for what the button says now. */
  isRead(): boolean
  /** Scrolls to what has not been in view. */
  ahead(): void
}

const pauseMs = 600
const none: Progress = { done: 0, total: 1 }

/**
 * `of` names what is shown: another decision, other policies or another language are read again. On a wide screen the sheet
 * scrolls by itself, on a phone the page does; the bar with the buttons and the head of the page cover a part of both.
 */
export function useReading(
  of: string,
  sheet: RefObject<HTMLElement | null>,
  bar: RefObject<HTMLElement | null>,
): Watched {
  const [progress, setProgress] = useState(none)
  const read = useRef({ of, pointers: new Set<string>(), since: Number.POSITIVE_INFINITY })
  const go = useRef(() => {})

  useEffect(() => {
    const [own, below] = [sheet.current, bar.current]
    if (!own || !below) return
    if (read.current.of !== of) read.current = { of, pointers: new Set(), since: Number.POSITIVE_INFINITY }
    const { pointers } = read.current
    const values = [...own.querySelectorAll<HTMLElement>('[data-v]')]
    const isRead = ({ dataset }: HTMLElement) => pointers.has(dataset.v as string)
    const band = () => {
      const head = document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0
      return { top: Math.max(head, own.getBoundingClientRect().top), bottom: below.getBoundingClientRect().top }
    }
    const reading = readingOf(
      values.filter((value) => !isRead(value)),
      band,
    )
    const look = () => {
      if (document.visibilityState !== 'visible') return
      for (const { dataset } of reading.look()) pointers.add(dataset.v as string)
      const done = values.filter(isRead).length
      if (done === values.length) read.current.since = Math.min(read.current.since, Date.now())
      setProgress((before) =>
        before.done === done && before.total === values.length ? before : { done, total: values.length },
      )
    }
    go.current = () => {
      const scroller = own.scrollHeight > own.clientHeight + 1 ? own : window
      const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
      scroller.scrollBy({ top: reading.ahead(), behavior })
    }
    const sizes = new ResizeObserver(look)
    for (const each of [own, below, ...own.children]) sizes.observe(each)
    // Scrolling of the sheet does not bubble.
    document.addEventListener('scroll', look, { capture: true, passive: true })
    document.addEventListener('visibilitychange', look)
    return () => {
      sizes.disconnect()
      document.removeEventListener('scroll', look, { capture: true })
      document.removeEventListener('visibilitychange', look)
    }
  }, [of, sheet, bar])

  return {
    progress,
    isRead: () => Date.now() - read.current.since >= pauseMs,
    ahead: useCallback(() => go.current(), []),
  }
}
