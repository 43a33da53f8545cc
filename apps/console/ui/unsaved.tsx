/** Asks before a page, or the object on its sheet, is left with something that was not sent. */
import { useBlocker } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { anyUnsaved } from '../app/unsaved.ts'
import { Dialog } from './dialog.tsx'
import { anyKept } from './kept.ts'
import { useUnsaved } from './use-unsaved.ts'
import { useUiWords } from './words.ts'

/** On a page, what has a button that sends it. */
const isSent = ({ form }: { readonly form: HTMLFormElement | null }): boolean =>
  form !== null && form.querySelector('button[type=submit]') !== null

/** What names the object on the sheet in an address. Other parameters change the list beside it, which loses nothing. */
const chosenBy: readonly string[] = [
  ...['agent', 'booking', 'center', 'child', 'freeze', 'group', 'id', 'instructor', 'member', 'partner', 'passkey'],
  ...['policy', 'show', 'type', 'workflow'],
]

interface Place {
  readonly pathname: string
  readonly search: object
}

function isLeft(current: Place, next: Place): boolean {
  const [before, after]: readonly Readonly<Record<string, unknown>>[] = [{ ...current.search }, { ...next.search }]
  return current.pathname !== next.pathname || chosenBy.some((name) => before?.[name] !== after?.[name])
}

export function LeaveGuard({ page }: { readonly page: RefObject<HTMLElement | null> }) {
  const say = useUiWords()
  useUnsaved(page, isSent)
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isLeft(current, next) && anyUnsaved(),
    // What is kept in this tab comes back on every page of it, and goes with the tab.
    enableBeforeUnload: () => anyUnsaved() || anyKept(),
    withResolver: true,
  })
  if (leaving.status !== 'blocked') return null
  return (
    <Dialog
      title={say('unsavedTitle')}
      onClose={leaving.reset}
      closing={say('unsavedStay')}
      action={{ text: say('unsavedLeave'), run: leaving.proceed }}
    >
      <p>{say('unsavedText')}</p>
    </Dialog>
  )
}
