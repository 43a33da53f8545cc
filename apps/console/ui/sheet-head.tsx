/** The name on a sheet. A phone shows the way back to the list above it. */
import type { ReactNode } from 'react'
import { useNarrow } from './narrow.ts'

interface Properties {
  readonly name: string
  readonly back: string
  readonly onBack: () => void
  readonly children?: ReactNode
}

/** A phone hides the list beside the sheet, and the heading of the page with it. */
export function SheetName({ name, className }: { readonly name: string; readonly className: string }) {
  const Heading = useNarrow() ? 'h1' : 'h2'
  return <Heading className={className}>{name}</Heading>
}

export const SheetHead = ({ name, back, onBack, children }: Properties) => (
  <>
    <button type="button" className="quiet back" onClick={onBack}>
      ← {back}
    </button>
    <SheetName name={name} className="name-line" />
    {children && <p>{children}</p>}
  </>
)
