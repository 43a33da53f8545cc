/** Data as it was sent, as text: nothing of it becomes markup or a link. */
import { shownJson } from '@countersign/proof/shown.ts'

interface Properties {
  readonly value: unknown
  readonly label: string
}

export const JsonView = ({ value, label }: Properties) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <section className="code" aria-label={label} tabIndex={0}>
    {shownJson(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}
  </section>
)
