/** The control of a form that a refusal names is marked, described by the refusal and in sight. */
import { type RefObject, useLayoutEffect, useState } from 'react'
import { fieldNames } from './field-names.ts'

const controls = 'input, textarea, select, button, [tabindex]'

/** A control has the name of its field in the request, as `name` or `data-field`. */
function controlOf(scope: Element, field: string): HTMLElement | null {
  for (const name of fieldNames(field).map((each) => CSS.escape(each))) {
    const found = scope.querySelector<HTMLElement>(`[name="${name}"], [data-field="${name}"]`)
    if (found) return found.matches(controls) ? found : (found.querySelector<HTMLElement>(controls) ?? found)
  }
  return null
}

/** Where the refusal goes: below the control, in what holds its label. Null without such a control. */
export function useMarked(
  line: RefObject<HTMLElement | null>,
  field: string | null,
  describedBy: string,
): Element | null {
  const [place, setPlace] = useState<Element | null>(null)
  useLayoutEffect(() => {
    // A line can stand in its form or below it.
    const scope = field === null ? null : (line.current?.closest('form, dialog') ?? line.current?.parentElement)
    const control = scope && field !== null ? controlOf(scope, field) : null
    setPlace(control?.closest('.labeled') ?? control?.parentElement ?? null)
    if (!control) return
    const before = control.getAttribute('aria-describedby')
    control.setAttribute('aria-invalid', 'true')
    control.setAttribute('aria-describedby', [before, describedBy].filter(Boolean).join(' '))
    control.focus()
    return () => {
      control.removeAttribute('aria-invalid')
      if (before === null) control.removeAttribute('aria-describedby')
      else control.setAttribute('aria-describedby', before)
    }
  }, [line, field, describedBy])
  return place
}
