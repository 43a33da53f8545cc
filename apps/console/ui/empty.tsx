/** Nothing is here yet: what to do so that something is. */
import type { ReactNode } from 'react'

interface Properties {
  readonly title: string
  readonly children?: ReactNode
}

export const Empty = ({ title, children }: Properties) => (
  <section className="empty">
    <h2>{title}</h2>
    {children}
  </section>
)
