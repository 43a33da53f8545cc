/** The end of a step: what happened, and the way on. */
import { EntryFrame } from './frame.tsx'
import { useEntryWords } from './words.ts'

interface Properties {
  readonly title: string
  readonly text: string
  /** Whether there is something to sign in for. */
  readonly signIn?: boolean
  /** In place of the sign-in. */
  readonly action?: { readonly text: string; readonly href: string }
}

export function Outcome({ title, text, signIn = true, action }: Properties) {
  const say = useEntryWords()
  const next = action ?? (signIn ? { text: say('enter'), href: '/login' } : null)
  return (
    <EntryFrame title={title}>
      <p role="status">{text}</p>
      {next && (
        <a className="btn first" href={next.href}>
          {next.text}
        </a>
      )}
    </EntryFrame>
  )
}

export function BadLink() {
  const say = useEntryWords()
  return <Outcome title={say('badLinkTitle')} text={say('badLinkBody')} />
}
