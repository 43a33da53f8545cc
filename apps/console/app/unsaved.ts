/** What a person has typed on a page and not sent. Whatever can lose it asks first. */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Fields that look for something lose nothing. */
const isKept = (field: Element): field is Field =>
  field.matches('input, textarea, select') &&
  !field.matches('[type=search], [type=submit], [type=button], [type=file], [role=combobox], form[role=search] *')

const contentOf = (field: Field): string =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')
    ? String(field.checked)
    : field.value

/** The other choices of a radio button change with it. */
function choicesOf(field: Field): readonly Field[] {
  if (!(field instanceof HTMLInputElement) || field.type !== 'radio' || field.name === '') return [field]
  const all = (field.form ?? field.ownerDocument).querySelectorAll<HTMLInputElement>('input[type=radio]')
  return [...all].filter(({ name }) => name === field.name)
}

const isRefused = (field: Field): boolean =>
  [...(field.form?.querySelectorAll('[role=alert]') ?? [])].some(({ textContent }) => textContent !== '')

interface Seen {
  /** Before the person changed it. */
  readonly first: string
  sent?: string
}

const watched = new Set<() => boolean>()
/** Whether leaving would lose something. */
export const anyUnsaved = (): boolean => [...watched].some((isTyped) => isTyped())

/** Something unsaved that is no field, as a policy that was put together. Returns how to end. */
export function watchDraft(isUnsaved: () => boolean): () => void {
  watched.add(isUnsaved)
  return () => watched.delete(isUnsaved)
}

export interface Watch {
  readonly isTyped: () => boolean
  readonly end: () => void
}

/**
 * Watches the fields of forms below an element. What was sent counts as saved, unless the form shows why the server refused it. A
 * page can have fields that act as they change; those have no form with a button that sends it.
 */
export function watchFields(scope: HTMLElement, counts: (field: Field) => boolean): Watch {
  const fields = new Map<Field, Seen>()
  const begin = ({ target }: Event) => {
    const field = target as Element
    // A dialog watches its own.
    if (!isKept(field) || !counts(field) || (field.closest('dialog') ?? scope) !== (scope.closest('dialog') ?? scope))
      return
    for (const each of choicesOf(field)) if (!fields.has(each)) fields.set(each, { first: contentOf(each) })
  }
  const send = ({ target }: Event) => {
    for (const [field, seen] of fields) if (field.form === target) seen.sent = contentOf(field)
  }
  const isTyped = () =>
    [...fields].some(([field, { first, sent }]) => {
      const now = contentOf(field)
      return field.isConnected && now !== first && (now !== sent || isRefused(field))
    })
  scope.addEventListener('focusin', begin)
  scope.addEventListener('pointerdown', begin)
  scope.addEventListener('submit', send)
  watched.add(isTyped)
  return {
    isTyped,
    end() {
      scope.removeEventListener('focusin', begin)
      scope.removeEventListener('pointerdown', begin)
      scope.removeEventListener('submit', send)
      watched.delete(isTyped)
    },
  }
}
