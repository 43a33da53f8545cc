/** A part that nobody sees before a press, in a file of its own that loads with the press. */
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

export function later<P extends object>(load: () => Promise<ComponentType<P>>, meanwhile: ReactNode = null) {
  const Part = lazy(async () => ({ default: await load() }))
  return (properties: P) => (
    <Suspense fallback={meanwhile}>
      <Part {...properties} />
    </Suspense>
  )
}
