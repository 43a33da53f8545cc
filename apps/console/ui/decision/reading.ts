/** Which values have been in view on a sheet of the console. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { mayApprove, unread, type Watching, watchReading } from '../../decision/reading.ts'

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

const none: Progress = { done: 0, total: 1 }

/** `of` names what is shown: another decision, other policies or another language are read again. */
export function useReading(
  of: string,
  sheet: RefObject<HTMLElement | null>,
  bar: RefObject<HTMLElement | null>,
): Watched {
  const [progress, setProgress] = useState(none)
  const read = useRef(unread(of))
  const watching = useRef<Watching>(null)

  useEffect(() => {
    const [own, below] = [sheet.current, bar.current]
    if (!own || !below) return
    if (read.current.of !== of) read.current = unread(of)
    // The head of the page stays in sight.
    const top = () =>
      Math.max(document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0, own.getBoundingClientRect().top)
    const begun = watchReading(read.current, own, below, top, (done, total) =>
      setProgress((before) => (before.done === done && before.total === total ? before : { done, total })),
    )
    watching.current = begun
    return begun.stop
  }, [of, sheet, bar])

  return {
    progress,
    isRead: () => mayApprove(read.current),
    ahead: useCallback(() => watching.current?.ahead(), []),
  }
}
