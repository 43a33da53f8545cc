/** How many words of a line fit beside the button that holds the others. */
import { useCallback, useRef, useState } from 'react'

const widthOf = (element: Element): number => element.getBoundingClientRect().width

/** Each copy is as wide as its word; the last one is the button's. */
export function fittingCount(copies: readonly number[], gap: number, room: number, hasMore: boolean): number {
  const words = copies.slice(0, -1)
  const button = copies.at(-1) ?? 0
  const all = words.reduce((sum, width) => sum + width + gap, hasMore ? button : -gap)
  if (all <= room) return words.length
  let left = room - button
  return words.findIndex((width) => {
    left -= width + gap
    return left < 0
  })
}

/** Of the line itself, and of the copies in it that nobody sees. */
export function useFitting(count: number, hasMore: boolean) {
  const [fitting, setFitting] = useState(count)
  const observer = useRef<ResizeObserver>(undefined)
  const ref = useCallback(
    (copies: HTMLElement | null) => {
      observer.current?.disconnect()
      const line = copies?.parentElement
      if (!copies || !line) return
      const measure = () => {
        const gap = Number.parseFloat(getComputedStyle(line).columnGap) || 0
        const widths = [...copies.children].map(widthOf)
        setFitting(fittingCount(widths, gap, line.clientWidth, hasMore))
      }
      // Words grow when their font arrives, and the line when the name at its end does.
      observer.current = new ResizeObserver(measure)
      observer.current.observe(line)
      observer.current.observe(copies)
      measure()
    },
    [hasMore],
  )
  return { ref, fitting: Math.min(fitting, count) }
}
