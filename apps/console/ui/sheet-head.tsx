/** The name on a sheet. A phone shows the way back to the list above it. */
import type { ReactNode } from 'react'

interface Properties {
  readonly name: string
  readonly back: string
  readonly onBack: () => void
  readonly children?: ReactNode
}

export const SheetHead = ({ name, back, onBack, children }: Properties) => (
  <>
    <button type="button" className="quiet back" onClick={onBack}>
      ← {back}
    </button>
    <h2 className="name-line">{name}</h2>
    {children && <p>{children}</p>}
  </>
)
