/** Watches what is typed below an element. */
import { type RefObject, useEffect, useRef } from 'react'
import { type Watch, watchDraft, watchFields } from '../app/unsaved.ts'

export function useUnsaved(scope: RefObject<HTMLElement | null>, counts: Parameters<typeof watchFields>[1]) {
  const watch = useRef<Watch | null>(null)
  const rule = useRef(counts)
  rule.current = counts
  useEffect(() => {
    if (!scope.current) return
    watch.current = watchFields(scope.current, (field) => rule.current(field))
    return () => watch.current?.end()
  }, [scope])
  return () => watch.current?.isTyped() ?? false
}

/** Whether a draft that is no form would be lost. It is set where the draft changes: what saves it leaves the page in the same moment. */
export function useDraft(): RefObject<boolean> {
  const isUnsaved = useRef(false)
  useEffect(() => watchDraft(() => isUnsaved.current), [])
  return isUnsaved
}
