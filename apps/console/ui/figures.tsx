/** Names and figures, one pair a line. */
import type { ReactNode } from 'react'

export const Figures = ({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="figures">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
